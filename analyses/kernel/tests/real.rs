//! Numbers of a real trace that others found, too: baselines of TraceEvent, and a second program. Skipped loudly where
//! the corpus is absent.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_kernel_analyses::{CpuSamples, ImageList, Processes, ThreadList};

fn found<A: Analysis>(threads: usize) -> Option<Vec<A::Row>> {
    found_in::<A>("perfview/net.4.5.2.x64.etl", threads)
}

fn found_in<A: Analysis>(file: &str, threads: usize) -> Option<Vec<A::Row>> {
    let parsers = etwkit_parsers::with_image_identities(etwkit_parsers::standard());
    let trace = Trace::open(etwkit_corpus::path(file)?, parsers).unwrap();
    Some(rows::<A>(&trace, &RunOptions::default().threads(threads)).unwrap())
}

#[test]
fn images_have_what_events_say_of_their_files() {
    // A script over `etwkit dump -f jsonl --event 'ImageID*'` joins PDB files by process and address, and versions by time
    // stamp and size.
    let Some(rows) = found::<ImageList>(1) else { return };
    let (with_pdb, with_version) =
        (rows.iter().filter(|row| row.pdb_id.is_some()), rows.iter().filter(|row| row.file_version.is_some()));
    assert_eq!((rows.len(), with_pdb.count(), with_version.count()), (1_798, 1_767, 1_794));
    let ntdll = rows.iter().find(|row| row.pid == 4 && row.base == "0x7f9d02f0000").unwrap();
    assert_eq!(ntdll.pdb.as_deref(), Some("ntdll.pdb"));
    assert_eq!(ntdll.pdb_id.as_deref(), Some("6048FDB62DCD41C18835594844CE71432"));
    assert_eq!(ntdll.original_name.as_deref(), Some("ntdll.dll"));
    assert_eq!(ntdll.file_version.as_deref(), Some("6.2.9200.16384 (win8_rtm.120725-1247)"));
    assert_eq!(ntdll.company.as_deref(), Some("Microsoft Corporation"));
    assert_eq!((ntdll.product_version.as_deref(), ntdll.signature_level), (Some("6.2.9200.16384"), None));
    // Two drivers with the same time stamp and size.
    let version = |name: &str| {
        let row = rows.iter().find(|row| row.path.ends_with(name)).unwrap();
        (row.original_name.as_deref() == Some(name), row.file_version.is_some())
    };
    assert_eq!([version("kbdclass.sys"), version("mouclass.sys")], [(true, true); 2]);
    assert_eq!(found::<ImageList>(2).unwrap(), rows);
}

#[test]
fn images_that_were_there_before_the_trace_have_their_process() {
    let file = "airbus/ShutdownPerfDiagLogger.etl";
    let (Some(rows), Some(processes)) = (found_in::<ImageList>(file, 1), found_in::<Processes>(file, 1)) else {
        return;
    };
    let is_known = |pid: u32| pid == 0 || processes.iter().any(|process| process.pid == pid);
    let without = rows.iter().filter(|row| row.process.is_none() && is_known(row.pid)).count();
    assert_eq!((rows.len(), without), (6_936, 0));
}

#[test]
fn images_have_the_signatures_of_their_events() {
    let Some(rows) = found_in::<ImageList>("diaghub/diaghub.kernel.1.etl", 2) else { return };
    let signature = |row: &etwkit_kernel_analyses::ImageRow| (row.signature_level, row.signature_type);
    let ntdll = rows.iter().find(|row| row.pid == 14_244 && row.base == "0x7ffd77a90000").unwrap();
    assert_eq!(signature(ntdll), (Some(12), Some(2)));
    assert!(rows.len() > 15_000 && rows.iter().all(|row| row.signature_level.is_some()));
}

#[test]
fn samples_are_those_of_the_baseline() {
    let Some(rows) = found::<CpuSamples>(1) else { return };
    assert_eq!(rows.iter().map(|row| row.samples).sum::<u64>(), 6_320);
    let first = rows.first().unwrap();
    assert_eq!((first.pid, first.samples, first.cpu_ms), (Some(3676), 5_129, Some(5_129.0)));
    assert_eq!(found::<CpuSamples>(2).unwrap(), rows);
}

#[test]
fn processes_are_those_of_the_kernel() {
    let Some(rows) = found::<Processes>(1) else { return };
    let application = rows.iter().find(|row| row.pid == 3676).unwrap();
    assert!(application.start.is_some() && application.end.is_some() && application.command_line.is_some());
    assert_eq!(rows.iter().filter(|row| row.pid == 3988).count(), 1);
}

#[test]
fn threads_are_those_that_a_script_counts() {
    // A script over `etwkit dump -f jsonl --event 'Thread/*'`: ids of threads but 0, again after each end.
    let Some(rows) = found::<ThreadList>(1) else { return };
    let started = rows.iter().filter(|row| row.start.is_some()).count();
    let ended = rows.iter().filter(|row| row.end.is_some()).count();
    assert_eq!((rows.len(), started, ended), (671, 9, 15));
    assert!(rows.iter().all(|row| row.run_ms.is_none() && row.pid.is_some() && row.start_address.is_some()));
    let system = rows.iter().find(|row| row.tid == 8).unwrap();
    assert_eq!(
        (system.process.as_deref(), system.start_address.as_deref()),
        (Some("System"), Some("ntoskrnl.exe+0x4fcb60"))
    );
}
