//! `HTTP_Server.etl` with `HTTP_Server.man` against `HTTP_Server.evtx`, which Windows made of the same events.
//!
//! The `.evtx` has numbers and fields, no rendered messages: of these the test checks that every insert finds its
//! field.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

use std::collections::BTreeMap;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, FieldView, Fit, Value};
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::render::write_message;
use etwkit::schema::MessagePart;
use etwkit::trace::{RunOptions, Trace};
use etwkit_manifest::Manifests;
use etwkit_synth::{Buffer, LogfileHeader, ModernEvent, Payload, TraceBuilder};
use etwkit_windows_formats::XmlEvents;
use evtx::EvtxParser;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event as XmlEvent};
use quick_xml::reader::Reader;

/// A record of the `.evtx`, as text.
#[derive(Debug, Default)]
struct Record {
    /// Elements with a text, and attributes as `Element.Attribute`.
    system: BTreeMap<String, String>,
    /// Name and text of each `<Data>`, in order.
    data: Vec<(String, String)>,
    /// The payload, if Windows could not decode it.
    payload: Option<String>,
}

impl Record {
    fn read(xml: &str) -> Self {
        let mut reader = Reader::from_str(xml);
        let mut record = Self::default();
        let (mut element, mut name, mut text) = (String::new(), String::new(), String::new());
        loop {
            match reader.read_event().unwrap() {
                XmlEvent::Start(tag) => {
                    element = tag.local_name().into_inner().into();
                    name = record.attributes(&element, &tag);
                    text.clear();
                }
                XmlEvent::Empty(tag) => {
                    element = tag.local_name().into_inner().into();
                    let name = record.attributes(&element, &tag);
                    if element == "Data" {
                        record.data.push((name, String::new()));
                    }
                }
                XmlEvent::Text(part) => text.push_str(&part.xml10_content()),
                XmlEvent::GeneralRef(part) => match part.resolve_char_ref().unwrap() {
                    Some(c) => text.push(c),
                    None => text.push_str(quick_xml::escape::resolve_predefined_entity(&part.into_inner()).unwrap()),
                },
                XmlEvent::End(tag) => {
                    let closed = tag.local_name().into_inner().to_owned();
                    if closed == element {
                        record.close(&element, &name, &text);
                    }
                    element.clear();
                }
                XmlEvent::Eof => return record,
                _ => {}
            }
        }
    }

    /// Takes the attributes; returns the one called `Name`.
    fn attributes(&mut self, element: &str, tag: &BytesStart<'_>) -> String {
        let mut name = String::new();
        for attribute in tag.attributes() {
            let attribute = attribute.unwrap();
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).unwrap().into_owned();
            if attribute.key.into_inner() == "Name" {
                name.clone_from(&value);
            }
            self.system.insert(format!("{element}.{}", attribute.key.into_inner()), value);
        }
        name
    }

    fn close(&mut self, element: &str, name: &str, text: &str) {
        match element {
            "Data" => self.data.push((name.to_owned(), text.to_owned())),
            "EventPayload" => self.payload = Some(text.to_owned()),
            _ => {
                self.system.insert(element.to_owned(), text.to_owned());
            }
        }
    }

    fn number(&self, name: &str) -> u64 {
        number(&self.system[name]).unwrap()
    }

    fn guid(&self, name: &str) -> Option<Guid> {
        self.system.get(name).map(|text| text.parse::<Guid>().unwrap()).filter(|guid| !guid.is_null())
    }

    /// FILETIME of `2011-01-23T22:07:27.2257591Z`.
    fn time(&self) -> i64 {
        let text = &self.system["TimeCreated.SystemTime"];
        let at = |range: std::ops::Range<usize>| text[range].parse::<i64>().unwrap();
        assert_eq!(&text[..8], "2011-01-", "{text}");
        // Days from 1601 to January 2011.
        let days = 149_749 + at(8..10) - 1;
        let seconds = days * 86_400 + at(11..13) * 3600 + at(14..16) * 60 + at(17..19);
        seconds * 10_000_000 + at(20..27)
    }
}

fn number(text: &str) -> Option<u64> {
    text.strip_prefix("0x").map_or_else(|| text.parse(), |hex| u64::from_str_radix(hex, 16)).ok()
}

fn records() -> Option<Vec<Record>> {
    let mut parser = EvtxParser::from_path(etwkit_corpus::folder()?.join("tx/HTTP_Server.evtx")).unwrap();
    let mut records: Vec<_> = parser.records().map(|record| Record::read(&record.unwrap().data)).collect();
    records.sort_by_key(|record| record.number("EventRecordID"));
    Some(records)
}

