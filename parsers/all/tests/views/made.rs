//! Traces with payloads for every entry of the tables.

use etwkit::bytes;
use etwkit::schema::{Count, Encoding, Field, Len, Schema, SchemaEntry, SchemaSelector, Wire};
use etwkit::{Input, Trace};
use etwkit_synth::{ClassicEvent, Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};

/// Bytes of a payload: more than the fixed part of nearly all layouts.
const LEN: usize = 1200;

/// Builds of Windows: of Vista, which has events of its own, and of Windows 10.
const BUILDS: [u32; 2] = [6000, 19041];

/// Returns the traces, one for each build and size of pointers.
pub(crate) fn traces() -> impl Iterator<Item = Trace> {
    let entries = entries();
    let machines = BUILDS.into_iter().flat_map(|build| [(build, PointerSize::Four), (build, PointerSize::Eight)]);
    machines.map(move |(build, size)| trace(&entries, build, size))
}

/// Every entry of the kernel's and the runtime's tables, those of the runtime's other forms included.
fn entries() -> Vec<SchemaEntry> {
    etwkit_kernel::entries().chain(etwkit_clr::entries()).flatten().collect()
}

fn trace(entries: &[SchemaEntry], build: u32, size: PointerSize) -> Trace {
    let header = LogfileHeader { pointer_size: size.bytes() as u32, build, ..LogfileHeader::default() };
    let mut time = header.t0 + 1_000;
    let mut builder = TraceBuilder::new(header);
    for entry in entries {
        let (first, last) = (*entry.versions.start(), *entry.versions.end());
        for version in [first, last.min(first + 1)] {
            for payload in payloads(&entry.schema, size) {
                builder = builder.log(0, event(&entry.select, version, size, time, payload));
                time += 1;
            }
        }
    }
    let trace = Trace::open(Input::bytes("made", builder.build().bytes), etwkit_parsers::standard()).unwrap();
    assert!(!trace.is_damaged(), "{:?}", trace.problems());
    trace
}

/// Zeros as long as the layout's own, so that it is chosen among several; ones, which give values, SIDs and text
/// without end; 0xFF, the largest and the negative numbers; what the one layout wants that goes by a field's content.
fn payloads(schema: &Schema, size: PointerSize) -> [Payload; 4] {
    let fill = |byte: u8, len: usize| Payload::new().bytes(&vec![byte; len]);
    let named = Payload::new().utf16z("CommittedUsage").u32(42).bytes(&[1; 44]);
    [fill(0, zeros(schema, size)), fill(1, LEN), fill(0xFF, LEN), named]
}

/// How long a payload of zeros is: texts and counted arrays are empty.
fn zeros(schema: &Schema, size: PointerSize) -> usize {
    schema.top_level().map(|(place, field)| zeros_of(schema, place, field, size)).sum()
}

fn zeros_of(schema: &Schema, place: usize, field: &Field, size: PointerSize) -> usize {
    let count = match field.count {
        Count::One => 1,
        Count::Fixed(count) => usize::from(count),
        Count::Prefix16 => return 2,
        _ => return 0,
    };
    let unit = if matches!(field.wire, Wire::Text { encoding: Encoding::Utf16, .. }) { 2 } else { 1 };
    let element = match field.wire {
        Wire::Scalar(scalar) => {
            scalar.len(if size == PointerSize::Four { bytes::PointerSize::Four } else { bytes::PointerSize::Eight })
        }
        Wire::Text { len, .. } | Wire::Bytes { len } => match len {
            Len::Fixed(len) | Len::Within { room: len, .. } => usize::from(len) * unit,
            Len::Nul => unit,
            Len::Prefix16 | Len::Prefix16Swapped => 2,
            Len::Prefix32 => 4,
            _ => 0,
        },
        Wire::Bits { .. } => 0,
        Wire::Sid { wrapped: true } => 4,
        Wire::Sid { .. } => 8,
        _ => schema.members(place).map(|(place, member)| zeros_of(schema, place, member, size)).sum(),
    };
    count * element
}

fn event(select: &SchemaSelector, version: u8, size: PointerSize, time: i64, payload: Payload) -> Event {
    let guid = Guid::new(u128::from_str_radix(&select.guid().to_string().replace('-', ""), 16).unwrap());
    match select {
        SchemaSelector::Classic { opcode, .. } => {
            ClassicEvent::new(size, guid, *opcode).version(version.into()).by(4, 8).at(time).payload(payload).into()
        }
        SchemaSelector::Manifest { id, .. } => {
            ModernEvent::new(guid).size(size).id(*id).version(version).by(4, 8).at(time).payload(payload).into()
        }
        other => panic!("{other:?}"),
    }
}
