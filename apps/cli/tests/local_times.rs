//! Performance logs have local times: nothing may call them UTC.

mod common;

use common::Folder;
use etwkit_synth::event::PointerSize;
use etwkit_synth::{Buffer, ClassicEvent, Clock, Guid, LogfileHeader, Payload, TraceBuilder};

/// A log whose events are eight hours before its start, as in a zone west of Greenwich.
fn folder() -> Folder {
    let header = LogfileHeader {
        t0: 131_246_703_000_000_000,
        clock: Clock::SystemTime,
        start_time: 131_246_703_000_000_000,
        ..LogfileHeader::default()
    };
    let class = Guid::new(0x933f_3bb3_943e_490d_9ced_3cbb_14c1_4479);
    let list = Payload::new().guid(Guid::new(5)).u32(1).u32(1).u32(0x6FF).u32(0x2_0008);
    let local = 131_246_415_908_740_000;
    let event = ClassicEvent::new(PointerSize::Eight, class, 32).version(60).at(local).payload(list);
    let folder = Folder::with(&[]);
    folder.write("made.blg", &TraceBuilder::new(header).buffer(Buffer::on(0).event(event)).build().bytes);
    folder
}

const TIME: &str = "2016-11-26T13:46:30.8740000";

#[test]
fn events_have_no_zone() {
    let folder = folder();
    for format in ["jsonl", "csv", "xml"] {
        for zone in ["UTC", "Europe/Paris"] {
            let run = folder.run(&["dump", "made.blg", "--format", format, "--time-zone", zone]);
            assert_eq!(run.code, 0, "{}", run.err);
            let after = run.out.split_once(TIME).unwrap_or_else(|| panic!("{format}: {}", run.out)).1;
            let after = after.strip_prefix("00").filter(|_| format == "xml").unwrap_or(after);
            assert!(after.starts_with(['"', ' ', ',']), "{format}: {after:.20}");
        }
    }
    let run = folder.run(&["dump", "made.blg", "--format", "text", "--time-zone", "Europe/Paris"]);
    assert!(run.out.starts_with("2016-11-26 local ") && run.out.contains("\n13:46:30.8740000 "), "{}", run.out);
    let run = folder.run(&["dump", "made.blg"]);
    assert!(run.out.contains("\"details\":{\"time\":\"local\"}"), "{}", run.out);
    // The log's own header is UTC.
    assert!(run.out.contains("\"time\":\"2016-11-26T21:45:00.0000000Z\""), "{}", run.out);
}

/// The header's start is eight hours after them.
#[test]
fn relative_times_count_from_the_first_event() {
    let folder = folder();
    let count = |options: &[&str]| {
        let run = folder.run(&[&["dump", "made.blg", "--count"], options].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.out.trim().parse::<u32>().unwrap()
    };
    let all = count(&[]);
    assert_eq!(all, 2);
    assert_eq!(count(&["--since", "+0s"]), all);
    assert_eq!(count(&["--until", "+0s"]), 1);
    assert_eq!(count(&["--since", "+1m", "--until", "+1h"]), 0);
}

#[test]
fn info_says_why_events_lie_outside_of_the_session() {
    let folder = folder();
    let run = folder.run(&["info", "made.blg"]);
    assert!(
        run.out.contains(&format!("Events from {TIME}  (local time there: a performance log has no other)")),
        "{}",
        run.out
    );
    assert!(!run.out.contains("rewritten"), "{}", run.out);
    let run = folder.run(&["info", "made.blg", "--json"]);
    assert!(run.out.contains(&format!("\"first_event\":\"{TIME}\"")), "{}", run.out);
    // Others are explained as before.
    let run = Folder::with(&["hello.etl"]).run(&["info", "hello.etl"]);
    assert!(!run.out.contains("local time there: a"), "{}", run.out);
}
