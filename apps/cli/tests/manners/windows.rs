//! `analyze` with filters that cut through what events make up together.

use etwkit_synth::{Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, SystemEvent, TraceBuilder};

use crate::common::Folder;

const RUNTIME: Guid = Guid::new(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4);
const EIGHT: PointerSize = PointerSize::Eight;
const DXGKRNL: Guid = Guid::new(0x802e_c45a_1e99_4b83_9920_87c9_8277_ba9d);
const PROCESSOR_POWER: Guid = Guid::new(0x0f67_e49f_fe51_4e9f_b490_6f29_48cc_6027);
const TRACE: &str = "made.etl";

/// An event of the runtime, at milliseconds after the start.
fn runtime(ms: i64, (id, version): (u16, u8), payload: Payload) -> Event {
    let time = LogfileHeader::default().after(ms * 10_000);
    ModernEvent::new(RUNTIME).id(id).version(version).payload(payload).at(time).by(40, 44).into()
}

/// A collection of generation 0: it pauses for 6 ms, and 1,000 bytes survive.
fn collection(ms: i64, number: u32) -> [Event; 6] {
    let stats = Payload::new().u64(4000).u64(1000).u64(0).u64(0).u64(0).u64(0).u64(0).u64(0).u64(0).u64(0);
    [
        runtime(ms, (9, 1), Payload::new().u32(1).u32(number).u16(7)),
        runtime(ms + 1, (8, 1), Payload::new().u16(7)),
        runtime(ms + 2, (1, 1), Payload::new().u32(number).u32(0).u32(0).u32(0).u16(7)),
        runtime(ms + 4, (2, 1), Payload::new().u32(number).u32(0).u16(7)),
        runtime(ms + 5, (4, 1), stats.u32(0).u32(0).u32(0).u16(7)),
        runtime(ms + 6, (3, 1), Payload::new().u16(7)),
    ]
}

/// A process commits pages, and frees some of them 7 ms later.
fn pages(ms: i64, address: u64, [pages, freed]: [u64; 2]) -> [Event; 2] {
    let at = |ms: i64| LogfileHeader::default().after(ms * 10_000);
    let event = |ms: i64, hook, pages: u64, flags| {
        let payload = Payload::new().ptr(EIGHT, address).ptr(EIGHT, pages * 4096).u32(40).u32(flags);
        SystemEvent::system(EIGHT, hook).version(2).payload(payload).at(at(ms)).by(8, 12).into()
    };
    [event(ms, 0x0262, pages, 0x3000), event(ms + 7, 0x0263, freed, 0x4000)]
}

/// A frame that process 40 presents, and a frequency of a processor.
fn frame(ms: i64, mhz: u32) -> [Event; 2] {
    let time = LogfileHeader::default().after(ms * 10_000);
    let frame = Payload::new().u32(1).u64(2).u32(0).u32(1).u32(0).u32(0).u64(3).u64(4);
    let frame = ModernEvent::new(DXGKRNL).id(184).version(1).payload(frame).at(time).by(40, 44);
    let speed = ModernEvent::new(PROCESSOR_POWER).id(10).payload(Payload::new().u32(0).u32(mhz).u16(0).u8(0));
    [frame.into(), speed.at(time).by(4, 8).into()]
}

/// A read of a disk that thread 44 asks for, and that is done 5 ms later, while another thread runs.
fn read(ms: i64, irp: u64, bytes: u32) -> [Event; 2] {
    let at = |ms: i64| LogfileHeader::default().after(ms * 10_000);
    let asked = SystemEvent::system(EIGHT, 0x010c).version(2).payload(Payload::new().ptr(EIGHT, irp));
    let done = Payload::new().u32(0).u32(0).u32(bytes).u32(0).u64(4096).ptr(EIGHT, 0x77).ptr(EIGHT, irp).u64(50_000);
    let done = SystemEvent::system(EIGHT, 0x010a).version(2).payload(done);
    [asked.at(at(ms)).by(40, 44).into(), done.at(at(ms + 5)).by(8, 12).into()]
}

fn folder() -> Folder {
    let mut events: Vec<(i64, Event)> = Vec::new();
    for (place, start) in [(1, 10), (2, 30), (3, 50)] {
        let times = [0, 1, 2, 4, 5, 6].map(|ms| start + ms);
        events.extend(times.into_iter().zip(collection(start, place)));
        events.extend([start + 1, start + 6].into_iter().zip(read(start + 1, place.into(), 512 * place)));
        let address = 0x10_0000 * u64::from(place);
        events.extend([start, start + 7].into_iter().zip(pages(start, address, [u64::from(place) + 1, 1])));
        events.extend([start, start].into_iter().zip(frame(start, 1_000 * place)));
    }
    events.sort_by_key(|(ms, _)| *ms);
    let builder = TraceBuilder::new(LogfileHeader::default());
    let builder = events.into_iter().fold(builder, |builder, (_, event)| builder.log(0, event));
    let folder = Folder::with(&[]);
    folder.write(TRACE, &builder.build().bytes);
    folder
}

