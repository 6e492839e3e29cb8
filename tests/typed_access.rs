//! Events as their users see them: names, typed fields, `serde`, owned events, parts of a trace.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::struct_field_names, reason = "a test")]
#![allow(clippy::items_after_statements, reason = "types of one test are in it")]

use std::collections::HashMap;
use std::sync::Arc;

use etwkit::input::Input;
use etwkit::{Event, EventType, FieldError, FileTime, Filter, Guid, OwnedEvent, Trace};
use serde::Deserialize;

fn open(fixture: &str) -> Trace {
    let path = format!("{}/fixtures/{fixture}", env!("CARGO_MANIFEST_DIR"));
    Trace::open(path, etwkit_parsers::standard()).unwrap()
}

fn find(fixture: &str, name: &str, check: impl FnOnce(&Event<'_>)) {
    let trace = open(fixture);
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if event.name() == name {
            return check(&event);
        }
    }
    panic!("no event {name} in {fixture}");
}

#[test]
fn an_event_knows_its_names_time_and_process() {
    find("hello.etl", "CoffeeOrder/Start", |event| {
        assert_eq!((event.provider(), event.pid(), event.tid()), ("Synth.Cafe", Some(3400), Some(3412)));
        assert_eq!(event.time().unwrap().to_string(), "2026-01-02T03:04:05.0200000Z");
        assert_eq!(event.raw_time().0, 722_450_200_000);
        assert_eq!(event.process_name(), None, "the trace has no process events");
        assert_eq!(event.event_type().map(EventType::events), Some(2));
    });
    find("kernel-stacks.etl", "StackWalk/Stack", |event| assert_eq!(event.process_name(), Some("app.exe")));
    find("packets-ndis.etl", "EventID(1003)", |event| {
        assert_eq!(event.provider(), "Microsoft-Windows-NDIS-PacketCapture");
    });
}

