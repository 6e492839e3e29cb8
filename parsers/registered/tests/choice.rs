//! Which layout and which names an event gets, on traces made for it.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use etwkit::decode::Fit;
use etwkit::event::Kind;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::schema::{DisplayFormat, Schema, SchemaSource as Origin};
use etwkit::trace::{Filter, Order, Trace, UndecodedReason};
use etwkit_registered::{Overrides, Registered};
use etwkit_synth::{Buffer, ClassicEvent, Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};

const HTTP: Guid = Guid::new(0xdd5e_f90a_6398_47a4_ad34_4dce_cdef_795f);
const NDIS: Guid = Guid::new(0x2ed6_006e_4729_4609_b423_3ee7_bcd6_78ef);
const NETWORK: Guid = Guid::new(0x7dd4_2a49_5329_4832_8dfd_43d9_7915_3a88);
const TWAPI: Guid = Guid::new(0xd5b5_2e95_8447_40c1_b316_5398_9444_9b36);
const POWERSHELL: Guid = Guid::new(0xa0c1_853b_5c40_4b15_8766_3cf1_c58f_985a);
const INTEROP: Guid = Guid::new(0xc4ac_552a_e1eb_4fa2_a651_b200_efd7_aa91);

const PROCESS: Guid = Guid::new(0x22fb_2cd6_0e7b_422b_a0c7_2fad_1fd0_e716);

/// Returns the schema of the only registered event of a trace.
fn schema(event: impl Into<Event>) -> Schema {
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).event(event)).build().bytes;
    let parsers = Parsers::none().with(Overrides).with(Registered::new());
    let trace = Trace::open(Input::bytes("test", bytes), parsers).unwrap();
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        if let Some(schema) = event.schema().filter(|_| event.raw().kind() == Kind::Manifest) {
            return schema.clone();
        }
    }
    panic!("no event with a schema");
}

/// Name, source with guesses, fit and field names of the only event of a trace from a build.
fn decode(event: impl Into<Event>, build: u32) -> String {
    let header = LogfileHeader { build, ..LogfileHeader::default() };
    let bytes = TraceBuilder::new(header).buffer(Buffer::on(0).event(event)).build().bytes;
    let parsers = Parsers::none().with(Overrides).with(Registered::new());
    let trace = Trace::open(Input::bytes("test", bytes), parsers).unwrap();
    let mut events = trace.events_in(Order::File, &Filter::default());
    let mut found = "nothing".to_owned();
    while let Some(event) = events.next().unwrap() {
        let Some(schema) = event.schema() else { continue };
        let names = schema.names();
        if names.task.as_deref() == Some("EventTrace") || names.task.as_deref() == Some("EventTraceEvent") {
            continue;
        }
        let fields: Vec<_> = event.fields().map(|view| view.field.name.to_string()).collect();
        let whole = if event.fit() == Fit::Exact { "exact" } else { "inexact" };
        let (provider, name) = (names.provider.as_deref().unwrap_or("?"), names.full().unwrap_or_default());
        found = format!("{provider} {name} [{}] {whole}: {}", schema.origin(), fields.join(" "));
    }
    found
}

fn event(provider: Guid, id: u16) -> ModernEvent {
    ModernEvent::new(provider).id(id).at(LogfileHeader::default().t0 + 1_000)
}

fn url() -> Payload {
    Payload::new().u64(1).u32(4).utf16z("http://x/")
}

#[test]
fn a_date_is_one_in_each_version() {
    // The facts of versions 2 and 3 are from a source that calls it a 64-bit integer.
    for version in 0..=3 {
        let schema = schema(event(PROCESS, 1).version(version).task(1).opcode(1).payload(Payload::new().u32(4)));
        let shows: Vec<_> = schema.fields().iter().filter(|field| &*field.name == "CreateTime").collect();
        assert_eq!(
            shows.iter().map(|field| field.display).collect::<Vec<_>>(),
            [DisplayFormat::FileTime],
            "version {version}"
        );
    }
}

#[test]
fn corrected_events_have_the_names_of_the_others() {
    for (id, mask, keyword) in [(10, 0x10, "KERNEL_NETWORK_KEYWORD_IPV4"), (26, 0x20, "KERNEL_NETWORK_KEYWORD_IPV6")] {
        let schema = schema(event(NETWORK, id).task(10).opcode(10).payload(Payload::new().u32(4)));
        assert_eq!(schema.names().channel.as_deref(), Some("Microsoft-Windows-Kernel-Network/Analytic"));
        assert_eq!(*schema.names().keywords, [(mask, keyword.into())]);
    }
}

