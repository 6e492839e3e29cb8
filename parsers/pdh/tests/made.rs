//! Logs made for a test, and bytes that are not logs.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

#[path = "common/log.rs"]
mod log;

use etwkit::FileTime;
use etwkit::decode::Fit;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_pdh::{CLASS, Catalog, Counter, LIST, PerformanceLog, Record, SAMPLE, Sample, Table, Zone};
use etwkit_synth::event::PointerSize;
use etwkit_synth::{Buffer, ClassicEvent, Guid, LogfileHeader, Payload, TraceBuilder};
use proptest::prelude::*;

use log::{LOG, entry, list, sample, several, single};

#[test]
fn paths_have_parents_and_indices() {
    let entries = [
        entry(0x0001_0000, 10, None, None, 0),
        entry(0x0001_0000, 10, Some("a"), None, 2),
        entry(0x0001_0000, 10, Some("thread"), Some("process"), 0),
    ];
    let catalog = Catalog::parse(&list(&entries)).unwrap();
    let paths: Vec<_> = catalog.counters.iter().map(Counter::path).collect();
    assert_eq!(paths, ["\\\\m\\Object\\Count", "\\\\m\\Object(a#2)\\Count", "\\\\m\\Object(process/thread)\\Count"]);
}

#[test]
fn instances_come_and_go() {
    let entries = [entry(0x0001_0100, 10, Some("*"), None, 0), entry(0x1041_0500, 10, None, None, 0)];
    let mut table = Table::new(Catalog::parse(&list(&entries)).unwrap());
    let samples = [
        sample(&[several(&[("a", 1), ("b", 2)]), single(100, 0)]),
        sample(&[several(&[("b", 3), ("b", 4), ("c", 5)]), single(150, 20)]),
    ];
    for (time, payload) in samples.iter().enumerate() {
        table.add(FileTime(i64::try_from(time).unwrap() * 10_000_000), &Sample::parse(payload).unwrap()).unwrap();
    }
    let mut out = Vec::new();
    table.print(&mut out, ',', Zone { name: "Z", bias: -60 }).unwrap();
    let wanted = r#""(PDH-CSV 4.0) (Z)(-60)","\\m\Object(a)\Count","\\m\Object(b)\Count","\\m\Object(b#1)\Count","\\m\Object(c)\Count","\\m\Object\Count"
"01/01/1601 00:00:00.000","1","2"," "," "," "
"01/01/1601 00:00:01.000"," ","3","4","5","25"
"#;
    assert_eq!(String::from_utf8(out).unwrap(), wanted);
    let other = Sample::parse(&sample(&[single(1, 1)])).unwrap();
    assert!(table.add(FileTime(0), &other).is_err());
}

#[test]
fn broken_lengths_are_errors() {
    let good = sample(&[several(&[("a", 1)]), single(1, 2)]);
    assert!(matches!(Sample::parse(&good).unwrap().records.first(), Some(Record::Several { padding: Some(0), .. })));
    for len in 0..good.len() {
        assert!(Sample::parse(&good[..len]).is_err(), "{len}");
    }
    let good = list(&[entry(0x0001_0000, 10, Some("a"), None, 2)]);
    for len in 33..good.len() {
        assert!(Catalog::parse(&good[..len]).is_err(), "{len}");
    }
}

