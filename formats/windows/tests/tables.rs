//! Events of tables in the words of Windows: names of values, hidden fields, messages; and events of which only the
//! names are known.
#![allow(clippy::unwrap_used, reason = "helpers of tests, which clippy does not count as tests")]

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::RawEvent;
use etwkit::input::Input;
use etwkit::output::{LineFormat, LineSink};
use etwkit::parser::{Claims, Parsers, SchemaProvider, SchemaTables, TraceFacts};
use etwkit::schema::{Names, Schema, SchemaSource};
use etwkit::trace::{RunOptions, Trace};
use etwkit_synth::{Buffer, ClassicEvent, Event, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};
use etwkit_windows_formats::{TracerptCsv, Twapi, TwapiField, XmlEvents};

const PROVIDER: u128 = 0x00112233_4455_6677_8899_aabbccddeeff;

static CLAIMS: [Guid; 1] = [Guid::from_u128(PROVIDER)];

static OURS: SchemaTables = SchemaTables::built_in(
    "ours",
    &CLAIMS,
    &["provider \"Ours\" {00112233-4455-6677-8899-aabbccddeeff}\n\
       map Kinds values {\n0x1 \"One\"\n0x2 \"Two\"\n}\n\
       map Flags bits {\n0x1 \"A\"\n0xff00 \"\"\n}\n\
       event id 1 Own task \"OwnTask\" message \"own\" {\n\
       Flags u32 map Flags\nHigh bits[Flags 8..15]\nReason u32 map Kinds\nKind u32 map Kinds\nPad u32 as hidden\n\
       Count u16 as hidden\nSize u32 as hex\n}"],
);
static THEIRS: SchemaTables = SchemaTables::new(
    "theirs",
    SchemaSource::USER,
    &CLAIMS,
    &["provider \"Theirs\" {00112233-4455-6677-8899-aabbccddeeff}\n\
       map Kinds values {\n0x1 \"Single\"\n}\n\
       event id 1 Start task \"TheirTask\" channel \"Theirs/Analytic\" keyword 0x10 \"TheirKeyword\"\n\
       message \"F=%1;R=%2;K=%3;P=%4;C=%5;S=%6\" {\n\
       Flags u32 as hex\nReason u32\nKind u32 map Kinds\nPad u32\nCount u16\nSize u32\n}"],
);

fn event() -> Event {
    let payload = Payload::new().u32(0x0101).u32(1).u32(1).u32(7).u16(8).u32(171);
    let event = ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(1).channel(16).task(3).keyword(0x10);
    event.payload(payload).at(LogfileHeader::default().t0 + 1_000).into()
}

fn trace(event: Event, parsers: Parsers) -> Trace {
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).event(event)).build().bytes;
    Trace::open(Input::bytes("made", bytes), parsers).unwrap()
}

/// Returns what a format writes of the event after the trace's header.
fn last_line(format: impl LineFormat, event: Event, parsers: Parsers) -> String {
    let trace = trace(event, parsers);
    let mut sink = LineSink::with_format(&trace, format, Vec::new());
    trace.run(&RunOptions::default(), &mut sink).unwrap();
    String::from_utf8(sink.finish().unwrap()).unwrap().lines().last().unwrap().to_owned()
}

fn xml(event: Event, parsers: Parsers) -> String {
    let trace = trace(event, parsers);
    let mut sink = XmlEvents::new(&trace, Vec::new());
    trace.run(&RunOptions::default(), &mut sink).unwrap();
    String::from_utf8(sink.finish().unwrap()).unwrap().rsplit_once("<Event ").unwrap().1.to_owned()
}

fn both() -> Parsers {
    Parsers::none().with(&OURS).with(&THEIRS)
}

#[test]
fn values_have_the_names_of_windows_or_none() {
    let xml = xml(event(), both());
    let data: Vec<_> = xml.lines().filter_map(|line| line.trim().strip_prefix("<Data Name=")).collect();
    assert_eq!(
        data,
        [
            "\"Flags\">0x101</Data>",
            "\"Reason\">       1</Data>",
            "\"Kind\">Single </Data>",
            "\"Pad\">       7</Data>",
            "\"Count\">8</Data>",
            "\"Size\">     171</Data>"
        ]
    );
    let csv = last_line(TracerptCsv::default(), event(), both());
    assert!(csv.ends_with("0x101,        1, Single ,        7, 8,      171"), "{csv}");
    let twapi = last_line(Twapi::default().fields([TwapiField::Properties]), event(), both());
    assert_eq!(twapi, "Flags 0x101 Reason 1 Kind Single Pad 7 Count 8 Size 171");
}