#[test]
fn names_come_from_the_header() {
    let parse = || event(HTTP, 2).task(1).opcode(12).payload(url());
    let known = "Microsoft-Windows-HttpService HTTPRequestTraceTask/Parse";
    assert_eq!(decode(parse(), 19_041), format!("{known} [registered] exact: RequestObj HttpVerb Url"));
}

#[test]
fn a_newer_version_is_read_by_the_one_before() {
    let newer = event(HTTP, 2).version(200).task(1).opcode(12).payload(url().u8(1));
    let known = "Microsoft-Windows-HttpService HTTPRequestTraceTask/Parse";
    assert_eq!(decode(newer, 0), format!("{known} [registered version-guessed] inexact: RequestObj HttpVerb Url"));
}

/// The facts have the name of version 4 and the fields of versions 0 to 3.
#[test]
fn a_version_with_a_name_alone_is_read_by_the_one_before() {
    let start = |payload: Payload| event(PROCESS, 1).version(4).task(1).opcode(1).payload(payload);
    let name = "Microsoft-Windows-Kernel-Process ProcessStart/Start";
    let numbers = Payload::new().u32(4).u64(1).u64(2).u32(3).u64(4).u32(0).u32(0).u32(1).u32(0);
    let label = [1, 1, 0, 0, 0, 0, 0, 16, 0, 32, 0, 0];
    let known = numbers.bytes(&label).utf16z("a.exe").u32(5).u32(6).utf16z("").utf16z("");
    let fields = "ProcessID ProcessSequenceNumber CreateTime ParentProcessID ParentProcessSequenceNumber SessionID Flags \
                  ProcessTokenElevationType ProcessTokenIsElevated MandatoryLabel ImageName ImageChecksum TimeDateStamp \
                  PackageFullName PackageRelativeAppId";
    let longer = known.clone().u32(7);
    assert_eq!(decode(start(known), 0), format!("{name} [registered version-guessed] exact: {fields}"));
    assert_eq!(decode(start(longer), 0), format!("{name} [registered version-guessed] inexact: {fields}"));
    assert_eq!(decode(start(Payload::new()), 0), format!("{name} [registered] exact: "));
}

#[test]
fn an_unknown_event_of_a_known_task_has_its_name() {
    let unknown = event(HTTP, 9_999).task(1).opcode(12).payload(url());
    let known = "Microsoft-Windows-HttpService HTTPRequestTraceTask/Parse";
    assert_eq!(decode(unknown.clone(), 0), format!("{known} [registered version-guessed] inexact: "));
    assert!(!schema(unknown).has_layout());
    assert_eq!(decode(event(HTTP, 9_999).payload(url()), 0), "nothing");
}

#[test]
fn the_build_or_the_fit_chooses_the_layout() {
    let old = || event(NDIS, 1_001).payload(Payload::new().u32(1).u32(2).u32(3).bytes(b"abc"));
    let new = || event(NDIS, 1_001).payload(Payload::new().u32(1).u32(2).u32(3).bytes(b"abc").u64(4).u64(5));
    let name = "Microsoft-Windows-NDIS-PacketCapture PacketFragment";
    let old_fields = "MiniportIfIndex LowerIfIndex FragmentSize Fragment";
    let new_fields = format!("{old_fields} GftFlowEntryId GftOffloadInformation");
    for build in [10_586, 10_240] {
        assert_eq!(decode(old(), build), format!("{name} [built-in] exact: {old_fields}"));
    }
    assert_eq!(decode(new(), 22_631), format!("{name} [built-in] exact: {new_fields}"));
    // Without a build it is a guess, which the fit settles.
    assert_eq!(decode(old(), 0), format!("{name} [built-in build-guessed] exact: {old_fields}"));
    assert_eq!(decode(new(), 0), format!("{name} [built-in build-guessed] exact: {new_fields}"));
}

/// The header's task names an event, also where other events of the same id have another.
#[test]
fn one_id_can_serve_several_tasks() {
    let texts = || Payload::new().utf16z("a").utf16z("b").utf16z("c");
    let one = |task: u16| event(POWERSHELL, 7_937).version(1).task(task).opcode(0).payload(texts());
    let buffer = Buffer::on(0).events([one(102), one(103), one(102)]);
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(buffer).build().bytes;
    let trace = Trace::open(Input::bytes("test", bytes), Parsers::none().with(Registered::new())).unwrap();
    let mut events = trace.events_in(Order::File, &Filter::default());
    let mut names = Vec::new();
    while let Some(event) = events.next().unwrap() {
        if event.raw().kind() == Kind::Manifest {
            names.extend(event.schema().and_then(|schema| schema.names().full()));
        }
    }
    assert_eq!(names, ["CommandStart", "CommandStop", "CommandStart"]);
}