fn census() -> Option<Trace> {
    let manifests = Manifests::load([etwkit_corpus::folder()?.join("manifests/HTTP_Server.man")]).unwrap();
    let input = Input::open(etwkit_corpus::path("tx/HTTP_Server.etl")?).unwrap();
    Some(Trace::open(input, Parsers::none().with(manifests)).unwrap())
}

#[test]
fn every_event_equals_what_windows_made_of_it() {
    let (Some(records), Some(trace)) = (records(), census()) else { return };
    assert!(trace.problems().is_empty(), "{:?}", trace.problems());
    let mut records = records.iter();
    let (mut count, mut values, mut undecoded, mut times) = (0, 0, 0, Vec::new());
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if event.raw().hook().is_some() {
            continue; // the file header
        }
        let record = records.next().unwrap();
        count += 1;
        header(&event, record);
        times.extend(Some(event.time().map(|time| time.0).unwrap() - record.time()).filter(|off| *off != 0));
        if let Some(payload) = &record.payload {
            // Windows gives up on a last text without its NUL; it is decoded here, with a mark.
            assert_eq!(*payload, hex(event.payload()));
            assert!(event.unterminated().is_some());
            undecoded += 1;
        } else {
            assert!(event.unterminated().is_none());
            values += fields(&event, record);
        }
        assert_eq!(event.fit(), Fit::Exact, "id {}", event.raw().id());
        message(&event);
    }
    assert!(records.next().is_none());
    println!("{count} events, {values} values equal, {undecoded} not decoded by Windows, times off: {times:?}");
    assert_eq!(count, 2041);
    // The one known event (section 8.2 of `docs/format`).
    assert!(times.len() <= 1 && times.iter().all(|off| off.abs() == 1), "{times:?}");
}

fn header(event: &Event<'_>, record: &Record) {
    let raw = event.raw();
    assert_eq!(Some(raw.provider_guid()), record.guid("Provider.Guid"));
    assert_eq!(u64::from(raw.id()), record.number("EventID"));
    assert_eq!(u64::from(raw.version()), record.number("Version"));
    assert_eq!(u64::from(raw.level()), record.number("Level"));
    assert_eq!(u64::from(raw.task()), record.number("Task"));
    assert_eq!(u64::from(raw.opcode()), record.number("Opcode"));
    assert_eq!(raw.keywords(), record.number("Keywords"));
    assert_eq!(raw.activity_id(), record.guid("Correlation.ActivityID"));
    assert_eq!(raw.related_activity_id(), record.guid("Correlation.RelatedActivityID"));
    assert_eq!(u64::from(raw.pid().unwrap()), record.number("Execution.ProcessID"));
    assert_eq!(u64::from(raw.tid().unwrap()), record.number("Execution.ThreadID"));
    assert_eq!(u64::from(raw.processor()), record.number("Execution.ProcessorID"));
    let names = event.schema().unwrap().names();
    assert_eq!(names.provider.as_deref(), Some(&*record.system["Provider.Name"]));
    assert!(names.task.is_some() && names.opcode.is_some(), "id {}", raw.id());
}

/// Compares names and values one by one; returns how many there are.
fn fields(event: &Event<'_>, record: &Record) -> usize {
    let views: Vec<_> = event.fields().collect();
    let names: Vec<_> = views.iter().map(|view| &*view.field.name).collect();
    let wanted: Vec<_> = record.data.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, wanted, "id {}", event.raw().id());
    for (view, (name, text)) in views.iter().zip(&record.data) {
        match view.value().unwrap() {
            Value::Utf16(value) => assert_eq!(value.to_string(), *text, "{name}"),
            Value::Ansi(value) => assert_eq!(value.to_string(), *text, "{name}"),
            Value::Bytes(value) => assert_eq!(hex(value), *text, "{name}"),
            value => assert_eq!(value.as_u64(), number(text), "{name} of {}", event.raw().id()),
        }
    }
    views.len()
}

/// The event has a message, and each of its inserts is a field.
fn message(event: &Event<'_>) {
    let message = event.schema().unwrap().message().unwrap();
    let fields = event.fields().count();
    for part in message.parts() {
        if let MessagePart::Insert { index, .. } = part {
            assert!(usize::from(*index) <= fields, "id {}: {message}", event.raw().id());
        }
    }
    let mut text = String::new();
    write_message(&mut text, message, event, None);
    assert!(!text.is_empty() && !text.contains("%1"), "{text}");
}

fn hex(bytes: &[u8]) -> String {
    let mut digits = Vec::new();
    etwkit::bytes::write_hex(&mut digits, bytes);
    String::from_utf8(digits).unwrap().to_ascii_uppercase()
}

