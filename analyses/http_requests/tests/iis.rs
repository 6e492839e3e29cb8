//! Requests that IIS and HTTP.sys both have events of.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use etwkit::input::Input;
use etwkit::schema::SchemaEntry;
use etwkit::trace::{RunOptions, Trace};
use etwkit_http_requests::{Request, has_server_events, is_server, requests};
use etwkit_synth::{ClassicEvent, Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};

const HTTP: Guid = Guid::new(0xdd5ef90a_6398_47a4_ad34_4dcecdef795f);
const IIS_BITS: u128 = 0x3a2a4e84_4c21_4981_ae10_3fda0d9b0f83;
const IIS: Guid = Guid::new(IIS_BITS);
const IIS_GENERAL: Guid = Guid::new(0xd42cf7ef_de92_473e_8b6c_621ea663113a);
const REQUEST: Guid = Guid::new(0x80000003_0001_fb00_b63f_84710c7967bb);
const URL: &str = "http://shop.example:80/a?b=1";

fn at(ms: i64) -> i64 {
    LogfileHeader::default().after(ms * 10_000)
}

/// An event of IIS with a class, as where the provider has no manifest.
fn classic(ms: i64, opcode: u8, payload: Payload) -> Event {
    let event = ClassicEvent::new(PointerSize::Eight, IIS_GENERAL, opcode).version(1);
    event.payload(payload).at(at(ms)).by(4, 8).into()
}

fn manifest(ms: i64, id: u16, payload: Payload) -> Event {
    ModernEvent::new(IIS).id(id).version(1).payload(payload).at(at(ms)).by(4, 8).into()
}

fn http(ms: i64, (id, opcode): (u16, u8), payload: Payload) -> Event {
    let event = ModernEvent::new(HTTP).id(id).level(4).task(1).opcode(opcode).keyword(2).activity(REQUEST);
    event.payload(payload).at(at(ms)).by(4, 8).into()
}

fn start(verb: &str) -> Payload {
    let ids = Payload::new().guid(REQUEST).u32(1).utf16z("DefaultAppPool").u64(1).u64(2);
    ids.utf16z(URL).ansi_z(verb)
}

fn end(status: u32, substatus: u16) -> Payload {
    Payload::new().guid(REQUEST).u32(100).u32(50).u32(status).u16(substatus)
}

fn parse(ms: i64, verb: u32) -> Event {
    http(ms, (2, 12), Payload::new().u64(7).u32(verb).utf16z(URL))
}

/// `FastResp`, whose status HTTP.sys sends.
fn response(ms: i64, status: u16, verb: &str) -> Event {
    let ids = Payload::new().u64(0xfb00_0001_8000_0003).u64(9);
    http(ms, (8, 19), ids.u16(status).ansi_z(verb).u32(210).u16(1).u32(0))
}

fn only(events: Vec<Event>) -> Request {
    let header = LogfileHeader::default();
    let bytes =
        events.into_iter().fold(TraceBuilder::new(header), |builder, event| builder.log(0, event)).build().bytes;
    let trace = Trace::open(Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap();
    assert!(has_server_events(&trace));
    let mut found = requests(&trace, &RunOptions::default()).unwrap();
    assert_eq!((found.rows.len(), found.without_activity), (1, 0), "{found:?}");
    found.rows.remove(0)
}

fn text(request: &Request) -> (Option<&str>, Option<&str>, Option<&str>) {
    (request.verb.as_deref(), request.url.as_deref(), request.status.as_deref())
}

#[test]
fn events_with_a_class_are_those_of_the_manifest() {
    let classes = only(vec![classic(1, 1, start("GET")), classic(9, 2, end(404, 3))]);
    let manifest = only(vec![manifest(1, 10_000, start("GET")), manifest(9, 10_001, end(404, 3))]);
    assert_eq!(text(&classes), (Some("GET"), Some(URL), Some("404.3")));
    assert_eq!(classes, manifest);
    assert_eq!(classes.last.0 - classes.first.0, 80_000);
}

/// The classes are listed once more in this crate, which depends on no parser.
#[test]
fn all_classes_of_iis_are_known() {
    let of_iis =
        |entry: &SchemaEntry| entry.schema.names().provider_guid.is_some_and(|guid| guid.to_u128() == IIS_BITS);
    let classes: Vec<_> =
        etwkit_parsers::built_in().flatten().filter(of_iis).map(|entry| entry.select.guid()).collect();
    assert!(classes.len() > 100, "{}", classes.len());
    let unknown: Vec<_> = classes.iter().filter(|class| !is_server(class)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// HTTP.sys has no number for it.
#[test]
fn a_verb_without_a_number_is_in_other_events() {
    for number in [0, 1, 2] {
        let request = only(vec![parse(1, number), manifest(2, 10_000, start("PATCH"))]);
        assert_eq!(text(&request), (Some("PATCH"), Some(URL), None));
        let request = only(vec![parse(1, number), response(2, 204, "PATCH")]);
        assert_eq!(text(&request), (Some("PATCH"), Some(URL), Some("204")));
    }
    assert_eq!(only(vec![parse(1, 1)]).verb.as_deref(), Some("unknown"));
    assert_eq!(only(vec![parse(1, 4), response(2, 200, "POST")]).verb.as_deref(), Some("GET"), "the first one counts");
}

#[test]
fn a_status_without_the_substatus_does_not_replace_it() {
    let of_iis = || manifest(2, 10_001, end(404, 3));
    let status = |events| only(events).status;
    assert_eq!(status(vec![of_iis(), response(3, 404, "GET")]).as_deref(), Some("404.3"));
    assert_eq!(status(vec![response(1, 404, "GET"), of_iis()]).as_deref(), Some("404.3"));
    assert_eq!(status(vec![of_iis(), response(3, 500, "GET")]).as_deref(), Some("500"));
}
