//! Boots.

use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_analysis::{Analysis, milliseconds, rows};
use etwkit_synth::{Event, Guid, LogfileHeader, Payload, PointerSize, kernel};
use etwkit_windows_analyses::{BootEach, BootEachRow, BootPhases, BootRow};

use super::{cut, event, found, is_near, trace, trace_of};

const PNP: Guid = Guid::new(0x9c20_5a39_1250_487d_abd7_e831_c629_0539);
const SMSS: Guid = Guid::new(0x43e6_3da5_41d1_4fbf_aded_1bbe_d98f_dd1d);
const SERVICES: Guid = Guid::new(0x0063_715b_eeda_4007_9429_ad52_6f62_696e);
const WINLOGON: Guid = Guid::new(0xdbe9_b383_7cf3_4331_91cc_a3cb_16a3_b538);
const SHELL: Guid = Guid::new(0x3033_6ed4_e327_447c_9de0_51b6_52c8_6108);
const DIAGNOSTICS: Guid = Guid::new(0xcfc1_8ec0_96b1_4eba_961b_622c_aee0_5b0a);
const KERNEL_PROCESS: Guid = Guid::new(0x22fb_2cd6_0e7b_422b_a0c7_2fad_1fd0_e716);
const START: u16 = 0x0301;
const STOP: u16 = 0x0302;

/// A start or an end of a process, at microseconds after the begin of the trace.
fn process(hook: u16, at: i64, pid: u32, image: &str) -> Event {
    let at = LogfileHeader::default().after(10 * at);
    kernel::process(PointerSize::Eight, hook, pid, image, image).at(at).into()
}

fn edge(provider: Guid, id: u16, at: i64, payload: Payload) -> Event {
    event(provider, (id, 0), at, 8, payload).into()
}

fn none(provider: Guid, id: u16, at: i64) -> Event {
    edge(provider, id, at, Payload::new())
}

/// A text after its length in bytes.
fn counted(text: &str) -> Payload {
    Payload::new().u16(2 * u16::try_from(text.len()).unwrap()).utf16(text)
}

fn service(at: i64, state: u32) -> Event {
    let payload = Payload::new().u32(1).u32(state).u32(2).u32(600).utf16z("Dhcp").utf16z("svchost.exe");
    edge(SERVICES, 105, at, payload)
}

/// A machine that was booted two seconds before the session began.
fn booted(events: Vec<Event>) -> Trace {
    let header = LogfileHeader::default();
    let boot_time = header.start_time - 2 * 10_000_000;
    trace_of(LogfileHeader { boot_time, ..header }, events.into_iter().map(|event| (0, event)))
}

fn boot() -> Trace {
    // A driver whose length counts characters, and one in it whose length counts bytes.
    let long = Payload::new().u16(9).utf16(r"\Driver\a");
    booted(vec![
        none(PNP, 200, 10_000),
        edge(PNP, 226, 20_000, long),
        edge(PNP, 226, 25_000, counted(r"\Driver\b")),
        edge(PNP, 227, 30_000, counted(r"\Driver\b").u32(0)),
        edge(PNP, 227, 60_000, counted(r"\Driver\a").u32(0xc000_0001)),
        none(PNP, 201, 90_000),
        process(START, 100_000, 300, "smss.exe"),
        none(SMSS, 3, 200_000),
        none(SMSS, 4, 250_000),
        process(START, 300_000, 310, "autochk.exe"),
        process(STOP, 400_000, 310, "autochk.exe"),
        process(START, 1_000_000, 480, "wininit.exe"),
        process(START, 1_100_000, 500, "winlogon.exe"),
        none(SERVICES, 101, 1_500_000),
        service(1_600_000, 2),
        service(1_850_000, 4),
        none(WINLOGON, 1, 2_000_000),
        edge(WINLOGON, 2, 2_400_000, Payload::new().u32(0)),
        none(SERVICES, 102, 2_500_000),
        process(START, 3_100_000, 700, "explorer.exe"),
        none(SHELL, 27231, 4_000_000),
        // Another logon does not belong to the boot.
        none(WINLOGON, 1, 5_000_000),
        edge(WINLOGON, 2, 5_300_000, Payload::new().u32(0)),
    ])
}

/// Name, milliseconds since the boot and of duration.
type Short<'r> = (&'r str, Option<f64>, Option<f64>);

fn short(row: &BootRow) -> Short<'_> {
    (&row.phase, row.since_boot_ms, row.duration_ms)
}

fn short_step(row: &BootEachRow) -> Short<'_> {
    (row.name.as_deref().unwrap_or_default(), row.since_boot_ms, row.duration_ms)
}

