//! Any schema that the builder can make, for property tests of everything that takes schemas.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::bytes::Guid;

use super::{
    Count, DisplayFormat, Encoding, Expected, Field, HeaderInsert, Len, Map, MapKind, Message, MessagePart, Names,
    Origin, Scalar, Schema, SchemaBuilder, SchemaEntry, SchemaSelector, SchemaSource, Subject, UserData, UserPart,
    Wire,
};

/// Entries for all kinds of events.
pub(crate) fn entries() -> impl Strategy<Value = Vec<SchemaEntry>> {
    let entry = (select(), any::<(u8, u8)>(), any::<(u32, u32)>(), 0..4u8, schema());
    let entry = entry.prop_map(|(select, (a, b), (c, d), ranges, schema)| {
        let mut entry = SchemaEntry::new(select, schema);
        if ranges & 1 != 0 {
            entry.versions = a.min(b)..=a.max(b);
        }
        if ranges & 2 != 0 {
            entry.builds = c.min(d)..=c.max(d);
        }
        entry
    });
    vec(entry, 0..4)
}

/// Any schema that the builder can make. (Steps that it would refuse are bent to what it takes.)
pub(crate) fn schema() -> impl Strategy<Value = Schema> {
    let maps = vec((name(), map_kind(), vec((any::<u64>(), name()), 0..3)), 0..3);
    let steps = vec((step(), any::<u16>()), 0..14);
    let texts = (option::of(message()), option::weighted(0.2, user_data()));
    (names(), origin(), texts, maps, steps).prop_map(|(names, origin, (message, user_data), maps, steps)| {
        let mut builder = Schema::builder(origin).names(names).message(message).user_data(user_data.map(Arc::new));
        for (name, kind, entries) in maps {
            builder.map(Map::new(name, kind, entries).unwrap());
        }
        build(builder, steps)
    })
}

/// Returns a message of any parts.
pub(crate) fn message() -> impl Strategy<Value = Message> {
    let text = prop_oneof![name(), "[%!0-9|nrt\n\r\t ]{0,6}".prop_map(Box::from), Just("%".into())];
    let part = prop_oneof![
        text.prop_map(MessagePart::Text),
        (any::<u16>(), "[a-z0-9!%.]{0,3}")
            .prop_map(|(index, format)| MessagePart::Insert { index, format: format.into() }),
        (0..101u16).prop_map(|index| MessagePart::Insert { index, format: "".into() }),
        (proptest::sample::select(&HeaderInsert::ALL[..]), "[a-z0-9!%.]{0,3}")
            .prop_map(|(value, format)| MessagePart::Header { value, format: format.into() }),
        prop_oneof![any::<u32>(), 0..100u32].prop_map(MessagePart::Parameter),
    ];
    vec(part, 0..8).prop_map(Message::new)
}

/// Any tree of elements. (Parts that it would refuse are left out.)
fn user_data() -> impl Strategy<Value = UserData> {
    let xml_name = || prop_oneof!["[A-Za-z_][A-Za-z0-9_.-]{0,5}(:[a-z])?", Just("version".to_owned())];
    let part = prop_oneof![
        3 => xml_name().prop_map(|name| UserPart::Element(name.into())),
        2 => xml_name().prop_map(|name| UserPart::Attribute(name.into())),
        2 => name().prop_map(UserPart::Text),
        // A value more makes the number in the text.
        2 => (0..u16::MAX).prop_map(UserPart::Field),
        4 => Just(UserPart::End),
    ];
    (xml_name(), vec(part, 0..12)).prop_map(|(root, steps)| {
        let mut parts = vec![UserPart::Element(root.into())];
        let closed = |parts: &[UserPart]| {
            let open = |part: &&UserPart| matches!(part, UserPart::Element(_) | UserPart::Attribute(_));
            let ends = parts.iter().filter(|part| **part == UserPart::End).count();
            let left = parts.iter().filter(open).count().saturating_sub(ends);
            parts.iter().cloned().chain(std::iter::repeat_n(UserPart::End, left)).collect::<Vec<_>>()
        };
        for step in steps {
            parts.push(step);
            // The root stays open.
            if closed(&parts).len() == parts.len() || UserData::new(closed(&parts)).is_err() {
                parts.pop();
            }
        }
        UserData::new(closed(&parts)).unwrap()
    })
}