#[test]
fn messages_have_the_values_of_windows() {
    let message = "F=0x101;R=1;K=Single;P=7;C=8;S=171";
    let xml = xml(event(), both());
    assert!(xml.contains(&format!("<Message>{message} </Message>")), "{xml}");
    assert_eq!(last_line(Twapi::default().fields([TwapiField::Message]), event(), both()), message);
}

#[test]
fn twapi_has_the_words_of_windows() {
    let fields = [TwapiField::ChannelName, TwapiField::Keywords, TwapiField::TaskName];
    let line = last_line(Twapi::default().fields(fields), event(), both());
    assert_eq!(line, "Theirs/Analytic,TheirKeyword,TheirTask");
}

/// Knows the name of each event.
#[derive(Clone, Debug)]
struct NamesAlone;

impl SchemaProvider for NamesAlone {
    fn name(&self) -> &'static str {
        "names-alone"
    }

    fn claims(&self) -> Claims {
        Claims::provider(CLAIMS[0])
    }

    fn schema(&self, _: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        Schema::names_only(Names::default().task("Door"), SchemaSource::USER.into()).map(Some)
    }
}

#[test]
fn a_name_alone_is_no_layout() {
    let properties = || Twapi::default().fields([TwapiField::Properties]);
    let names = || Parsers::none().with(NamesAlone);
    let digits = "010100000100000001000000070000000800AB000000";
    let shown = xml(event(), names());
    assert!(shown.contains("<ErrorCode>15003</ErrorCode>") && !shown.contains("EventData>"), "{shown}");
    assert!(shown.contains(&format!("<EventPayload>{digits}</EventPayload>")), "{shown}");
    assert_eq!(last_line(properties(), event(), names()), format!("_userdata {}", digits.to_lowercase()));
    assert!(last_line(TracerptCsv::default(), event(), names()).ends_with(&format!(", 0x{digits}")));
    let classic = || {
        let event = ClassicEvent::new(PointerSize::Eight, etwkit_synth::Guid::new(PROVIDER), 54)
            .payload(Payload::new().u16(0xCAFE));
        Event::from(event.at(LogfileHeader::default().t0 + 1_000))
    };
    assert!(xml(classic(), names()).contains("\t<BinaryEventData>FECA</BinaryEventData>\n"));
    assert_eq!(last_line(properties(), classic(), names()), "_mofdata feca");
    assert_eq!(trace(classic(), names()).decoded().0, trace(classic(), Parsers::none()).decoded().0);
}

#[test]
fn a_schema_without_fields_is_a_layout() {
    static EMPTY: SchemaTables = SchemaTables::new(
        "empty",
        SchemaSource::USER,
        &CLAIMS,
        &["provider {00112233-4455-6677-8899-aabbccddeeff}\nevent id 1 { }"],
    );
    let event = ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(1).at(LogfileHeader::default().t0 + 1_000);
    assert!(xml(event.into(), Parsers::none().with(&EMPTY)).contains("\t<EventData>\n\t</EventData>\n"));
}

#[test]
fn surplus_of_a_classic_event_is_called_as_its_payload() {
    static CLASS: SchemaTables = SchemaTables::new(
        "class",
        SchemaSource::USER,
        &CLAIMS,
        &["class \"Sample\" {00112233-4455-6677-8899-aabbccddeeff}\nevent opcode 1 {\nA u8\nIsOpen u8 as bool\n}"],
    );
    let event = ClassicEvent::new(PointerSize::Eight, etwkit_synth::Guid::new(PROVIDER), 1)
        .payload(Payload::new().bytes(&[7, 1, 0xAB]));
    let event = || Event::from(event.clone().at(LogfileHeader::default().t0 + 1_000));
    let parsers = || Parsers::none().with(&CLASS);
    let line = last_line(Twapi::default().fields([TwapiField::Properties]), event(), parsers());
    assert_eq!(line, "A 7 IsOpen true _mofdata ab");
    // Only classes of the kernel have numbers in place of truth values.
    assert!(xml(event(), parsers()).contains("<Data Name=\"IsOpen\">true</Data>"));
}