#[track_caller]
fn assert_same<'r>(found: impl Iterator<Item = Short<'r>>, expected: &[Short<'r>]) {
    let found: Vec<_> = found.collect();
    let same = |a: Option<f64>, b: Option<f64>| a.zip(b).map_or(a == b, |(a, b)| is_near(a, b));
    let is_same = found.len() == expected.len()
        && found.iter().zip(expected).all(|(a, b)| a.0 == b.0 && same(a.1, b.1) && same(a.2, b.2));
    assert!(is_same, "{found:?}\nis not\n{expected:?}");
}

#[test]
fn phases_have_times_since_the_boot() {
    let rows = found::<BootPhases>(&boot());
    let expected = [
        ("kernel", Some(0.0), Some(2_100.0)),
        ("BootStart", Some(2_010.0), Some(80.0)),
        ("session-init", Some(2_100.0), Some(1_000.0)),
        ("smss:InitializeRegistry", Some(2_200.0), Some(50.0)),
        ("winlogon-init", Some(3_100.0), Some(2_000.0)),
        ("Autostart", Some(3_500.0), Some(1_000.0)),
        ("AuthenticateUser", Some(4_000.0), Some(400.0)),
        ("explorer", Some(5_100.0), None),
        ("PerfTrack_Explorer_ExplorerStartToDesktopReady", None, None),
    ];
    assert_same(rows.iter().map(short), &expected);
    let last = rows.last().unwrap();
    assert_eq!((last.start, last.end.is_some()), (None, true));
    assert_eq!(last.source, "Microsoft-Windows-Shell-Core/27231");
    assert_eq!(rows[1].source, "Microsoft-Windows-Kernel-PnP/200, 201");
    assert_eq!(rows[0].source, "header; start of smss.exe");
}

#[test]
fn steps_are_drivers_services_and_programs() {
    let rows = found::<BootEach>(&boot());
    let expected = [
        (r"\Driver\a", Some(2_020.0), Some(40.0)),
        (r"\Driver\b", Some(2_025.0), Some(5.0)),
        ("smss.exe", Some(2_100.0), None),
        ("autochk.exe", Some(2_300.0), Some(100.0)),
        ("wininit.exe", Some(3_000.0), None),
        ("winlogon.exe", Some(3_100.0), None),
        ("Dhcp", Some(3_600.0), Some(250.0)),
        ("explorer.exe", Some(5_100.0), None),
    ];
    assert_same(rows.iter().map(short_step), &expected);
    let status: Vec<_> = rows.iter().take(3).map(|row| (row.step, row.status)).collect();
    assert_eq!(status, [("DriverInit", Some(0xc000_0001)), ("DriverInit", Some(0)), ("Process", None)]);
    assert_eq!(rows.iter().find(|row| row.step == "Process").unwrap().pid, Some(300));
    let ended = rows.iter().find(|row| row.name.as_deref() == Some("autochk.exe")).unwrap();
    assert_eq!((ended.status, &*ended.source), (Some(259), "Process/Start, Stop"));
}

#[test]
fn phases_and_steps_are_in_the_window_of_their_begin() {
    let trace = boot();
    let (phases, steps) = (found::<BootPhases>(&trace), found::<BootEach>(&trace));
    for (us, before_phases, before_steps) in [(27_000, 1, 2), (150_000, 3, 3), (1_700_000, 6, 7), (4_500_000, 9, 8)] {
        let (before, after) = cut::<BootPhases>(&trace, us);
        assert_eq!(before.len(), before_phases, "{us}");
        assert_eq!(sorted([before, after].concat()), phases, "{us}");
        let (before, after) = cut::<BootEach>(&trace, us);
        assert_eq!(before.len(), before_steps, "{us}");
        assert_eq!([before, after].concat(), steps, "{us}");
    }
    let of_smss = rows::<BootPhases>(&trace, &RunOptions::default().filter(Filter::default().pids([300]))).unwrap();
    assert_same(
        of_smss.iter().map(short),
        &[("kernel", Some(0.0), Some(2_100.0)), ("session-init", Some(2_100.0), Some(1_000.0))],
    );
}

/// The phase of the kernel begins at the boot, and is counted where smss.exe starts.
fn sorted(mut rows: Vec<BootRow>) -> Vec<BootRow> {
    rows.sort_by_key(|row| row.start.or(row.end));
    rows
}

