//! What commands state about traces with more than they keep.

use etwkit_synth::{Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

use crate::common::Folder;

const RPC: Guid = Guid::new(0x6ad5_2b32_d609_4be9_ae07_ce8d_ae93_7e39);
const TRACE: &str = "nested.etl";

/// Calls of one thread within each other, of which 256 are kept open.
fn nested(calls: i64) -> Folder {
    let call = |at: i64| {
        let head = Payload::new().guid(Guid::new(7)).u32(2).u32(3).utf16z("").utf16z("pipe").utf16z("");
        let time = LogfileHeader::default().after(10 * at);
        ModernEvent::new(RPC).id(5).version(1).at(time).by(400, 8).payload(head.u32(6).u32(10).u32(3))
    };
    trace_of((1..=calls).map(call))
}

/// A folder with a trace of events.
fn trace_of(events: impl Iterator<Item = ModernEvent>) -> Folder {
    let builder = TraceBuilder::new(LogfileHeader::default());
    let folder = Folder::with(&[]);
    folder.write(TRACE, &events.fold(builder, |builder, event| builder.log(0, event)).build().bytes);
    folder
}

#[test]
fn what_has_no_room_in_a_table_is_said_and_is_in_the_exit_code() {
    let (all, more) = (nested(256), nested(300));
    let kept = "44 things had no room in the table rpc: left out or added up as (all others); filter for fewer";
    for arguments in [&["analyze", "rpc", TRACE][..], &["analyze", "rpc", "--each", "-f", "json", TRACE]] {
        let run = all.run(arguments);
        assert_eq!((run.code, &*run.err), (0, ""), "{arguments:?}");
        let run = more.run(arguments);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains(&format!("warning: {kept}")), "{}", run.err);
        let quiet = more.run(&[arguments, &["--quiet"]].concat());
        assert_eq!((quiet.code, &*quiet.err), (1, ""));
    }
    all.write("more.etl", &std::fs::read(more.path().join(TRACE)).unwrap());
    let run = all.run(&["diff", TRACE, "more.etl", "--only", "rpc"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(run.err.matches(kept).count(), 1, "{}", run.err);
}

/// Events of one request of HTTP.sys, of which 256 are kept as stages.
fn of_one_request(events: i64) -> Folder {
    const SERVER: Guid = Guid::new(0xdd5e_f90a_6398_47a4_ad34_4dce_cdef_795f);
    let event = |at: i64| {
        let event = ModernEvent::new(SERVER).id(1).task(1).activity(Guid::new(1 << 96 | 0xfb00_0000));
        event.at(LogfileHeader::default().after(10 * at)).by(400, 8)
    };
    trace_of((1..=events).map(event))
}

#[test]
fn events_of_a_request_without_room_are_in_the_exit_code() {
    let warning = "warning: 44 events not in the stages of their requests: there are more than are kept";
    for (events, code) in [(256, 0), (300, 1)] {
        let run = of_one_request(events).run(&["requests", TRACE, "-f", "jsonl"]);
        assert_eq!((run.code, run.err.contains(warning)), (code, code == 1), "{}", run.err);
        assert_eq!(run.out.contains(r#"{"more":44}"#), code == 1, "{}", run.out);
    }
}
