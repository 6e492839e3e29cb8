//! Why there is no row and no event, and what looks unintended in conditions.

use etwkit_synth::event::PointerSize;
use etwkit_synth::{Buffer, ClassicEvent, Guid, LogfileHeader, Payload, TraceBuilder};

use super::Folder;

/// What a run that succeeds prints on stderr.
fn said(folder: &Folder, arguments: &[&str]) -> String {
    let run = folder.run(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
    assert_eq!(folder.run(&[arguments, &["-q"]].concat()).err, "", "{arguments:?}");
    run.err
}

#[test]
fn conditions_that_no_row_meets_are_noted() {
    let folder = Folder::with(&["hello.etl", "http-sys.etl"]);
    let table = ["table", "hello.etl", "-p", "synth.*", "-w"];
    let none = |rows: u64| format!("note: none of {rows} rows meets the conditions\n");
    assert_eq!(said(&folder, &[&table[..], &["Data2 == 99"]].concat()), none(8));
    let meant = "warning: --where: no row has the EventName `HelloWorlt`: did you mean `HelloWorld`?\n";
    assert_eq!(said(&folder, &[&table[..], &["EventName == HelloWorlt"]].concat()), format!("{meant}{}", none(8)));
    let verb = said(&folder, &["requests", "http-sys.etl", "-w", "verb == GTE"]);
    let meant = "warning: --where: no row has the verb `GTE`: did you mean `GET`?\n";
    assert!(verb.starts_with(&format!("{meant}{}", none(5))), "{verb}");
    let count = said(&folder, &["count", "hello.etl", "-g", "event", "-w", "events > 100"]);
    assert_eq!(count, none(6));
    assert_eq!(said(&folder, &["count", "hello.etl", "-g", "event", "-w", "events > 2"]), "");
    assert_eq!(said(&folder, &[&table[..], &["EventName == HelloWorld"]].concat()), "");
}

#[test]
fn the_order_of_numbers_and_text_is_warned_of() {
    let folder = Folder::with(&["hello.etl", "http-sys.etl"]);
    let warned = |arguments: &[&str]| {
        let said = said(&folder, arguments);
        said.lines().filter_map(|line| line.strip_prefix("warning: --where: ").map(str::to_owned)).collect::<Vec<_>>()
    };
    let dump = |condition: &str| warned(&["dump", "hello.etl", "--count", "-w", condition]);
    let text = |name: &str| vec![format!("`{name}` is text: it is compared with 5 as text, not as a number")];
    let number = |name: &str| vec![format!("`{name}` is a number, `few` is not: they are compared as text")];
    assert_eq!(dump("process > 5"), text("process"));
    assert_eq!(dump("event <= 5"), text("event"));
    assert_eq!(dump("BuildString > 5"), text("BuildString"));
    assert_eq!(dump("pid > few"), number("pid"));
    assert_eq!(dump("BufferSize > few"), number("BufferSize"));
    assert_eq!(dump("fields.BufferSize >= 'few'"), number("BufferSize"));
    for right in ["pid == few", "pid != few", "pid not in (4, few)", "pid in ('4', 'few')"] {
        assert_eq!(dump(right), number("pid"), "{right}");
    }
    assert_eq!(dump("level <= 'few'"), number("level"));
    assert_eq!(dump("level == FEW"), ["`level` is a number, `FEW` is not: they are compared as text"]);
    for right in
        ["pid == '4'", "pid == '0x4'", "level == 'error'", "level in (info, 'TRACE_LEVEL_ERROR')", "process == 5"]
    {
        assert_eq!(dump(right), [""; 0], "{right}");
    }
    for right in
        ["pid > 5", "level <= info", "BufferSize > 0x10", "BuildString > 'a'", "task < zz", "EndTime > 2026-01-01"]
    {
        assert_eq!(dump(right), [""; 0], "{right}");
    }
    assert_eq!(warned(&["requests", "http-sys.etl", "-w", "url > 5"]), text("url"));
    assert_eq!(warned(&["requests", "http-sys.etl", "-w", "total_ms > few"]), number("total_ms"));
    assert_eq!(warned(&["requests", "http-sys.etl", "-w", "total_ms == few"]), number("total_ms"));
    assert_eq!(warned(&["requests", "http-sys.etl", "-w", "total_ms > 0 and status > 1 and url > a"]), [""; 0]);
}

#[test]
fn options_that_leave_nothing_are_named() {
    let folder = Folder::with(&["hello.etl", "http-sys.etl"]);
    for command in ["dump", "table"] {
        assert_eq!(said(&folder, &[command, "hello.etl", "--first", "0"]), "note: --first 0 leaves no event\n");
        assert_eq!(said(&folder, &[command, "hello.etl", "--last", "0"]), "note: --last 0 leaves no event\n");
    }
    assert_eq!(said(&folder, &["count", "hello.etl", "--first", "0"]), "note: --first 0 leaves no row\n");
    assert!(
        said(&folder, &["requests", "http-sys.etl", "--first", "0"]).starts_with("note: --first 0 leaves no row\n")
    );
    let late = "the last one is at 2026-01-02T03:04:05.0900000Z (+0.0900000s), before the time that is wanted\n";
    for command in ["dump", "table", "count"] {
        let late = format!("note: none of 11 events: {late}");
        assert_eq!(said(&folder, &[command, "hello.etl", "--since", "+1000s"]), late);
        assert_eq!(said(&folder, &[command, "hello.etl", "--since", "2027-01-01T00:00:00Z"]), late);
        let early = "the first one is at 2026-01-02T03:04:05.0000000Z (+0.0000000s), after the time that is wanted\n";
        let early = format!("note: none of 11 events: {early}");
        assert_eq!(said(&folder, &[command, "hello.etl", "--until", "2025-01-01T00:00:00Z"]), early);
    }
    let requests = said(&folder, &["requests", "http-sys.etl", "--since", "+1000s"]);
    assert!(requests.starts_with("note: no requests: of all events, the last one is at 2006-09-06T"), "{requests}");
    let none = said(&folder, &["dump", "hello.etl", "--id", "999"]);
    assert_eq!(none, "note: none of 11 events meets the conditions: `etwkit count` lists the events\n");
}

/// `stack` is a part of the header, and field of the events that stacks come in.
#[test]
fn a_name_of_the_header_that_is_a_field_is_noted() {
    let folder = Folder::with(&["kernel-stacks.etl", "hello.etl"]);
    let said = |condition: &str| said(&folder, &["dump", "kernel-stacks.etl", "--count", "-w", condition]);
    let note = "note: --where: `stack` is the field of the payload in events that have one of that name: the part of the \
                header is `header.stack`, the field alone `fields.stack`\n";
    assert_eq!(said("has stack"), note);
    for clear in ["has header.stack or pid >= 0", "has fields.stack", "has Stack", "FileName == x or pid > 0"] {
        assert_eq!(said(clear), "", "{clear}");
    }
}

/// Each class of classic events has a GUID of its own.
#[test]
fn providers_are_listed_once() {
    let class = |first: u128| Guid::new(0x3d6f_a800_fe05_11d0_9dda_00c0_4fd7_ba7c | (first << 96));
    let event = |class| ClassicEvent::new(PointerSize::Eight, class, 1).version(3).payload(Payload::new());
    let buffer = Buffer::on(0).event(event(class(0xd0))).event(event(class(0xd1))).event(event(class(0xd1)));
    let folder = Folder::with(&[]);
    folder.write("kernel.etl", &TraceBuilder::new(LogfileHeader::default()).buffer(buffer).build().bytes);
    for command in [&["requests", "kernel.etl"][..], &["pcap", "kernel.etl", "-o", "none.pcapng"]] {
        let run = folder.run(command);
        assert_eq!(run.code, 2);
        assert!(run.err.ends_with("hint: the providers there are: Windows Kernel (3 events)\n"), "{}", run.err);
    }
}

#[test]
fn a_column_is_named_once() {
    let folder = Folder::with(&["hello.etl"]);
    let refused = |arguments: &[&str]| {
        let run = folder.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        run.err
    };
    let twice =
        |option: &str, name: &str, hint: &str| format!("error: {option}: `{name}` is given twice\nhint: {hint}\n");
    assert_eq!(
        refused(&["dump", "hello.etl", "--fields", "pid,PID"]),
        twice("--fields", "PID", "`pid` means the same in this trace: name it once")
    );
    assert_eq!(
        refused(&["count", "hello.etl", "--group-by", "ProcessId,event,pid"]),
        twice("--group-by", "pid", "`ProcessId` means the same in this trace: name it once")
    );
    let table = |fields: &str| refused(&["table", "hello.etl", "--fields", fields]);
    assert_eq!(table("time,TIME"), twice("--fields", "TIME", "`time` means the same"));
    assert_eq!(table("time,time"), twice("--fields", "time", "name it once"));
    let head = |fields: &str| {
        let csv =
            folder.output(&["table", "hello.etl", "-p", "synth.greeter", "-f", "csv", "-n", "1", "--fields", fields]);
        csv.lines().next().unwrap().to_owned()
    };
    assert_eq!(head("Data1,Data*,time"), "Data1,Data2,Data3,Data4,time");
    assert_eq!(head("Data*,Data1"), "Data2,Data3,Data4,Data1");
}