/// What `tracerpt`'s XML, as we write it, states about each event; without the file's header.
fn reported(trace: &Trace) -> Vec<Record> {
    let mut sink = XmlEvents::new(trace, Vec::new());
    trace.run(&RunOptions::default(), &mut sink).unwrap();
    let text = String::from_utf8(sink.finish().unwrap()).unwrap();
    let inner = text.strip_prefix("<Events>\n").unwrap().strip_suffix("</Events>\n").unwrap();
    // The names in `<RenderingInfo>` are in elements that are called as those of the numbers.
    let numbers = |event: &str| event.split("\t<RenderingInfo").next().unwrap_or_default().replace("</Event>\n", "");
    let events = inner.split_inclusive("</Event>\n").map(|event| Record::read(&(numbers(event) + "</Event>")));
    events.filter(|record| record.system.contains_key("Provider.Name")).collect()
}

#[test]
fn the_report_equals_what_windows_made_of_it() {
    let (Some(records), Some(trace)) = (records(), census()) else { return };
    let found = reported(&trace);
    assert_eq!(found.len(), 2041);
    assert_eq!(found.len(), records.len());
    let resolution = trace.files()[0].head.log.timer_resolution.into();
    let (mut values, mut names, mut undecoded) = (0, 0, 0);
    let named = named_values(&trace);
    for ((ours, theirs), named) in found.iter().zip(&records).zip(&named) {
        values += same_system(ours, theirs, resolution);
        if theirs.payload.is_some() {
            // Windows gives up on a last text without its NUL, and so does the report.
            assert_eq!(ours.payload, theirs.payload);
            assert_eq!(
                [&ours.system["ErrorCode"], &ours.system["DataItemName"]],
                [&theirs.system["ErrorCode"], &theirs.system["DataItemName"]]
            );
            undecoded += 1;
            continue;
        }
        assert_eq!(ours.payload, None);
        assert_eq!(ours.data.len(), theirs.data.len());
        for (((name, ours), (wanted, theirs)), named) in ours.data.iter().zip(&theirs.data).zip(named) {
            assert_eq!(name, wanted);
            values += 1;
            if let Some(named) = named {
                // The event log has numbers, and the report has names.
                assert_eq!(*ours, format!("{named} "), "{name}");
                names += 1;
                continue;
            }
            // The event log keeps addresses as bytes; the report prints them.
            let theirs = socket_address(theirs).unwrap_or_else(|| theirs.clone());
            assert!(is_form(ours, &theirs), "{name}: `{ours}` is not `{theirs}`");
        }
    }
    println!("{} events, {values} values equal, {names} by name, {undecoded} not decoded by Windows", found.len());
    assert!(names > 100, "{names}");
    assert_eq!(undecoded, 291);
    assert!(values > 20_000, "{values}");
}

/// Returns the name of the value of each field that has one, by event.
fn named_values(trace: &Trace) -> Vec<Vec<Option<String>>> {
    let (mut all, mut events) = (Vec::new(), trace.events());
    while let Some(event) = events.next().unwrap() {
        let name = |view: FieldView<'_>| Some(view.map()?.value(view.value()?.bits()?)?.to_owned());
        if event.raw().hook().is_none() {
            all.push(event.fields().map(name).collect());
        }
    }
    all
}

/// Whether the report has a value of the event log as it writes it: integers of 32 bits in eight columns, hexadecimal
/// numbers with upper-case digits, all else the same.
fn is_form(ours: &str, theirs: &str) -> bool {
    ours == theirs
        || theirs.parse::<u32>().is_ok() && ours == format!("{theirs:>8}")
        || number(theirs).is_some_and(|number| ours == format!("0x{number:X}"))
}

/// The `<RenderingInfo>` of the user's document about the events of HTTP.sys, which tracerpt of Windows Vista wrote.
const PARSE: &str = r#"	<RenderingInfo Culture="en-US">
		<Level>Information </Level>
		<Opcode>Parse </Opcode>
		<Keywords>
			<Keyword>Flagged on all HTTP events dealing with request processing </Keyword>
		</Keywords>
		<Task>HTTP Request Trace Task </Task>
		<Message>Parsed request (request pointer 0xFFFFFA8001BB5320, method 4) with URI http://localhost:80/. </Message>
		<Channel>HTTP Service Channel </Channel>
		<Provider>Microsoft-Windows-HttpService </Provider>
	</RenderingInfo>
"#;

