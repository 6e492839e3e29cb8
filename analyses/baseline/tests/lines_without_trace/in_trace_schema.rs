//! Schemas in the trace, as merging and EventSource put them there: with the names of a line, which our tables need not
//! have.

use std::fmt::Write;

use etwkit::schema::{
    Count, DisplayFormat, Encoding, Field, Len, Map, Scalar, Schema, SchemaEntry, SchemaSelector, Wire,
};
use etwkit_synth::Guid;
use etwkit_synth::schema::{EventInfo, EventMap, Property};

use crate::field_values::{FieldValue, Fields, number};

/// The schema of an event in a trace: the blob, and the maps of names that the line shows for numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InTraceSchema {
    pub(super) info: EventInfo,
    pub(super) maps: Vec<EventMap>,
}

/// The number of a name that only the lines have.
pub(super) fn number_of(name: &str) -> u32 {
    1 + hash(name) % 200
}

/// An id of events that only the lines have.
pub(super) fn id_of(names: &str) -> u16 {
    (30_000 + hash(names) % 30_000) as u16
}

fn hash(text: &str) -> u32 {
    text.bytes().fold(0, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}

/// `TRACE_EVENT_INFO` of a schema under other names. An empty task means that there is no task.
pub(super) fn of_schema(schema: &Schema, names: [&str; 3], fields: &Fields) -> Option<InTraceSchema> {
    let (mut properties, mut members, mut maps) = (Vec::new(), Vec::new(), Vec::new());
    let top: Vec<(usize, &Field)> = schema.top_level().collect();
    let index = |place: u16| top.iter().position(|(at, _)| *at == usize::from(place)).map(|at| at as u16);
    for (place, field) in &top {
        let mut property = property(field, &index)?;
        if let Wire::Struct { .. } = field.wire {
            property.flags |= 1;
            property.in_type = (top.len() + members.len()) as u16;
            let inner: Option<Vec<_>> =
                schema.members(*place).map(|(_, field)| self::property(field, &index)).collect();
            let inner = inner?;
            property.out_type = inner.len() as u16;
            members.extend(inner);
        }
        if let Some(name) = named(field, fields) {
            property.map = format!("{}Map", field.name);
            maps.push(EventMap { name: property.map.clone(), flag: 1, entries: vec![(number_of(&name), name)] });
        }
        properties.push(property);
    }
    let top_level = properties.len() as u32;
    properties.append(&mut members);
    let [provider_name, task_name, opcode_name] = names.map(str::to_owned);
    Some(InTraceSchema {
        info: EventInfo { provider_name, task_name, opcode_name, top_level, properties, ..EventInfo::default() },
        maps,
    })
}

/// The name that the line shows for a number.
pub(super) fn named(field: &Field, fields: &Fields) -> Option<String> {
    let FieldValue::Text(text, end) = fields.get(&*field.name)? else { return None };
    let is_number = matches!(field.wire, Wire::Scalar(scalar) if !matches!(scalar, Scalar::Guid | Scalar::SystemTime | Scalar::F32 | Scalar::F64));
    let is_named = is_number
        && field.display != DisplayFormat::FileTime
        && !text.is_empty()
        && number(&(text.clone() + if end.is_some() { "..." } else { "" })).is_none();
    is_named.then(|| text.clone() + if end.is_some() { "x" } else { "" })
}

fn property(field: &Field, index: &impl Fn(u16) -> Option<u16>) -> Option<Property> {
    let (in_type, len) = match field.wire {
        Wire::Scalar(scalar) => (scalar_type(scalar, field.display), None),
        Wire::Text { encoding, len } => (if encoding == Encoding::Utf16 { 1 } else { 2 }, Some(len)),
        Wire::Bytes { len } => (14, Some(len)),
        Wire::Struct { .. } => (0, None),
        _ => return None,
    };
    let out_type = if field.display == DisplayFormat::Bool && in_type == 4 { 13 } else { 0 };
    let mut property = Property::new(&field.name, in_type, out_type, 0);
    match len {
        Some(Len::Fixed(len)) => property.length = len,
        Some(Len::Field(at)) => (property.flags, property.length) = (2, index(at)?),
        Some(Len::Nul) | None => {}
        _ => return None,
    }
    match field.count {
        Count::One => {}
        Count::Fixed(count) => (property.flags, property.count) = (property.flags | 0x20, count),
        Count::Field(at) => (property.flags, property.count) = (property.flags | 4, index(at)?),
        _ => return None,
    }
    Some(property)
}

fn scalar_type(scalar: Scalar, display: DisplayFormat) -> u16 {
    match (scalar, display) {
        (Scalar::U32, DisplayFormat::Bool) => 13,
        (Scalar::I64 | Scalar::U64, DisplayFormat::FileTime) => 17,
        (Scalar::U32, DisplayFormat::Hex) => 20,
        (Scalar::U64, DisplayFormat::Hex) => 21,
        (Scalar::I8, _) => 3,
        (Scalar::U8, _) => 4,
        (Scalar::I16, _) => 5,
        (Scalar::U16, _) => 6,
        (Scalar::I32, _) => 7,
        (Scalar::U32, _) => 8,
        (Scalar::I64, _) => 9,
        (Scalar::U64, _) => 10,
        (Scalar::F32, _) => 11,
        (Scalar::F64, _) => 12,
        (Scalar::Guid, _) => 15,
        (Scalar::Pointer, _) => 16,
        _ => 18,
    }
}

/// A manifest as an EventSource writes it.
pub(super) fn manifest(entries: &[SchemaEntry], provider: etwkit::bytes::Guid, name: &str) -> String {
    let (mut tasks, mut events, mut templates, mut maps, mut strings) = Default::default();
    for entry in entries {
        let SchemaSelector::Manifest { id, .. } = entry.select else { continue };
        if entry.select.guid() != provider {
            continue;
        }
        let names = entry.schema.names();
        let task = names.task.as_deref().unwrap_or_default();
        let opcode = names.opcode.as_deref().map_or_else(String::new, |opcode| match opcode {
            "Start" | "Stop" => format!(r#" opcode="win:{opcode}""#),
            _ => format!(r#" opcode="{opcode}""#),
        });
        add(&mut tasks, &format!(r#"<task name="{task}" message="$(string.task_{task})" value="{}"/>"#, 65000 - id));
        add(&mut strings, &format!(r#"<string id="task_{task}" value="{task}"/>"#));
        add(
            &mut events,
            &format!(
                r#"<event value="{id}" version="0" level="win:Informational" symbol="E{id}" task="{task}"{opcode} template="T{id}"/>"#
            ),
        );
        let mut fields = String::new();
        for field in entry.schema.fields() {
            let map = entry.schema.map(field).map_or_else(String::new, |map| {
                add(&mut maps, &map_xml(map));
                for (value, name) in map.entries() {
                    add(&mut strings, &format!(r#"<string id="{}_{value}" value="{name}"/>"#, map.name()));
                }
                format!(r#" map="{}""#, map.name())
            });
            let _ = write!(fields, r#"<data name="{}" inType="win:{}"{map}/>"#, field.name, in_type(field));
        }
        add(&mut templates, &format!(r#"<template tid="T{id}">{fields}</template>"#));
    }
    let opcodes = r#"<opcode name="Send" message="$(string.opcode_Send)" value="9"/><opcode name="Receive" message="$(string.opcode_Receive)" value="240"/>"#;
    let more = r#"<string id="opcode_Send" value="Send"/><string id="opcode_Receive" value="Receive"/>"#;
    format!(
        r#"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events><provider name="{name}" guid="{provider}" resourceFileName="a" messageFileName="a" symbol="S"><tasks>{tasks}</tasks><opcodes>{opcodes}</opcodes><maps>{maps}</maps><events>{events}</events><templates>{templates}</templates></provider></events></instrumentation><localization><resources culture="en-US"><stringTable>{strings}{more}</stringTable></resources></localization></instrumentationManifest>"#
    )
}

fn add(all: &mut String, one: &str) {
    if !all.contains(one) {
        all.push_str(one);
    }
}

fn map_xml(map: &Map) -> String {
    let kind = if map.kind() == etwkit::schema::MapKind::Values { "valueMap" } else { "bitMap" };
    let entry =
        |(value, _): (u64, &str)| format!(r#"<map value="0x{value:x}" message="$(string.{}_{value})"/>"#, map.name());
    format!(r#"<{kind} name="{}">{}</{kind}>"#, map.name(), map.entries().map(entry).collect::<String>())
}

fn in_type(field: &Field) -> &'static str {
    match (field.wire, field.display) {
        (Wire::Scalar(Scalar::U32), DisplayFormat::Bool) => "Boolean",
        (Wire::Scalar(Scalar::I32), _) => "Int32",
        (Wire::Scalar(Scalar::U32), _) => "UInt32",
        (Wire::Scalar(Scalar::I64), _) => "Int64",
        (Wire::Scalar(Scalar::U64), _) => "UInt64",
        (Wire::Scalar(Scalar::Guid), _) => "GUID",
        _ => "UnicodeString",
    }
}

/// Where the name of an event is cut: provider, task, opcode.
pub(super) fn parts(name: &str) -> Option<[&str; 3]> {
    let (provider, event) = name.split_once('/')?;
    let (task, opcode) = event.split_once('/').unwrap_or((event, ""));
    Some([provider, if task.starts_with("EventID(") { "" } else { task }, opcode])
}

/// The provider of the trace's writer.
pub(super) fn synth(guid: etwkit::bytes::Guid) -> Guid {
    Guid::new(u128::from_str_radix(&guid.to_string().replace(['-', '{', '}'], ""), 16).unwrap_or_default())
}