/// Returns a name: plain, a word of the grammar, or something odd.
pub(crate) fn name() -> BoxedStrategy<Box<str>> {
    const ODD: &[&str] = &[
        "",
        "as",
        "x",
        "map",
        "optional",
        "is",
        "nonzero",
        "counted",
        "rest",
        "tag",
        "wrapped",
        "version",
        "task",
        "none",
        "name",
        "event",
        "0",
        "12",
        "#3",
        "# no comment",
        "\"",
        "\\",
        "\r\n",
        "\u{202e}",
        "\0",
        "'",
        "é",
        "a b",
        "{",
        "}",
        "..",
        "u32",
    ];
    prop_oneof![
        // Few, so that names clash.
        4 => "[A-C]".prop_map(Box::from),
        2 => "[A-Za-z_][A-Za-z0-9_.-]{0,8}".prop_map(Box::from),
        2 => proptest::sample::select(ODD).prop_map(Box::from),
        1 => any::<String>().prop_map(Box::from),
    ]
    .boxed()
}

/// What is added to a builder next.
#[derive(Clone, Debug)]
enum Step {
    Field(Field),
    Begin(Field),
    End,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => field().prop_map(Step::Field),
        1 => field().prop_map(Step::Begin),
        1 => Just(Step::End),
    ]
}

/// Runs the steps; `at` picks what a field refers to, and its map.
fn build(mut builder: SchemaBuilder, steps: Vec<(Step, u16)>) -> Schema {
    let maps = u16::try_from(builder.clone().build().unwrap().maps().len()).unwrap();
    let mut integers: Vec<u16> = Vec::new();
    let mut subjects: Vec<u16> = Vec::new();
    let mut depth = 0usize;
    for (step, at) in steps {
        match step {
            Step::Field(mut field) => {
                bend(&mut field, &integers, maps, at);
                let single = field.is_single_integer();
                let place = builder.field(field);
                integers.extend(single.then_some(place));
                subjects.extend((single && depth == 0).then_some(place));
            }
            Step::Begin(mut field) => {
                bend(&mut field, &integers, maps, at);
                builder.begin_struct(field);
                depth += 1;
            }
            Step::End if depth > 0 => {
                builder.end_struct();
                depth -= 1;
            }
            Step::End => {}
        }
    }
    (0..depth).for_each(|_| builder.end_struct());
    let subject = Subject {
        process: subjects.first().copied(),
        thread: subjects.get(1).copied(),
        no_thread: subjects.len() == 1,
    };
    builder.subject(subject).build().unwrap()
}

/// Points a field's references and map to what is there, or takes them away.
fn bend(field: &mut Field, integers: &[u16], maps: u16, at: u16) {
    let target = (!integers.is_empty()).then(|| integers[usize::from(at) % integers.len()]);
    if let Count::Field(_) = field.count {
        field.count = target.map_or(Count::Rest, Count::Field);
    }
    match &mut field.wire {
        Wire::Bytes { len: len @ Len::Nul } => *len = Len::Rest,
        Wire::Text { len: len @ Len::Within { .. }, .. } | Wire::Bytes { len: len @ Len::Within { .. } } => {
            *len = target.map_or(Len::Rest, |used| Len::Within { used, room: 7 });
        }
        wire @ Wire::Bits { .. } if target.is_none() => *wire = Wire::Bytes { len: Len::Rest },
        Wire::Bits { of, .. } => *of = target.unwrap_or_default(),
        Wire::Text { len: len @ Len::Field(_), .. } | Wire::Bytes { len: len @ Len::Field(_) } => {
            *len = target.map_or(Len::Rest, Len::Field);
        }
        _ => {}
    }
    field.map = field.map.and_then(|map| map.checked_rem(maps));
}

fn field() -> impl Strategy<Value = Field> {
    let tag = prop_oneof![Just(0), any::<u32>()];
    let alias = option::weighted(0.1, name());
    let odds = (option::weighted(0.3, any::<u16>()), any::<bool>(), tag, option::weighted(0.1, expected()), alias);
    (name(), wire(), count(), display(), odds).prop_map(|(name, wire, count, show, odds)| {
        let (map, optional, tag, expected, alias) = odds;
        let field = Field::new(name, wire).counted(count).displayed(show);
        Field { alias, map, optional, expected, tag, ..field }
    })
}

fn expected() -> impl Strategy<Value = Expected> {
    prop_oneof![name().prop_map(Expected::Text), Just(Expected::NonZero)]
}

fn wire() -> impl Strategy<Value = Wire> {
    let encoding = prop_oneof![Just(Encoding::Utf16), Just(Encoding::Ansi), Just(Encoding::Utf8)];
    prop_oneof![
        4 => scalar().prop_map(Wire::Scalar),
        2 => (encoding, len()).prop_map(|(encoding, len)| Wire::Text { encoding, len }),
        1 => len().prop_map(|len| Wire::Bytes { len }),
        1 => any::<bool>().prop_map(|wrapped| Wire::Sid { wrapped }),
        1 => (0..60_u8, 1..5_u8).prop_map(|(first, count)| Wire::Bits { of: 0, first, count }),
        1 => Just(Wire::Struct { fields: 0 }),
    ]
}

