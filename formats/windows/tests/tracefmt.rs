//! Lines as tracefmt prints them.
#![allow(clippy::unwrap_used, reason = "helpers of tests, which clippy does not count as tests")]

use etwkit::input::Input;
use etwkit::output::LineSink;
use etwkit::parser::Parsers;
use etwkit::schema::Names;
use etwkit::trace::{RunOptions, Trace};
use etwkit_synth::event::option;
use etwkit_synth::{Buffer, Guid, LogfileHeader, MessageEvent, Payload, TraceBuilder};
use etwkit_windows_formats::Tracefmt;
use etwkit_wpp::{DEFAULT_PREFIX, Symbols, Wpp};

/// The message GUID of the traces here.
const GUID: u128 = 0x2363c985_9b6e_3283_34a7_e8c27a60b889;

const TEXT: &str = "#typev made_c17 10 \"%0 [%!FUNC!] 100%% of %10!s!\\n\" // LEVEL=TRACE_LEVEL_ERROR FLAGS=MAIN FUNC=f\n{\ns, ItemString -- 10\n}\n";

/// Returns a TMF text with these definitions in a component.
fn text(component: &str, definitions: &str) -> String {
    format!("{} {component} // SRC=made.c MJ= MN=\n{definitions}", Guid::new(GUID))
}

fn trace(events: impl IntoIterator<Item = MessageEvent>, text: &str) -> Trace {
    let header = LogfileHeader { buffer_size: 1 << 16, ..LogfileHeader::default() };
    let buffer = Buffer::on(3).events(events);
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    open(Input::bytes("made", bytes), text)
}

fn open(input: Input, text: &str) -> Trace {
    let mut symbols = Symbols::default();
    symbols.add_text(text);
    Trace::open(input, Parsers::none().with(Wpp::new(symbols))).unwrap()
}

fn lines(trace: &Trace, prefix: Option<&'static str>) -> String {
    let format = match prefix {
        Some(prefix) => Tracefmt::default().prefix(move |names| etwkit_wpp::prefix(prefix, names)),
        None => Tracefmt::default(),
    };
    let mut sink = LineSink::with_format(trace, format, Vec::new());
    trace.run(&RunOptions::default().threads(1), &mut sink).unwrap();
    String::from_utf8(sink.finish().unwrap()).unwrap()
}

fn message(number: u16) -> MessageEvent {
    MessageEvent::new(Guid::new(GUID), number)
}

/// Two messages, the second with an escape sequence, and one without a definition.
fn three_messages() -> Trace {
    let known = |time: i64, text: &str| {
        let event = message(10).options(option::USUAL | option::SEQUENCE).sequence(9);
        event.at(722_450_000_000 + time * 10_000).by(0x11F0, 0x1A3C).payload(Payload::new().ansi_z(text))
    };
    let unknown = message(99).at(722_450_050_000).by(1, 2).payload(Payload::new().u16(0xABCD));
    trace([known(1, "one"), known(2, "two\u{1b}[2J"), unknown], &text("made", TEXT))
}

#[test]
fn the_usual_prefix() {
    let lines = lines(&three_messages(), None);
    let expected = [
        "[3]11F0.1A3C::01/02/2026-03:04:05.679 [made] [f] 100% of one",
        "[3]11F0.1A3C::01/02/2026-03:04:05.680 [made] [f] 100% of two\\u{1b}[2J",
        "[3]0001.0002::01/02/2026-03:04:05.683 [Unknown]Unknown( 99): GUID=2363c985-9b6e-3283-34a7-e8c27a60b889 (no format information found) arguments=cdab",
    ];
    let without_time = |line: &str| {
        let (ids, rest) = line.split_once("::").unwrap();
        format!("{ids}{}", rest.split_at(rest.find(' ').unwrap()).1)
    };
    let found: Vec<_> = lines.lines().map(without_time).collect();
    assert_eq!(found, expected.map(without_time));
    let time = lines.split("::").nth(1).unwrap().split(' ').next().unwrap();
    let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    assert_eq!(shape, "99/99/9999-99:99:99.999");
}

#[test]
fn the_usual_prefix_is_that_of_tracefmt() {
    assert_eq!(lines(&three_messages(), None), lines(&three_messages(), Some(DEFAULT_PREFIX)));
}

#[test]
fn a_prefix_of_ones_own() {
    let lines = lines(&three_messages(), Some("%!LEVEL!|%!FLAGS!|%2!s!|%!FILE!:%!LINE!|%7!03d!|%8!d!|"));
    assert_eq!(lines.lines().next(), Some("TRACE_LEVEL_ERROR|MAIN|made_c17|made.c:17|009|4592| [f] 100% of one"));
}

#[test]
fn a_component_cannot_command_the_terminal_even_if_the_user_does() {
    let trace = trace([message(10)], &text("ma\u{1b}[2Jde", "#typev a_c1 10 \"text\"\n{\n}\n"));
    let line = lines(&trace, None);
    assert!(line.ends_with("[ma\\u{1b}[2Jde]text\n"), "{line}");
    let line = lines(&trace, Some("\u{1b}[1m%1!s!\u{1b}[0m "));
    assert_eq!(line, "\u{1b}[1mma\\u{1b}[2Jde\u{1b}[0m text\n");
}

#[test]
fn of_a_misfitting_definition_what_fits_is_shown() {
    let definition = "#typev made_c1 10 \"%0a=%10!d! b=%11!d! c=%12!d!\"\n{\na, ItemLong -- 10\nb, ItemLong -- 11\nc, ItemLong -- 12\n}\n";
    let short = message(10).at(722_450_000_001).payload(Payload::new().i32(7).u16(1));
    let long = message(10).at(722_450_000_002).payload(Payload::new().i32(1).i32(2).i32(3).u8(0xEE));
    let lines = lines(&trace([short, long], &text("made", definition)), Some(""));
    assert_eq!(lines, "a=7 b=%11 c=%12 [misfit: b] [extra: 0100]\na=1 b=2 c=3 [extra: ee]\n");
}

#[test]
fn without_definitions_messages_are_written_with_their_arguments() {
    let Some(path) = etwkit_corpus::path("wpp/wppstr-sample.etl") else { return };
    let lines = lines(&open(Input::open(path).unwrap(), ""), None);
    let first = "[Unknown]Unknown( 10): GUID=744151fd-b3f4-32e6-38eb-0fd11e3fb62d (no format information found) arguments=616c7068610000000000\n";
    assert!(lines.contains(first), "{lines}");
}

#[test]
fn a_prefix_is_made_once_for_each_schema() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let format = Tracefmt::default().prefix(move |names: &Names| {
        count.fetch_add(1, Ordering::Relaxed);
        etwkit_wpp::prefix("%1!s!", names)
    });
    let trace = three_messages();
    let mut sink = LineSink::with_format(&trace, format, Vec::new());
    trace.run(&RunOptions::default().threads(1), &mut sink).unwrap();
    assert!(String::from_utf8(sink.finish().unwrap()).unwrap().starts_with("made [f]"));
    // Once for the schema, and once for all events without one.
    assert_eq!(made.load(Ordering::Relaxed), 2);
}
