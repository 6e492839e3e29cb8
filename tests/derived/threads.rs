//! The processes of threads that an event is about beside its own.

use etwkit::trace::Trace;
use etwkit_synth::{Event, LogfileHeader, Payload, SystemEvent, kernel};

use super::{EIGHT, json, rows, trace_of};

/// A thread of a process: a start, or that of a rundown.
fn thread(hook: u16, pid: u32, tid: u32) -> SystemEvent {
    let stacks = (0..7).fold(Payload::new().u32(pid).u32(tid), |payload, _| payload.ptr(EIGHT, 0));
    SystemEvent::system(EIGHT, hook).version(3).payload(stacks.u32(0).u8(8).u8(5).u8(2).u8(0))
}

/// Two processes with a thread each; threads are switched, started and made ready.
fn trace() -> Trace {
    let header = LogfileHeader::default();
    let process = |pid: u32, name: &str| kernel::process(EIGHT, 0x0303, pid, name, "").at(header.after(1));
    let known = |pid: u32, tid: u32| thread(0x0503, pid, tid).at(header.after(2));
    let switch = |at: i64, new: u32, old: u32| {
        let payload = Payload::new().u32(new).u32(old).zeros(8).u32(3).u32(0);
        SystemEvent::perfinfo(EIGHT, 0x0524).version(4).payload(payload).at(header.after(at))
    };
    let ready = Payload::new().u32(204).zeros(4);
    let ready = SystemEvent::perfinfo(EIGHT, 0x0532).version(2).payload(ready).at(header.after(30));
    let start = thread(0x0501, 200, 208).at(header.after(40)).by(100, 104);
    let facts = [process(100, "a.exe"), process(200, "b.exe"), known(100, 104), known(200, 204)];
    let events = [switch(10, 104, 204), switch(20, 999, 104), ready, start];
    trace_of(&header, facts.into_iter().chain(events).map(Event::from))
}

#[test]
fn a_context_switch_has_two_processes() {
    let trace = trace();
    let switches = "event == Thread/CSwitch";
    let expected = [
        r#""old_pid":200,"old_process":"b.exe","new_pid":100,"new_process":"a.exe""#,
        r#""old_pid":100,"old_process":"a.exe""#,
    ];
    assert_eq!(json(&trace, switches), expected);
    let baseline = "OldProcessID,OldProcessName,NewProcessID,NewProcessName";
    assert_eq!(
        rows(&trace, baseline, "old_process == b.exe and new_process == a.exe and process == a.exe"),
        "{\"OldProcessID\":200,\"OldProcessName\":\"b.exe\",\"NewProcessID\":100,\"NewProcessName\":\"a.exe\"}\n"
    );
    assert_eq!(rows(&trace, "raw_time,new_pid", "has new_pid").lines().count(), 1);
    assert_eq!(rows(&trace, "old_pid", "old_pid in (100, 7)"), "{\"old_pid\":100}\n");
}

#[test]
fn a_thread_that_gets_ready_has_its_process() {
    let trace = trace();
    let expected = r#""awakened_pid":200,"awakened_process":"b.exe""#;
    assert_eq!(json(&trace, "awakened_process == b.exe"), [expected]);
    let row = rows(&trace, "event,AwakenedProcessID", "has AwakenedProcessID");
    assert_eq!(row, "{\"event\":\"Dispatcher/ReadyThread\",\"AwakenedProcessID\":200}\n");
}

#[test]
fn a_thread_that_starts_has_the_one_that_started_it() {
    let trace = trace();
    assert_eq!(json(&trace, "event == Thread/Start"), [r#""parent_pid":100,"parent_tid":104"#]);
    let row = rows(&trace, "pid,process,ParentProcessID,ParentThreadID", "has parent_pid");
    assert_eq!(row, "{\"pid\":200,\"process\":\"b.exe\",\"ParentProcessID\":100,\"ParentThreadID\":104}\n");
}

#[test]
fn a_handle_has_the_name_of_its_object() {
    let header = LogfileHeader::default();
    let named =
        Payload::new().ptr(EIGHT, 0xffff_8000_0000_1230).u32(100).u32(0x24).u16(16).utf16z(r"\BaseNamedObjects\m");
    let named = SystemEvent::system(EIGHT, 0x1126).version(2).payload(named).at(header.after(1));
    let create = Payload::new().ptr(EIGHT, 0xffff_8000_0000_1230).u32(0x28).u16(16);
    let create = SystemEvent::system(EIGHT, 0x1120).version(2).payload(create).at(header.after(2)).by(100, 104);
    let trace = trace_of(&header, [named, create].map(Event::from));
    assert_eq!(json(&trace, "event == Object/CreateHandle"), [r#""object_name":"\\BaseNamedObjects\\m""#]);
    assert_eq!(rows(&trace, "event", "object_name ~ 'm$'").lines().count(), 2);
}
