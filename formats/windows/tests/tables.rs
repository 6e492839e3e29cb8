//! Events of which only the names are known.
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
    let payload = event().bytes.len() - 22;
    let digits: String = event().bytes[payload..].iter().map(|byte| format!("{byte:02X}")).collect();
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