#[test]
fn names_and_messages_have_the_blank_of_message_tables() {
    let Some(folder) = etwkit_corpus::folder() else { return };
    let payload = Payload::new().u64(0xFFFF_FA80_01BB_5320).u32(4).utf16z("http://localhost:80/");
    let provider = etwkit_synth::Guid::new(0xdd5ef90a_6398_47a4_ad34_4dcecdef795f);
    let event = ModernEvent::new(provider).id(2).level(4).task(1).opcode(12).keyword(1 << 63 | 2).payload(payload);
    let header = LogfileHeader::default();
    let event = event.at(header.t0 + 1_000);
    let bytes = TraceBuilder::new(header).buffer(Buffer::on(0).event(event)).build().bytes;
    let manifests = Manifests::load([folder.join("manifests/HTTP_Server.man")]).unwrap();
    let trace = Trace::open(Input::bytes("made", bytes), Parsers::none().with(manifests)).unwrap();
    let mut sink = XmlEvents::new(&trace, Vec::new());
    trace.run(&RunOptions::default(), &mut sink).unwrap();
    let text = String::from_utf8(sink.finish().unwrap()).unwrap();
    let event = text.rsplit("<Event ").next().unwrap();
    let at = event.find("\t<RenderingInfo").unwrap();
    assert_eq!(&event[at..], format!("{PARSE}</Event>\n</Events>\n"));
    let channel = "\t\t<Channel>Microsoft-Windows-HttpService/Trace</Channel>\n\t\t<Computer />\n\t</System>\n";
    let data = "\t<EventData>\n\t\t<Data Name=\"RequestObj\">0xFFFFFA8001BB5320</Data>\n\
                \t\t<Data Name=\"HttpVerb\">       4</Data>\n\t\t<Data Name=\"Url\">http://localhost:80/</Data>\n\t</EventData>\n";
    assert!(event[..at].ends_with(&format!("{channel}{data}")), "{event}");
}

/// Compares the header's elements and attributes; returns how many. The event log keeps clock ticks of `resolution` 100
/// ns, the report has milliseconds.
fn same_system(ours: &Record, theirs: &Record, resolution: u64) -> usize {
    let numbers = ["EventID", "Version", "Level", "Task", "Opcode", "Keywords"];
    let execution = ["Execution.ProcessID", "Execution.ThreadID", "Execution.ProcessorID"];
    for name in numbers.into_iter().chain(execution) {
        assert_eq!(ours.number(name), theirs.number(name), "{name}");
    }
    for name in ["Execution.KernelTime", "Execution.UserTime"] {
        assert_eq!(ours.number(name), theirs.number(name) * (resolution / 10_000), "{name}");
    }
    assert_eq!(ours.system["Provider.Name"], theirs.system["Provider.Name"]);
    assert_eq!(ours.guid("Provider.Guid"), theirs.guid("Provider.Guid"));
    assert_eq!(ours.guid("Correlation.ActivityID"), theirs.guid("Correlation.ActivityID"));
    // The one known event (section 8.2 of `docs/format`).
    assert!((ours.time() - theirs.time()).abs() <= 1);
    numbers.len() + execution.len() + 6
}

/// Returns the text of a `sockaddr` in hexadecimal digits, if it is one (`ws2def.h`).
fn socket_address(digits: &str) -> Option<String> {
    let bytes: Vec<u8> = (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(digits.get(at * 2..at * 2 + 2)?, 16).ok())
        .collect::<Option<_>>()?;
    let port = u16::from_be_bytes(*bytes.get(2..)?.first_chunk()?);
    match (*bytes.first()?, bytes.len()) {
        (2, 16) => Some(format!("{}:{port}", std::net::Ipv4Addr::from(*bytes.get(4..)?.first_chunk::<4>()?))),
        (23, 28) => Some(format!("[{}]:{port}", std::net::Ipv6Addr::from(*bytes.get(8..)?.first_chunk::<16>()?))),
        _ => None,
    }
}

#[test]
fn names_and_messages_are_those_of_the_manifest() {
    let Some(trace) = census() else { return };
    let mut found = BTreeMap::new();
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        let Some(schema) = event.schema() else { continue };
        found.entry(event.raw().id()).or_insert_with(|| {
            let mut text = String::new();
            write_message(&mut text, schema.message().unwrap(), &event, None);
            (schema.names().full().unwrap(), text, schema.names().keywords.clone())
        });
    }
    let (name, text, keywords) = &found[&21];
    assert_eq!(name, "HTTP Connection Trace Task/ConnConnect");
    let local = "local IP address [2001:4898:0:fff:0:5efe:a78:109d]:80";
    let remote = "remote address [2001:4898:0:fff:0:5efe:a50:e410]:37837";
    assert_eq!(*text, format!("New connection created ({local} and {remote})."));
    assert_eq!(**keywords, [(16, "Flagged on all HTTP events occuring on a connection".into())]);
    assert!(found.values().all(|(name, text, _)| name.contains('/') && !text.contains('%')), "{found:#?}");
}
