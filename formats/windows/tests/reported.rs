//! Reports have the names and appearances that Windows has registered, where a table of ours has others.
#![allow(clippy::unwrap_used, reason = "helpers of tests, which clippy does not count as tests")]

use etwkit::bytes::Guid;
use etwkit::input::Input;
use etwkit::parser::{Parsers, SchemaTables};
use etwkit::schema::SchemaSource;
use etwkit::trace::{RunOptions, Trace};
use etwkit_synth::{Buffer, LogfileHeader, ModernEvent, Payload, TraceBuilder};
use etwkit_windows_formats::XmlEvents;

const PROVIDER: u128 = 0x00112233_4455_6677_8899_aabbccddeeff;

static CLAIMS: [Guid; 1] = [Guid::from_u128(PROVIDER)];
/// A table of ours.
static OURS: SchemaTables = SchemaTables::built_in(
    "ours",
    &CLAIMS,
    &["provider {00112233-4455-6677-8899-aabbccddeeff}\nevent id 1 {\n\
       size u32\ncount u32 as hex\nat ptr as hex\npad u16 as hidden\nname utf16\n}"],
);
/// What another source has of the same event.
static THEIRS: SchemaTables = SchemaTables::new(
    "theirs",
    SchemaSource::USER,
    &CLAIMS,
    &["provider {00112233-4455-6677-8899-aabbccddeeff}\nevent id 1 {\n\
       Size u32 as hex\nCount u32\nAddress ptr\nReserved u16\nName utf16 as hidden\n}"],
);

/// Returns the `<Data>` elements of the event with id 1.
fn data(parsers: Parsers) -> Vec<String> {
    let payload = Payload::new().u32(20).u32(31).u64(0xABC).u16(7).utf16z("x");
    let event = ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(1).payload(payload);
    let header = LogfileHeader::default();
    let event = event.at(header.t0 + 1_000);
    let bytes = TraceBuilder::new(header).buffer(Buffer::on(0).event(event)).build().bytes;
    let trace = Trace::open(Input::bytes("made", bytes), parsers).unwrap();
    let mut sink = XmlEvents::new(&trace, Vec::new());
    trace.run(&RunOptions::default(), &mut sink).unwrap();
    let xml = String::from_utf8(sink.finish().unwrap()).unwrap();
    let event = xml.split("<Event ").find(|event| event.contains("<EventID>1</EventID>")).unwrap();
    event.lines().filter_map(|line| line.trim().strip_prefix("<Data Name=")).map(str::to_owned).collect()
}

#[test]
fn what_has_no_schema_is_an_error_of_a_known_provider_or_bytes() {
    static NAMED: SchemaTables = SchemaTables::new(
        "named",
        SchemaSource::USER,
        &CLAIMS,
        &["provider \"Sample\" {00112233-4455-6677-8899-aabbccddeeff}\nevent id 2 {\nsize u32\n}"],
    );
    let whole = |parsers: Parsers| {
        let known = ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(2).payload(Payload::new().u32(7));
        let event = ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(1).payload(Payload::new().u16(0xCAFE));
        let header = LogfileHeader::default();
        let events = Buffer::on(0).event(known.at(header.t0 + 1_000)).event(event.at(header.t0 + 2_000));
        let bytes = TraceBuilder::new(header).buffer(events).build().bytes;
        let trace = Trace::open(Input::bytes("made", bytes), parsers).unwrap();
        let mut sink = XmlEvents::new(&trace, Vec::new());
        trace.run(&RunOptions::default(), &mut sink).unwrap();
        let xml = String::from_utf8(sink.finish().unwrap()).unwrap();
        xml.rsplit_once("\t</System>\n").unwrap().1.to_owned()
    };
    let end = "</Event>\n</Events>\n";
    assert_eq!(whole(Parsers::none()), format!("\t<BinaryEventData>FECA</BinaryEventData>\n{end}"));
    assert_eq!(
        whole(Parsers::none().with(&NAMED)),
        format!(
            "\t<ProcessingErrorData>\n\t\t<ErrorCode>15003</ErrorCode>\n\t\t<DataItemName></DataItemName>\n\
             \t\t<EventPayload>FECA</EventPayload>\n\t</ProcessingErrorData>\n{end}"
        )
    );
}

#[test]
fn fields_are_called_and_look_as_windows_reports_them() {
    assert_eq!(
        data(Parsers::none().with(&OURS)),
        ["\"size\">      20</Data>", "\"count\">0x1F</Data>", "\"at\">0xABC</Data>", "\"name\">x</Data>"]
    );
    assert_eq!(
        data(Parsers::none().with(&OURS).with(&THEIRS)),
        ["\"Size\">0x14</Data>", "\"Count\">      31</Data>", "\"Address\">0xABC</Data>", "\"Reserved\">7</Data>"]
    );
}
