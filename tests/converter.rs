//! Payloads that a schema cannot express: a plug-in converts them, and their values reach fields, filters and outputs.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use etwkit::event::RawEvent;
use etwkit::output::JsonLines;
use etwkit::parser::{Claims, Parsers, SchemaProvider, TraceFacts};
use etwkit::query::Expression;
use etwkit::schema::{ConvertPayload, Count, Encoding, Field, Len, Names, Scalar, Schema, SchemaSource, Wire};
use etwkit::trace::{Filter, RunOptions};
use etwkit::{Guid, Input, Trace};
use etwkit_synth::{Buffer, LogfileHeader, ModernEvent, Payload, TraceBuilder};

const SENSOR: u128 = 0x5e7a_1000_00ff_4b1d_9c0d_e7a5_1d0c_00ff;

/// Events of a sensor: a big-endian number, then tags: 1, a name; 2, a reading as a varint. Any number in any order.
#[derive(Clone, Debug)]
struct Sensor;

impl SchemaProvider for Sensor {
    fn name(&self) -> &str {
        "sensor"
    }

    fn claims(&self) -> Claims {
        Claims::provider(Guid::from_u128(SENSOR))
    }

    fn schema(&self, _: &RawEvent<'_>, _: &TraceFacts) -> etwkit::Result<Option<Schema>> {
        let names = Names::default().task("Reading");
        let mut schema = Schema::builder(SchemaSource::USER.into()).names(names).converter(SensorPayload);
        schema.field(Field::new("Number", Wire::Scalar(Scalar::U32)));
        schema.field(Field::new("Name", Wire::Text { encoding: Encoding::Utf8, len: Len::Prefix16 }));
        schema.field(Field::new("Readings", Wire::Scalar(Scalar::U64)).counted(Count::Prefix16));
        schema.build().map(Some)
    }
}

#[derive(Debug)]
struct SensorPayload;

impl ConvertPayload for SensorPayload {
    fn convert(&self, event: &RawEvent<'_>, out: &mut Vec<u8>) -> bool {
        let Some((number, mut rest)) = event.payload().split_first_chunk::<4>() else { return false };
        let (mut name, mut readings) = (&[][..], Vec::new());
        while let Some((tag, after)) = rest.split_first() {
            let Some((value, next)) = varint(after) else { return false };
            rest = next;
            match tag {
                1 => match rest.split_at_checked(value as usize) {
                    Some((text, next)) => (name, rest) = (text, next),
                    None => return false,
                },
                2 => readings.push(value),
                _ => return false,
            }
        }
        out.extend(u32::from_be_bytes(*number).to_le_bytes());
        out.extend((name.len() as u16).to_le_bytes());
        out.extend(name);
        out.extend((readings.len() as u16).to_le_bytes());
        out.extend(readings.iter().flat_map(|reading| reading.to_le_bytes()));
        true
    }
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let len = bytes.iter().take(9).position(|byte| byte & 0x80 == 0)? + 1;
    let value = bytes[..len].iter().rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7F));
    Some((value, &bytes[len..]))
}

fn trace() -> Trace {
    let header = LogfileHeader::default();
    let at = header.t0;
    let event = |tick: i64, payload: &[u8]| {
        ModernEvent::new(etwkit_synth::Guid::new(SENSOR)).id(1).at(at + tick).payload(Payload::new().bytes(payload))
    };
    let buffer = Buffer::on(0)
        .event(event(1, &[0, 0, 1, 2, 1, 4, b'r', b'o', b'o', b'm', 2, 0x85, 0x02, 2, 7]))
        .event(event(2, &[0, 0, 0, 9, 2, 1]))
        .event(event(3, &[0, 0, 0, 9, 3, 1]));
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    Trace::open(Input::bytes("made", bytes), Parsers::none().with(Sensor)).unwrap()
}

#[test]
fn converted_values_reach_fields_filters_and_outputs() {
    let trace = trace();
    let expression: Expression = "Number == 258 and Readings == 261".parse().unwrap();
    let filter = Filter::default().expression(expression);
    let mut events = trace.select(&filter);
    let event = events.next().unwrap().unwrap();
    assert_eq!((event.name(), event.get::<u32>("Number"), event.get::<&str>("Name")), ("Reading", Ok(258), Ok("room")));
    assert_eq!(event.get::<Vec<u64>>("Readings"), Ok(vec![261, 7]));
    let owned = event.to_owned();
    assert!(events.next().unwrap().is_none());
    assert_eq!(owned.get::<Vec<u64>>("Readings"), Ok(vec![261, 7]));

    let mut lines = JsonLines::new(&trace, Vec::new());
    trace.run(&RunOptions::default().filter(filter), &mut lines).unwrap();
    let line: serde_json::Value = serde_json::from_slice(&lines.finish().unwrap()).unwrap();
    assert_eq!(line["fields"], serde_json::json!({"Number": 258, "Name": "room", "Readings": [261, 7]}));
}

#[test]
fn what_is_not_in_the_encoding_is_delivered_as_bytes() {
    let trace = trace();
    let ids = Filter::default().ids([1]);
    let (mut events, mut found) = (trace.select(&ids), Vec::new());
    while let Some(event) = events.next().unwrap() {
        found.push((event.fit().is_whole(), event.remainder().to_vec()));
    }
    assert_eq!(found, [(true, vec![]), (true, vec![]), (false, vec![0, 0, 0, 9, 3, 1])]);
}
