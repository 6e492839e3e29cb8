//! Numbers of real traces that others found, too: baselines of TraceEvent, and a second program. Skipped loudly where
//! the corpus is absent.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fmt::Debug;

use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_windows_analyses::{
    BootEach, BootPhases, EventTypes, GpuByEngine, HttpByUrl, IdleStates, Machine, MachineRow, Summary,
};

const PERFVIEW: &str = "perfview/net.4.5.2.x64.etl";

fn found<A: Analysis<Row: PartialEq + Debug>>(file: &str) -> Option<Vec<A::Row>> {
    let file = etwkit_corpus::path(file)?;
    let trace = Trace::open(file, etwkit_parsers::with_stacks(etwkit_parsers::standard())).unwrap();
    let found = rows::<A>(&trace, &RunOptions::default().threads(1)).unwrap();
    assert_eq!(rows::<A>(&trace, &RunOptions::default().threads(2)).unwrap(), found);
    Some(found)
}

#[test]
fn counts_of_events_are_those_of_the_baseline() {
    let Some(rows) = found::<EventTypes>(PERFVIEW) else { return };
    assert_eq!(rows.iter().map(|row| row.count).sum::<u64>(), 179_474);
    let of = |name: &str| rows.iter().find(|row| row.event == name).unwrap();
    assert_eq!((of("DiskIO/Read").count, of("DiskIO/Read").bytes), (1_208, 1_208 * 52));
    assert_eq!((of("TcpIp/SendIPV6").count, of("Memory/HardFault").count), (240, 153));
    // Of the samples that count, 6,214 have a stack; those of idle processors may have one, too.
    assert_eq!((of("PerfInfo/Sample").count, of("PerfInfo/Sample").stacks >= 6_214), (79_528, true));
    // 12.5815648 s from the first event but the header to the last one.
    assert!((of("DiskIO/Read").rate.unwrap() - 1_208.0 / 12.581_564_8).abs() < 1e-9);
}

#[test]
fn a_summary_has_what_the_header_says() {
    let Some(rows) = found::<Summary>(PERFVIEW) else { return };
    let value = |name: &str| rows.iter().find(|row| row.name == name).map(|row| &*row.value);
    let expected = [
        ("session", "Relogger"),
        ("product", "Windows 8 or Server 2012"),
        ("os_build", "9200"),
        ("computer", "BRIANROB-W8"),
        ("processors", "8"),
        ("memory_mb", "4096"),
        ("boot_time", "2020-07-29T00:03:46.4872939Z"),
        ("start", "2020-07-29T00:07:00.6236167Z"),
        ("end", "2020-07-29T00:07:10.6935923Z"),
        ("duration_s", "10.0699756"),
        ("last_event", "2020-07-29T00:07:13.2051815Z"),
        ("events", "179474"),
        ("events_lost", "0"),
        ("size_bytes", "4879401"),
    ];
    for (name, expected) in expected {
        assert_eq!(value(name), Some(expected), "{name}");
    }
    assert!(rows.iter().all(|row| row.file.is_none()));
}

/// The header has the time of the session's start, 50 s before the first other event of the second trace.
#[test]
fn the_first_event_is_the_first_of_all_but_the_header() {
    for file in [PERFVIEW, "tx/HTTP_Server.etl"] {
        let Some((summary, events)) = found::<Summary>(file).zip(found::<EventTypes>(file)) else { return };
        let value = |name: &str| summary.iter().find(|row| row.name == name).map(|row| row.value.clone());
        let (header, others): (Vec<_>, Vec<_>) = events.into_iter().partition(|row| row.event == "EventTrace");
        let header = header.iter().map(|row| (row.count, row.first.unwrap().0.to_string())).collect::<Vec<_>>();
        assert_eq!(header, [(1, value("start").unwrap())], "{file}");
        let first = others.iter().filter_map(|row| row.first).min().unwrap();
        let last = others.iter().filter_map(|row| row.last).max().unwrap();
        assert_eq!((value("first_event"), value("last_event")), (Some(first.0.to_string()), Some(last.0.to_string())));
    }
}

fn value<'r>(rows: &'r [MachineRow], kind: &str, property: &str) -> Option<&'r str> {
    rows.iter().find(|row| row.kind == kind && row.property == property).map(|row| &*row.value)
}

#[test]
fn the_machine_is_that_of_its_events() {
    let Some(rows) = found::<Machine>(PERFVIEW) else { return };
    assert_eq!(value(&rows, "CPU", "MHz"), Some("3592"));
    assert_eq!(value(&rows, "PhyDisk", "Manufacturer"), Some("Virtual HD ATA Device"));
    assert_eq!(value(&rows, "NIC", "PhysicalAddr"), Some("00:15:5d:7c:58:28"));
    assert_eq!(value(&rows, "LogDisk", "FileSystem"), Some("NTFS"));
    let services = rows.iter().filter(|row| row.kind == "Services").map(|row| row.number).max();
    assert_eq!(services, Some(156));
}

#[test]
fn assessments_of_windows_are_unpacked() {
    let Some(rows) = found::<Machine>("misc/ms-rpc-capture-arrays.etl") else { return };
    let metric = |property| value(&rows, "WinSat/Metrics", property);
    assert_eq!(metric("MemoryMetrics/Bandwidth"), Some("66660.39502 MB/s"));
    assert_eq!(metric("DiskMetrics/AvgThroughput[Random Read]"), Some("1798.25000 MB/s"));
    assert_eq!(value(&rows, "WinSat/WinSPR", "SystemScore"), Some("8.4"));
    let processor = value(&rows, "WinSat/SystemConfig", "Processor/Instance[0]/ProcessorName");
    assert_eq!(processor, Some("12th Gen Intel(R) Core(TM) i9-12900HK"));
    assert_eq!(value(&rows, "WinSat/SystemConfig", "OSVersion/OSName"), Some("Windows 11 Pro"));
}

#[test]
fn requests_are_those_of_http_sys() {
    let Some(rows) = found::<HttpByUrl>("tx/HTTP_Server.etl") else { return };
    assert_eq!(rows.iter().map(|row| row.requests).sum::<u64>(), 291);
    assert!(rows.iter().all(|row| row.elapsed_ms_max <= row.elapsed_ms_sum));
}

#[test]
fn traces_that_begin_after_the_boot_have_no_phases() {
    // The second one has smss.exe and wininit.exe: they run since before it, and end.
    for file in [PERFVIEW, "airbus/ShutdownPerfDiagLogger.etl", "diaghub/diaghub.kernel.1.etl"] {
        let Some(phases) = found::<BootPhases>(file) else { return };
        assert_eq!((phases, found::<BootEach>(file).unwrap()), (vec![], vec![]), "{file}");
        let trace = Trace::open(etwkit_corpus::path(file).unwrap(), etwkit_parsers::standard()).unwrap();
        assert!(!BootPhases::is_answerable(&trace), "{file}");
        assert_eq!(
            (found::<IdleStates>(file).unwrap(), found::<GpuByEngine>(file).unwrap()),
            (vec![], vec![]),
            "{file}"
        );
    }
}