/// The names of the keywords of each event are of its own bits, not of those of its type's first event.
#[test]
fn events_of_one_id_have_their_own_keywords() {
    let one = |mask: u64| event(PROCESS, 2).keyword(mask).payload(Payload::new().u32(4));
    let buffer = Buffer::on(0).events([one(0x10), one(1 << 62 | 0x30), one(0x40), one(0)]);
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(buffer).build().bytes;
    let trace = Trace::open(Input::bytes("test", bytes), Parsers::none().with(Registered::new())).unwrap();
    let mut events = trace.events_in(Order::File, &Filter::default());
    let mut found = Vec::new();
    while let Some(event) = events.next().unwrap() {
        if event.raw().kind() == Kind::Manifest {
            let names = event.schema().unwrap().names();
            found.push(names.keywords_of(event.raw().keywords()).map(str::to_owned).collect::<Vec<_>>().join(" "));
        }
    }
    let [process, thread, image] = ["PROCESS", "THREAD", "IMAGE"].map(|word| format!("WINEVENT_KEYWORD_{word}"));
    assert_eq!(found, [process.clone(), format!("{process} {thread}"), image, String::new()]);
}

#[test]
fn manifests_that_lie_are_corrected() {
    let payload = Payload::new().u32(4).u32(100).u32(1).u32(2).u16(80).u16(81).u32(0).u64(0xffff_0000_0000);
    let received = event(NETWORK, 11).task(10).opcode(11).payload(payload);
    let name = "Microsoft-Windows-Kernel-Network KERNEL_NETWORK_TASK_TCPIP/KERNEL_NETWORK_OPCODE_RECV";
    assert_eq!(
        decode(received, 19_041),
        format!("{name} [built-in] exact: PID size daddr saddr dport sport seqnum connid")
    );
}

#[test]
fn providers_without_a_registration_are_known() {
    let message = ClassicEvent::new(PointerSize::Eight, TWAPI, 1).at(LogfileHeader::default().t0 + 1_000);
    let message = message.payload(Payload::new().utf16z("hello"));
    assert_eq!(decode(message, 0), "TwapiETWProvider TwapiETWEventClass/Message [built-in] exact: Message");
    let finalized = event(INTEROP, 11).payload(Payload::new().u64(1).u32(2));
    assert_eq!(decode(finalized, 0), "InteropEventProvider TaskRCWFinalization [built-in] exact: objectID refCount");
}

/// Why nothing, or only a name, is known of an event.
#[test]
fn what_is_missing_has_a_reason() {
    let unknown = Guid::new(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10);
    let events = [
        event(HTTP, 2).task(1).opcode(12).payload(url()),
        event(HTTP, 9_999).payload(url()),
        event(HTTP, 9_998).task(1).opcode(12).payload(url()),
        event(unknown, 7).payload(url()),
    ];
    let buffer = events.into_iter().fold(Buffer::on(0), Buffer::event);
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(buffer).build().bytes;
    let parsers = Parsers::none().with(Overrides).with(Registered::new());
    let trace = Trace::open(Input::bytes("test", bytes), parsers).unwrap();
    let undecoded = trace.undecoded_types();
    let found: Vec<_> = undecoded
        .iter()
        .filter(|types| types.kind == Kind::Manifest)
        .flat_map(|types| types.keys.iter().map(|(key, events)| (key.id, types.missing, *events)))
        .collect();
    let wanted =
        [(7, UndecodedReason::Provider, 1), (9_999, UndecodedReason::Event, 1), (9_998, UndecodedReason::Fields, 1)];
    // Of a name alone nothing is decoded.
    assert_eq!(trace.decoded().1, 3);
    assert_eq!((found.len(), wanted.iter().all(|types| found.contains(types))), (3, true), "{undecoded:?}");
    let sources = trace.sources();
    let registered = sources[&Origin::REGISTERED];
    // With the log-file header, of whose class the pack has a lower version.
    assert_eq!((registered.events, registered.schemas, registered.version_guessed), (2, 2, 1), "{sources:?}");
}
