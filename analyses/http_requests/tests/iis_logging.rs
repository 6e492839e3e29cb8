//! Lines of IIS logs, decoded by a schema of the user.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use etwkit::input::Input;
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_http_requests::{Requests, has_server_events, requests};
use etwkit_parsers::Additions;
use etwkit_parsers::user::UserSchemas;
use etwkit_synth::{Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

const LOGGING: Guid = Guid::new(0x7e8ad27f_b271_4ea2_a783_a47bde29143b);
const HTTP: Guid = Guid::new(0xdd5ef90a_6398_47a4_ad34_4dcecdef795f);
/// A request of HTTP.sys.
const REQUEST: Guid = Guid::new(0x80000003_0001_fb00_b63f_84710c7967bb);
/// Microseconds of the events since the start of the trace.
const AT: [i64; 4] = [100_000, 200_000, 300_000, 400_000];

/// The names of the fields are those of the W3C log; the types are of this test.
const SCHEMA: &str = r#"
provider "Microsoft-Windows-IIS-Logging" {7e8ad27f-b271-4ea2-a783-a47bde29143b}
event id 6200 task "Logs" {
  c-ip utf16
  cs-method ansi
  cs-uri-stem utf16
  cs-uri-query ansi
  sc-status u16
  sc-substatus u16
  sc-win32-status u32
  time-taken u64
}
"#;

fn line(query: &str, status: [u16; 2], win32: u32, milliseconds: u64) -> ModernEvent {
    let texts = Payload::new().utf16z("192.0.2.7").ansi_z("GET").utf16z("/shop/index.htm").ansi_z(query);
    let numbers = texts.u16(status[0]).u16(status[1]).u32(win32).u64(milliseconds);
    ModernEvent::new(LOGGING).id(6200).level(4).payload(numbers)
}

fn trace(events: Vec<ModernEvent>) -> Trace {
    trace_at(events.into_iter().zip(AT).collect())
}

/// Events, and after how many microseconds they were written.
fn trace_at(events: Vec<(ModernEvent, i64)>) -> Trace {
    let header = LogfileHeader::default().on_system_time();
    let start = header.start_time;
    let events = events.into_iter().map(|(event, at)| event.at(start + at * 10).by(4, 8));
    let bytes = events.fold(TraceBuilder::new(header), |builder, event| builder.log(0, event)).build().bytes;
    let mut additions = Additions::default();
    additions.schemas = UserSchemas::parse(SCHEMA).unwrap();
    Trace::open(Input::bytes("made", bytes), etwkit_parsers::with(additions)).unwrap()
}

fn found(events: Vec<ModernEvent>) -> Requests {
    let trace = trace(events);
    assert!(has_server_events(&trace));
    requests(&trace, &RunOptions::default()).unwrap()
}

/// Each line is a request, though two of them have the same activity, which is that of their thread.
#[test]
fn each_line_is_a_request() {
    let thread = Guid::new(0x00000100_0000_0003_193d_42fb30bbcb01);
    let found = found(vec![
        line("-", [200, 0], 0, 15),
        line("id=7", [404, 13], 64, 0).activity(thread),
        line("id=8", [500, 0], 0x7fff_fff0, 1).activity(thread),
    ]);
    let rows: Vec<_> = found.rows.iter().map(|row| (row.url.as_deref(), row.status.as_deref())).collect();
    assert_eq!(
        rows,
        [
            (Some("/shop/index.htm"), Some("200")),
            (Some("/shop/index.htm?id=7"), Some("404.13")),
            (Some("/shop/index.htm?id=8"), Some("500")),
        ]
    );
    for row in &found.rows {
        assert_eq!((row.client.as_deref(), row.verb.as_deref()), (Some("192.0.2.7"), Some("GET")));
        assert!(row.activity.is_null());
        assert_eq!(row.stages.iter().map(|stage| (&*stage.name, stage.time)).collect::<Vec<_>>(), [("Logs", row.last)]);
    }
    let errors: Vec<_> = found.rows.iter().map(|row| row.error.as_deref()).collect();
    assert_eq!(errors, [None, Some("ERROR_NETNAME_DELETED"), Some("2147483632")]);
    let ticks: Vec<_> = found.rows.iter().map(|row| row.last.0 - row.first.0).collect();
    assert_eq!(ticks, [150_000, 0, 10_000]);
    assert_eq!((found.without_activity, found.without_time, found.other_activities), (0, 0, 0));
}

#[test]
fn a_line_belongs_to_the_request_of_its_activity() {
    let url = "http://shop.example:80/shop/index.htm?id=7";
    let parse = ModernEvent::new(HTTP).id(2).level(4).task(1).opcode(12).keyword(2).activity(REQUEST);
    let parse = parse.payload(Payload::new().u64(0xffff_fa80_01bb_5320).u32(4).utf16z(url));
    let found = found(vec![parse, line("id=7", [404, 13], 2, 9_999).activity(REQUEST)]);
    assert_eq!(found.rows.len(), 1);
    let row = &found.rows[0];
    assert_eq!((row.url.as_deref(), row.status.as_deref()), (Some(url), Some("404.13")));
    assert_eq!((row.client.as_deref(), row.error.as_deref()), (Some("192.0.2.7"), Some("ERROR_FILE_NOT_FOUND")));
    assert_eq!(row.activity.to_string(), "80000003-0001-fb00-b63f-84710c7967bb");
    // The first event has the start, whatever the line states.
    assert_eq!(row.last.0 - row.first.0, 1_000_000);
    assert_eq!(row.stages.iter().map(|stage| &*stage.name).collect::<Vec<_>>(), ["Parse", "Logs"]);
}

/// The other events of the request are not there: those of HTTP.sys were not recorded.
#[test]
fn a_line_that_is_all_of_a_request_has_its_time() {
    let found = found(vec![line("id=7", [200, 0], 0, 15).activity(REQUEST)]);
    assert_eq!((found.rows.len(), found.rows[0].last.0 - found.rows[0].first.0), (1, 150_000));
    assert_eq!(found.rows[0].activity.to_string(), "80000003-0001-fb00-b63f-84710c7967bb");
}

#[test]
fn conditions_choose_lines() {
    let trace = trace(vec![line("-", [200, 0], 0, 15), line("id=7", [404, 13], 64, 0)]);
    let filter = Filter::default().expression(r#""sc-status" >= 400"#.parse().unwrap());
    let found = requests(&trace, &RunOptions::default().filter(filter)).unwrap();
    assert_eq!(found.rows.iter().map(|row| row.status.as_deref()).collect::<Vec<_>>(), [Some("404.13")]);
}

/// A time that would be before all times is not the start.
#[test]
fn an_impossible_duration_is_left_out() {
    for milliseconds in [u64::MAX, i64::MAX as u64 / 10_000, 1 << 62] {
        let found = found(vec![line("-", [200, 0], 0, milliseconds)]);
        assert_eq!(found.rows[0].first, found.rows[0].last);
    }
}

#[test]
fn other_events_of_the_provider_are_no_requests() {
    assert_eq!(found(vec![line("-", [200, 0], 0, 1).id(6201)]), Requests::default());
}

#[test]
fn requests_that_begin_at_once_come_in_the_order_of_their_events() {
    let queries: Vec<String> = (0..32).map(|number| format!("id={number}")).collect();
    let lines = queries.iter().map(|query| (line(query, [200, 0], 0, 0), AT[0])).collect();
    let found = requests(&trace_at(lines), &RunOptions::default()).unwrap();
    let urls: Vec<_> = found.rows.iter().filter_map(|row| row.url.as_deref()?.split_once('?')).collect();
    assert_eq!(urls.iter().map(|(_, query)| *query).collect::<Vec<_>>(), queries);
}