/// More counters than a schema has room for: 18 places each in a list, 9 in a sample.
#[test]
fn a_log_of_many_counters_is_shown_as_far_as_a_schema_reaches() {
    for (counters, in_list, in_sample) in
        [(200, "Counter", "\\\\m\\Object\\Count"), (300, "Data", "\\\\m\\Object\\Count"), (600, "Data", "Records")]
    {
        let entry = entry(0x0001_0000, 10, None, None, 0);
        let payloads = [(LIST, list(&vec![entry; counters])), (SAMPLE, sample(&vec![single(7, 0); counters]))];
        let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
        let mut trace = TraceBuilder::new(header.clone());
        for (opcode, payload) in payloads {
            let class = Guid::new(u128::from_str_radix(&CLASS.to_string().replace('-', ""), 16).unwrap());
            let event =
                ClassicEvent::new(PointerSize::Eight, class, opcode).version(60).at(header.t0 + 1).payload(payload);
            trace = trace.buffer(Buffer::on(0).event(event));
        }
        let parsers = Parsers::none().with(PerformanceLog::default());
        let trace = Trace::open(Input::bytes("made", trace.build().bytes), parsers).unwrap();
        let mut events = trace.events_in(Order::File, &Filter::default());
        let mut found = Vec::new();
        while let Some(event) = events.next().unwrap() {
            let Some(schema) = event.schema().filter(|_| event.raw().key().provider == CLASS) else { continue };
            // All bytes are in fields, and the times are marked as local.
            assert_eq!((event.fit(), event.remainder().len(), event.is_local_time()), (Fit::Exact, 0, true));
            found.push(schema.fields().iter().map(|field| field.name.to_string()).collect::<Vec<_>>());
        }
        let [list, sample] = found.try_into().unwrap();
        assert!(list.iter().any(|name| name == in_list), "{counters}: {list:?}");
        assert!(sample.iter().any(|name| name == in_sample), "{counters}: {sample:?}");
        assert!(list.len() <= 4096 && sample.len() <= 4096);
    }
}

/// Events that are neither a list nor a sample have no known layout, but their times are local too.
#[test]
fn other_events_of_a_log_are_bytes_at_a_local_time() {
    let header = LogfileHeader::default();
    let class = Guid::new(u128::from_str_radix(&CLASS.to_string().replace('-', ""), 16).unwrap());
    let mut buffer = Buffer::on(0);
    for opcode in [33, 35, 36] {
        let payload = Payload::new().guid(LOG).u32(1).utf16z("Processor");
        let event = ClassicEvent::new(PointerSize::Eight, class, opcode).version(60).at(header.t0 + 1);
        buffer = buffer.event(event.payload(payload.into_bytes()));
    }
    let trace = TraceBuilder::new(header).buffer(buffer).build();
    let parsers = Parsers::none().with(PerformanceLog::default());
    let trace = Trace::open(Input::bytes("made", trace.bytes), parsers).unwrap();
    let mut events = trace.events_in(Order::File, &Filter::default());
    let mut names = Vec::new();
    while let Some(event) = events.next().unwrap() {
        let Some(schema) = event.schema().filter(|_| event.raw().key().provider == CLASS) else { continue };
        assert_eq!((event.fit(), event.is_local_time()), (Fit::Exact, true));
        names.push(schema.names().opcode.clone().unwrap_or_default().to_string());
    }
    assert_eq!(names, ["Opcode33", "Names35", "Names36"]);
}

/// The instance's count of instances is not a status: a sum over four is a value like others.
#[test]
fn an_instance_may_be_the_sum_of_several() {
    let entries = [entry(0x2241_0500, 10, Some("*"), None, 0)];
    let mut table = Table::new(Catalog::parse(&list(&entries)).unwrap());
    for second in [0_i64, 10] {
        let mut record = several(&[("a", second * 2)]);
        record[36..40].copy_from_slice(&4_u32.to_le_bytes());
        record[48..56].copy_from_slice(&second.to_le_bytes());
        table.add(FileTime(second), &Sample::parse(&sample(&[record])).unwrap()).unwrap();
    }
    let values: Vec<_> = table.rows().map(|(_, values)| values).collect();
    assert_eq!(values, [vec![None], vec![Some(50.0)]]);
}

proptest! {
    #[test]
    fn damage_does_no_harm(spots in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let entries = [entry(0x0001_0100, 10, Some("*"), None, 0), entry(0x1041_0500, 10, None, None, 0)];
        let mut payloads = [list(&entries), sample(&[several(&[("a", 1), ("b", 2)]), single(100, 0)])];
        for payload in &mut payloads {
            for (at, value) in &spots {
                let at = at.index(payload.len());
                if let Some(byte) = payload.get_mut(at) {
                    *byte = *value;
                }
            }
        }
        let [list, sample] = payloads;
        if let (Ok(catalog), Ok(sample)) = (Catalog::parse(&list), Sample::parse(&sample)) {
            let mut table = Table::new(catalog);
            let _ = table.add(FileTime(i64::MAX), &sample);
            table.print(&mut Vec::new(), ',', Zone { name: "", bias: 0 }).unwrap();
        }
    }
}