#[test]
fn a_trace_that_begins_after_the_boot_has_no_phases() {
    // Someone logs on, a device comes and goes, and a copy of smss.exe starts a session.
    let copy = Payload::new().u32(900).u64(0).u32(300).u32(2).u32(0).utf16z(r"\Windows\System32\smss.exe");
    let trace = booted(vec![
        edge(PNP, 226, 20_000, counted(r"\Driver\a")),
        edge(PNP, 227, 30_000, counted(r"\Driver\a").u32(0)),
        event(KERNEL_PROCESS, (1, 1), 40_000, 8, copy).into(),
        process(START, 50_000, 500, "winlogon.exe"),
        none(WINLOGON, 1, 2_000_000),
        edge(WINLOGON, 2, 2_400_000, Payload::new().u32(0)),
        process(START, 3_100_000, 700, "explorer.exe"),
    ]);
    assert_eq!((found::<BootPhases>(&trace), found::<BootEach>(&trace)), (vec![], vec![]));
    assert!(!BootPhases::is_answerable(&trace) && !BootEach::is_answerable(&trace));
    assert!(BootPhases::is_answerable(&boot()) && BootEach::is_answerable(&boot()));
}

#[test]
fn a_trace_that_begins_in_the_boot_has_ends() {
    let rows = found::<BootPhases>(&booted(vec![
        none(PNP, 201, 10_000),
        process(START, 50_000, 500, "winlogon.exe"),
        none(SERVICES, 101, 60_000),
    ]));
    let short: Vec<_> = rows.iter().map(|row| (&*row.phase, row.start.is_some(), row.end.is_some())).collect();
    let expected = [
        ("BootStart", false, true),
        ("session-init", false, true),
        ("winlogon-init", true, false),
        ("Autostart", true, false),
    ];
    assert_eq!(short, expected);
}

#[test]
fn reports_have_their_own_times() {
    let start = LogfileHeader::default().start_time;
    let head = Payload::new().u32(2).u64(start.cast_unsigned()).u64(start.cast_unsigned() + 300_000_000).u32(7).u32(7);
    let times = [30_000, 20_000, 100, 200, 300, 400, 999, 500, 600, 700, 800, 900, 1_000, 3, 10_000];
    let report = [&times[..], &[0; 11]].concat().into_iter().fold(head, Payload::u32);
    let slow = Payload::new().u64(start.cast_unsigned()).u32(2).utf16("x").u32(5_000).u32(4_000);
    let trace = trace([event(DIAGNOSTICS, (100, 1), 10, 8, report), event(DIAGNOSTICS, (110, 1), 20, 8, slow)]);
    let rows = found::<BootPhases>(&trace);
    let first = rows.first().unwrap();
    assert_eq!((&*first.phase, first.duration_ms), ("BootTime", Some(30_000.0)));
    assert!(is_near(milliseconds(first.start.unwrap().0, first.end.unwrap().0), 30_000.0));
    let rest: Vec<_> = rows.iter().skip(1).filter_map(|row| row.duration_ms).collect();
    assert_eq!(rest, [20_000.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0, 800.0, 900.0, 1_000.0, 10_000.0]);
    assert_eq!(rows.last().unwrap().phase, "BootPostBootTime");
    let steps = found::<BootEach>(&trace);
    let [step] = &steps[..] else { panic!("{steps:?}") };
    assert_eq!((step.name.as_deref(), step.duration_ms), (Some("x"), Some(5_000.0)));
}

#[test]
fn ticks_of_the_loader_have_a_length_since_version_3() {
    let loader = |version: u8, fields: usize, frequency: &[u64]| {
        let ends = Payload::new().u64(100).u64(3_000_100);
        let payload = frequency.iter().fold(ends.zeros(8 * fields), |payload, frequency| payload.u64(*frequency));
        let rows = found::<BootPhases>(&trace([event(PNP, (204, version), 10, 8, payload)]));
        rows.first().map(|row| (row.phase.clone(), row.duration_ms))
    };
    assert_eq!(loader(3, 8, &[1_000_000]), Some(("OsLoader".to_owned(), Some(3_000.0))));
    assert_eq!(loader(2, 8, &[]), Some(("OsLoader".to_owned(), None)));
}

#[test]
fn broken_payloads_are_no_trouble() {
    let ids = [(PNP, 200..264), (SMSS, 1..33), (SERVICES, 101..110), (WINLOGON, 1..15), (DIAGNOSTICS, 100..111)];
    for (byte, len) in [(0, 0), (0xff, 3), (0xff, 64), (0, 64), (0xff, 200)] {
        let events = ids.iter().flat_map(|(provider, ids)| ids.clone().map(|id| (*provider, id)));
        let trace = trace(events.map(|key| event(key.0, (key.1, 1), 100, 8, Payload::new().bytes(&vec![byte; len]))));
        found::<BootPhases>(&trace);
        found::<BootEach>(&trace);
    }
}