fn rows(folder: &Folder, arguments: &[&str]) -> String {
    let run = folder.run(&[&["analyze", arguments[0], TRACE, "--format", "csv"], &arguments[1..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.split_once('\n').unwrap().1.replace('\n', ";")
}

#[test]
fn windows_that_cut_through_a_collection_add_up() {
    let folder = folder();
    let gc = |arguments: &[&str]| {
        rows(&folder, &[&["gc", "--fields", "pid,gcs,pause_ms_sum,promoted_bytes"], arguments].concat())
    };
    assert_eq!(gc(&[]), "40,3,18,3000;");
    // The second one starts at 32 ms: it is counted where it starts, with its pause before and after.
    assert_eq!(gc(&["--until", "+33ms"]), "40,2,12,2000;");
    assert_eq!(gc(&["--since", "+33001us"]), "40,1,6,1000;");
    assert_eq!(gc(&["--until", "+31ms"]), "40,1,6,1000;");
    assert_eq!(gc(&["--since", "+31001us"]), "40,2,12,2000;");
    // A condition on the event of the start.
    assert_eq!(gc(&["--where", "fields.Count == 2"]), "40,1,6,1000;");
    assert_eq!(gc(&["--pid", "40", "--event", "GC/Start"]), "40,3,18,3000;");
    let each = rows(&folder, &["gc", "--each", "--fields", "number,pause_ms", "--since", "+20ms", "--until", "+40ms"]);
    assert_eq!(each, "2,6;");
}

#[test]
fn windows_that_cut_through_a_transfer_add_up() {
    let folder = folder();
    let disk = |arguments: &[&str]| rows(&folder, &[&["disk", "--fields", "pid,reads,read_bytes"], arguments].concat());
    assert_eq!(disk(&[]), "40,3,3072;");
    // Only the request, at 31 ms, states who asked.
    assert_eq!(disk(&["--until", "+33ms"]), "40,2,1536;");
    assert_eq!(disk(&["--since", "+33001us"]), "40,1,1536;");
    assert_eq!(disk(&["--pid", "40"]), "40,3,3072;");
    assert_eq!(disk(&["--pid", "8"]), "");
}

#[test]
fn windows_that_cut_through_ranges_of_memory_add_up() {
    let folder = folder();
    let memory = |arguments: &[&str]| {
        let fields = ["memory", "--fields", "pid,committed_bytes,frees,net_committed_bytes,heap_net_bytes"];
        rows(&folder, &[&fields, arguments].concat())
    };
    // 2, 3 and 4 pages, of which one is freed again.
    assert_eq!(memory(&[]), "40,36864,3,24576,;");
    // The second range begins at 30 ms, and its page is freed at 37 ms.
    assert_eq!(memory(&["--until", "+33ms"]), "40,20480,1,12288,;");
    assert_eq!(memory(&["--since", "+33001us"]), "40,16384,2,12288,;");
    // Process 8 allocates in process 40.
    assert_eq!(memory(&["--pid", "40"]), "40,36864,3,24576,;");
    assert_eq!(memory(&["--pid", "8"]), "");
}

#[test]
fn windows_that_cut_through_intervals_add_up() {
    let folder = folder();
    let frames = |arguments: &[&str]| {
        rows(&folder, &[&["present", "--fields", "pid,presents,interval_ms_max,fps"], arguments].concat())
    };
    assert_eq!(frames(&[]), "40,3,20,50;");
    assert_eq!(frames(&["--until", "+33ms"]), "40,2,20,50;");
    assert_eq!(frames(&["--since", "+33001us"]), "40,1,,;");
    assert_eq!(frames(&["--until", "+13ms"]), "40,1,20,;");
    let power = |arguments: &[&str]| {
        rows(&folder, &[&["power", "--fields", "number,changes,mhz_mean,parked_ms"], arguments].concat())
    };
    // Each but the last one holds for 20 ms.
    assert_eq!(power(&[]), "0,3,1500,0;");
    assert_eq!(power(&["--until", "+13ms"]), "0,1,1000,0;");
    assert_eq!(power(&["--since", "+13ms"]), "0,2,2000,0;");
}

#[test]
fn requests_are_counted_where_they_begin() {
    let folder = Folder::with(&["http-sys.etl"]);
    let http = |arguments: &[&str]| {
        let run = folder.run(&[&["analyze", "http", "http-sys.etl", "--format", "json"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let rows = run.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        rows.map(|row| (row["requests"].as_u64().unwrap(), row["elapsed_ms_sum"].as_f64().unwrap())).collect::<Vec<_>>()
    };
    let sum = |rows: &[(u64, f64)]| rows.iter().fold((0, 0.0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    let whole = sum(&http(&[]));
    // The third request lasts from 3.008 s to 3.053 s.
    for cut in ["+3020ms", "+3100ms", "+4150ms"] {
        let (before, after) = (sum(&http(&["--until", cut])), sum(&http(&["--since", cut])));
        assert_eq!(before.0 + after.0, whole.0, "{cut}");
        assert!((before.1 + after.1 - whole.1).abs() < 1e-9 && before.0 * after.0 > 0, "{cut}");
    }
    // Both commands have the same times.
    let run = folder.run(&["requests", "http-sys.etl", "--format", "json", "--fields", "total_ms"]);
    let total = |line| serde_json::from_str::<serde_json::Value>(line).unwrap()["total_ms"].as_f64().unwrap();
    let totals: f64 = run.out.lines().map(total).sum();
    assert!((totals - whole.1).abs() < 1e-9, "{totals} {whole:?}");
}

#[test]
fn a_comparison_reads_each_trace_once_for_all_tables() {
    let folder = folder();
    for filter in [&[][..], &["--pid", "40"], &["--until", "+33ms"]] {
        let all = folder.run(&[&["diff", TRACE, TRACE, "--format", "csv"], filter].concat());
        assert_eq!((all.code, all.out.lines().count()), (0, 1), "{} {}", all.out, all.err);
    }
    let fewer = folder.run(&["diff", TRACE, TRACE, "--only", "gc", "--fail-on", "gc.gcs>2", "--until", "+33ms"]);
    assert_eq!(fewer.code, 0, "{}", fewer.err);
    let fewer = folder.run(&["diff", TRACE, TRACE, "--only", "gc", "--fail-on", "gc.gcs>1", "--until", "+33ms"]);
    assert_eq!(fewer.code, 1, "{}", fewer.err);
}

#[test]
fn a_trace_without_a_boot_says_what_to_record() {
    let folder = folder();
    // A process that starts is not a boot.
    let run = folder.run(&["analyze", "boot", TRACE]);
    assert_eq!((run.code, &*run.out), (2, ""));
    assert!(run.err.contains("boot: the trace does not have the events that it needs"), "{}", run.err);
    assert!(run.err.contains("-boottrace") && run.err.contains("Microsoft-Windows-Kernel-PnP"), "{}", run.err);
}

#[test]
fn a_profile_does_not_say_of_a_window_what_the_trace_has() {
    let at = |ms: i64| LogfileHeader::default().after(ms * 10_000);
    let event = |ms: i64, hook: u16, payload: Payload| {
        SystemEvent::system(EIGHT, hook).version(3).payload(payload).at(at(ms)).by(8, 12)
    };
    let read = |ms: i64, irp: u64| {
        let ids = Payload::new().u64(0).ptr(EIGHT, irp).ptr(EIGHT, 1).ptr(EIGHT, 2).u32(12);
        event(ms, 0x0443, ids.u32(64).u32(0).u32(0))
    };
    let end = |ms: i64, irp: u64| event(ms, 0x044c, Payload::new().ptr(EIGHT, irp).ptr(EIGHT, 64).u32(0));
    let events = [read(10, 1), end(20, 1), read(30, 2), end(60, 2), read(70, 3)];
    let builder = TraceBuilder::new(LogfileHeader::default());
    let folder = Folder::with(&[]);
    folder.write(TRACE, &events.into_iter().fold(builder, |builder, event| builder.log(0, event)).build().bytes);
    let notes = |window: &[&str]| {
        let run = folder.run(&[&["profile", "--by", "file", TRACE], window].concat());
        run.err.lines().filter(|line| line.contains("not weighed")).map(str::to_owned).collect::<Vec<_>>()
    };
    let whole =
        "note: 1 operation not weighed: the trace does not have their end; `analyze file` counts them, without time";
    assert_eq!(notes(&[]), [whole]);
    let end = "note: 1 operation not weighed: no event that passes the filters is their end; `analyze file` counts them, \
               with all their events";
    assert_eq!(notes(&["--until", "+40ms"]), [end]);
    let start = "note: 1 operation not weighed: no event that passes the filters is their start";
    assert_eq!(notes(&["--since", "+40ms"]), [start, end]);
    let arguments =
        ["analyze", "file", TRACE, "--until", "+40ms", "--fields", "elapsed_ms_sum,elapsed_ms_max", "-f", "csv"];
    assert_eq!(folder.run(&arguments).out, "elapsed_ms_sum,elapsed_ms_max\n40,30\n");
}