#[test]
fn fields_are_read_as_rust_types() {
    find("hello.etl", "EventTrace", |event| {
        assert_eq!(event.get::<u32>("NumberOfProcessors"), Ok(2));
        assert_eq!(event.get::<u32>("numberofprocessors"), Ok(2), "case does not matter where no name is exact");
        assert_eq!(event.get::<&str>("SessionName"), Ok("HelloSession"), "UTF-16 is lent as UTF-8");
        assert_eq!(event.get::<String>("StandardName").unwrap(), "@tzres.dll,-322");
        let end: FileTime = event.get("EndTime").unwrap();
        assert_eq!(end.to_string(), "2026-01-02T03:05:05.0000000Z");
        assert_eq!(event.get::<Option<u32>>("NoSuchField"), Ok(None));
        assert!(matches!(event.get::<u32>("NoSuchField"), Err(FieldError::Missing { .. })));
        assert!(matches!(event.get::<u32>("SessionName"), Err(FieldError::WrongType { .. })));
        assert!(matches!(event.get::<u8>("BufferSize"), Err(FieldError::OutOfRange { .. })));
    });
    find("kernel-stacks.etl", "StackWalk/Stack", |event| {
        assert_eq!(event.get::<Vec<u64>>("Stack").unwrap(), [0xffff_f800_0100_2000, 0xffff_f800_0100_1000]);
        assert!(event.get::<Vec<String>>("Stack").is_err());
    });
    find("hello.etl", "CoffeeOrder/Start", |event| {
        assert_eq!(event.get::<Guid>("OrderId").unwrap().to_string(), "c0ffee00-0000-4000-8000-000000000001");
    });
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Order {
    order_id: Guid,
    item: Item,
    status: u32,
    note: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Item {
    drink: String,
    cups: u8,
    price: f64,
}

#[test]
fn structs_are_filled_from_fields() {
    find("hello.etl", "CoffeeOrder/Start", |event| {
        let order: Order = event.deserialize().unwrap();
        let item = Item { drink: "espresso".to_owned(), cups: 2, price: 2.5 };
        let order_id = "c0ffee00-0000-4000-8000-000000000001".parse().unwrap();
        assert_eq!(order, Order { order_id, item, status: 0, note: None });
        let all: HashMap<String, serde_json::Value> = event.deserialize().unwrap();
        assert_eq!(all["Item"], serde_json::json!({"Drink": "espresso", "Cups": 2, "Price": 2.5}));
        assert_eq!(all["Status"], "0x0", "as JSON lines have it");
    });
}

#[test]
fn arrays_bytes_and_borrowed_texts_are_filled() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Nested {
        items: Vec<(u32, String)>,
        blob: Vec<u8>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Session<'a> {
        session_name: &'a str,
        number_of_processors: u16,
        log_file_mode: String,
        standard_name: Option<&'a str>,
    }
    find("event-info.etl", "Nested", |event| {
        let error = event.deserialize::<Nested>().unwrap_err().to_string();
        assert!(error.contains("field Items"), "a struct is not a tuple: {error}");
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct Pair {
            key: u32,
            value: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct Named {
            items: Vec<Pair>,
            blob: Vec<u8>,
        }
        let named: Named = event.deserialize().unwrap();
        let pairs: Vec<_> = named.items.iter().map(|pair| (pair.key, pair.value.as_str())).collect();
        assert_eq!((pairs, named.blob), (vec![(1, "one"), (2, "two")], vec![7, 8, 9]));
    });
    find("hello.etl", "EventTrace", |event| {
        let session: Session<'_> = event.deserialize().unwrap();
        assert_eq!((session.session_name, session.number_of_processors), ("HelloSession", 2));
        assert_eq!((&*session.log_file_mode, session.standard_name), ("Sequential", Some("@tzres.dll,-322")));
    });
}

type Seen = (String, Option<FileTime>, Option<u32>, Vec<String>);

/// Everything that a test compares events by.
fn seen(event: &Event<'_>) -> Seen {
    let fields = event.fields().map(|field| format!("{}={field}", field.name())).collect();
    (format!("{}/{}", event.provider(), event.name()), event.time(), event.pid(), fields)
}

fn in_order(trace: &Trace) -> Vec<Seen> {
    let (mut events, mut all) = (trace.events(), Vec::new());
    while let Some(event) = events.next().unwrap() {
        all.push(seen(&event));
    }
    all
}

#[test]
fn owned_events_are_the_same_events_and_go_to_other_threads() {
    fn is_free<T: Send + Sync + 'static>(_: &T) {}
    for fixture in ["hello.etl", "kernel-stacks.etl", "prevista.etl", "bperf.btl", "message-items.etl"] {
        let expected = in_order(&open(fixture));
        let owned: Vec<OwnedEvent> = open(fixture).into_events().map(Result::unwrap).collect();
        is_free(&owned);
        let found = std::thread::spawn(move || owned.iter().map(|event| seen(&event.view())).collect::<Vec<_>>());
        assert_eq!(found.join().unwrap(), expected, "{fixture}");
    }
}

#[test]
fn parts_of_a_trace_have_all_events_in_order() {
    for fixture in ["many-processors.etl", "kernel-stacks.etl", "hello.etl"] {
        let trace = Arc::new(open(fixture));
        let expected = in_order(&trace);
        for count in [1, 2, 3, 1000] {
            let (parts, filter) = (trace.parts(count), trace.prepare(&Filter::default()));
            assert!((1..=count).contains(&parts.len()), "{} parts of {count}", parts.len());
            let mut all = Vec::new();
            for part in &parts {
                let mut events = trace.events_of(part, &filter);
                while let Some(event) = events.next().unwrap() {
                    all.push(seen(&event));
                }
            }
            assert_eq!(all, expected, "{fixture} in {count}");
        }
    }
}

#[test]
fn parts_of_a_trace_have_the_events_that_pass_a_filter() {
    for fixture in ["many-processors.etl", "kernel-stacks.etl", "hello.etl"] {
        let trace = open(fixture);
        let filter = Filter::default().processors([0]);
        let (mut expected, mut all) = (Vec::new(), Vec::new());
        let mut events = trace.select(&filter);
        while let Some(event) = events.next().unwrap() {
            expected.push(seen(&event));
        }
        let ready = trace.prepare(&filter);
        for part in trace.parts(7) {
            let mut events = trace.events_of(&part, &ready);
            while let Some(event) = events.next().unwrap() {
                all.push(seen(&event));
            }
        }
        assert_eq!(all, expected, "{fixture}");
    }
}

#[test]
fn a_resolved_field_is_the_field_of_that_name() {
    let trace = open("hello.etl");
    let mode = trace.resolve("windows kernel", "eventtrace", "logfilemode").unwrap();
    let mut events = trace.events();
    let (mut found, mut others) = (Vec::new(), 0);
    while let Some(event) = events.next().unwrap() {
        match event.get_of::<u32>(&mode) {
            Ok(value) => found.push((event.name().to_owned(), value)),
            Err(error) => {
                assert!(matches!(error, FieldError::Missing { .. } | FieldError::Undecoded { .. }), "{error}");
                others += 1;
            }
        }
    }
    assert_eq!((found, others > 0), (vec![("EventTrace".to_owned(), 1)], true));
    assert!(trace.resolve("Windows Kernel", "EventTrace", "NoSuchField").is_err());
    assert!(trace.resolve("Nobody", "EventTrace", "LogFileMode").is_err());
}

#[test]
fn processors_have_all_raw_events() {
    for fixture in ["many-processors.etl", "compressed-xpress.etl", "bperf.btl", "hello.etl"] {
        let trace = open(fixture);
        let mut expected: Vec<(u16, Vec<u8>)> = Vec::new();
        let mut events = trace.events();
        while let Some(event) = events.next().unwrap() {
            expected.push((event.processor(), event.raw().bytes().to_vec()));
        }
        let raw = etwkit::RawTrace::open(format!("{}/fixtures/{fixture}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let processors = raw.processors().unwrap();
        let mut found = Vec::new();
        for processor in &processors {
            let mut buffers = processor.buffers();
            while let Some(events) = buffers.next().unwrap() {
                found.extend(events.map(|event| (processor.number(), event.bytes().to_vec())));
            }
        }
        let numbers: Vec<u16> = processors.iter().map(etwkit::trace::Processor::number).collect();
        assert_eq!(numbers, trace.processor_numbers(), "{fixture}");
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{fixture}");
    }
}

#[test]
fn processors_report_what_is_damaged_in_their_buffers() {
    let path = format!("{}/fixtures/many-processors.etl", env!("CARGO_MANIFEST_DIR"));
    let mut bytes = std::fs::read(&path).unwrap();
    let trace = open("many-processors.etl");
    let mut events = trace.events();
    let mut places = Vec::new();
    while let Some(event) = events.next().unwrap() {
        places.push(event.raw().place());
    }
    let damaged = places[places.len() / 2];
    let buffer = trace.buffers().nth(damaged.buffer as usize).unwrap();
    let start = usize::try_from(buffer.offset).unwrap() + damaged.offset as usize;
    bytes[start..start + 16].fill(0x55);
    let input = || Input::bytes("damaged", bytes.clone());
    let mut expected = Trace::open(input(), etwkit_parsers::standard()).unwrap().problems().to_vec();
    let raw = etwkit::RawTrace::open_all(vec![input()]).unwrap();
    let processors = raw.processors().unwrap();
    let mut found = processors.problems().to_vec();
    for processor in &processors {
        let mut buffers = processor.buffers();
        while let Some(mut events) = buffers.next().unwrap() {
            events.by_ref().for_each(drop);
            found.extend_from_slice(events.problems());
        }
    }
    expected.sort_by_key(|problem| problem.offset);
    found.sort_by_key(|problem| problem.offset);
    assert!(!expected.is_empty() && processors.unlisted_problems() == 0);
    assert_eq!(found, expected);
}

/// Hands out seven bytes at a time.
struct Trickle(Vec<u8>);

impl etwkit::input::ReadAt for Trickle {
    fn read_at(&self, offset: u64, room: &mut [u8]) -> std::io::Result<usize> {
        let rest = self.0.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
        let count = rest.len().min(room.len()).min(7);
        room[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

#[test]
fn shared_bytes_and_positioned_reads_are_inputs() {
    for fixture in ["hello.etl", "compressed-xpress.etl"] {
        let bytes = std::fs::read(format!("{}/fixtures/{fixture}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let expected = in_order(&open(fixture));
        let shared: Arc<[u8]> = bytes.clone().into();
        let positioned = Input::positioned("trickle", bytes.len() as u64, Trickle(bytes));
        for input in [Input::shared("shared", shared), positioned] {
            assert_eq!(in_order(&Trace::open(input, etwkit_parsers::standard()).unwrap()), expected, "{fixture}");
        }
    }
}

#[test]
fn both_passes_can_be_cancelled() {
    use std::ops::ControlFlow::{Break, Continue};
    let path = format!("{}/fixtures/hello.etl", env!("CARGO_MANIFEST_DIR"));
    let raw = || etwkit::RawTrace::open(&path).unwrap();
    let error = raw().decode_with(etwkit_parsers::standard(), &mut |_| Break(())).unwrap_err();
    assert!(matches!(error.kind(), etwkit::ErrorKind::Cancelled), "{error}");
    let trace = raw().decode_with(etwkit_parsers::standard(), &mut |_| Continue(())).unwrap();
    let mut lines = etwkit::output::JsonLines::new(&trace, Vec::new());
    let options = etwkit::trace::RunOptions::default();
    let error = trace.run_with(&options, &mut lines, &mut |_, _| Break(())).unwrap_err();
    assert!(matches!(error.kind(), etwkit::ErrorKind::Cancelled), "{error}");
}