fn scalar() -> impl Strategy<Value = Scalar> {
    const ALL: [Scalar; 13] = [
        Scalar::I8,
        Scalar::U8,
        Scalar::I16,
        Scalar::U16,
        Scalar::I32,
        Scalar::U32,
        Scalar::I64,
        Scalar::U64,
        Scalar::F32,
        Scalar::F64,
        Scalar::Guid,
        Scalar::Pointer,
        Scalar::SystemTime,
    ];
    proptest::sample::select(&ALL[..])
}

fn len() -> impl Strategy<Value = Len> {
    prop_oneof![
        any::<u16>().prop_map(Len::Fixed),
        Just(Len::Field(0)),
        Just(Len::Within { used: 0, room: 7 }),
        Just(Len::Nul),
        Just(Len::Prefix16),
        Just(Len::Prefix16Swapped),
        Just(Len::Prefix32),
        Just(Len::Rest),
    ]
}

fn count() -> impl Strategy<Value = Count> {
    prop_oneof![
        4 => Just(Count::One),
        1 => any::<u16>().prop_map(Count::Fixed),
        1 => Just(Count::Field(0)),
        1 => Just(Count::Prefix16),
        1 => Just(Count::Rest),
    ]
}

fn display() -> impl Strategy<Value = DisplayFormat> {
    const ALL: [DisplayFormat; 26] = [
        DisplayFormat::Plain,
        DisplayFormat::Hidden,
        DisplayFormat::Hex,
        DisplayFormat::Bool,
        DisplayFormat::Char,
        DisplayFormat::Signed,
        DisplayFormat::Unsigned,
        DisplayFormat::Pid,
        DisplayFormat::Tid,
        DisplayFormat::Port,
        DisplayFormat::Ipv4,
        DisplayFormat::Ipv6,
        DisplayFormat::SocketAddress,
        DisplayFormat::Mac,
        DisplayFormat::FileTime,
        DisplayFormat::UnixTime,
        DisplayFormat::ClockTime,
        DisplayFormat::Xml,
        DisplayFormat::Json,
        DisplayFormat::Win32Error,
        DisplayFormat::NtStatus,
        DisplayFormat::HResult,
        DisplayFormat::ErrorCode,
        DisplayFormat::CodePointer,
        DisplayFormat::Pkcs7,
        DisplayFormat::Guid,
    ];
    proptest::sample::select(&ALL[..])
}

fn map_kind() -> impl Strategy<Value = MapKind> {
    prop_oneof![Just(MapKind::Values), Just(MapKind::Bits), Just(MapKind::Texts)]
}

fn names() -> impl Strategy<Value = Names> {
    let texts = || option::of(name());
    let first = (texts(), option::of(guid()), texts(), texts());
    let details = vec((name(), name()), 0..3);
    let second = (texts(), texts(), texts(), texts(), vec((any::<u64>(), name()), 0..3), details);
    (first, second).prop_map(
        |((provider, provider_guid, task, opcode), (level, channel, event, provider_message, keywords, details))| {
            let (keywords, details) = (keywords.into(), details.into());
            Names {
                provider,
                provider_guid,
                task,
                opcode,
                level,
                channel,
                keywords,
                event,
                provider_message,
                details,
                ..Names::default()
            }
        },
    )
}

fn origin() -> impl Strategy<Value = Origin> {
    const SOURCES: [SchemaSource; 7] = [
        SchemaSource::EVENT,
        SchemaSource::TRACE_EVENT_INFO,
        SchemaSource::IN_TRACE_MANIFEST,
        SchemaSource::USER,
        SchemaSource::SYMBOLS,
        SchemaSource::BUILT_IN,
        SchemaSource::REGISTERED,
    ];
    (proptest::sample::select(&SOURCES[..]), any::<bool>(), any::<bool>())
        .prop_map(|(source, guessed_version, guessed_build)| Origin { source, guessed_version, guessed_build })
}

fn select() -> impl Strategy<Value = SchemaSelector> {
    prop_oneof![
        (guid(), any::<u8>()).prop_map(|(class, opcode)| SchemaSelector::Classic { class, opcode }),
        (guid(), any::<u16>()).prop_map(|(provider, id)| SchemaSelector::Manifest { provider, id }),
        (guid(), name()).prop_map(|(provider, name)| SchemaSelector::TraceLogging { provider, name }),
        (guid(), any::<u16>()).prop_map(|(guid, number)| SchemaSelector::Wpp { guid, number }),
    ]
}

/// One of a few, so that entries share providers and classes, or any.
fn guid() -> impl Strategy<Value = Guid> {
    prop_oneof![0..2u128, any::<u128>()].prop_map(Guid::from_u128)
}
