//! `EVENT_RECORD` of `evntcons.h`: an event as Windows hands it to a program, with its memory layout (section 17).

use super::{Event, ExtendedItem, HeaderKind};
use crate::guid::Guid;
use crate::narrow::{round_up_8, u16_of};
use crate::payload::Payload;

/// Returns the record of an event that a processor wrote, in a 64-bit program. `EventHeader` of Vista's events is as it
/// was in the buffer but for the marker; that of older ones is made of what their header has.
///
/// # Panics
/// For the error kind, and for hooks of groups that no fixture needs.
pub fn record(event: impl Into<Event>, processor: u16) -> Event {
    let event = event.into();
    let is_32 = matches!(
        event.kind,
        HeaderKind::System32
            | HeaderKind::Compact32
            | HeaderKind::PerfInfo32
            | HeaderKind::Full32
            | HeaderKind::Instance32
            | HeaderKind::Event32
    );
    let flags = if is_32 { 0x20 } else { 0x40 } | u16::from(!event.items.is_empty());
    let provider = event.provider.unwrap_or_else(|| class_of(event.hook));
    let head = match event.kind {
        HeaderKind::Event32 | HeaderKind::Event64 => {
            let flags = flags | 0x200 | u16::from(event.bytes[4]);
            let head = Payload::new().bytes(&event.bytes[..2]).u16(0).u16(flags);
            head.bytes(&event.bytes[6..80])
        }
        kind => older(&event, provider, flags | flags_of(kind)),
    };
    let counts = head.u16(processor).u16(0).u16(u16_of(event.items.len())).u16(u16_of(event.payload().len()));
    let fixed = counts.u64(0x1f_2a30_4410).u64(0x1f_2a30_4470).u64(0);
    let bytes = items(&event.items, Vec::from(fixed.bytes(event.payload())));
    Event {
        kind: if is_32 { HeaderKind::Record32 } else { HeaderKind::Record64 },
        pid: Some(event.pid.unwrap_or(u32::MAX)),
        tid: Some(event.tid.unwrap_or(u32::MAX)),
        provider: Some(provider),
        hook: None,
        derived_items: Vec::new(),
        header_len: 112,
        payload_len: event.payload().len(),
        bytes,
        ..event
    }
}

/// `EVENT_HEADER_FLAG_*` of older kinds: classic or message, and whether there are processor times.
#[expect(clippy::panic, reason = "a test trace that cannot be written must not be written wrongly")]
fn flags_of(kind: HeaderKind) -> u16 {
    match kind {
        HeaderKind::Message => 0x08,
        HeaderKind::PerfInfo32 | HeaderKind::PerfInfo64 | HeaderKind::Compact32 | HeaderKind::Compact64 => 0x310,
        HeaderKind::Error => panic!("no record is made of an error event"),
        _ => 0x300,
    }
}

fn older(event: &Event, provider: Guid, flags: u16) -> Payload {
    let [version, level] = [event.version.to_le_bytes()[0], event.level];
    let start = Payload::new().u16(u16_of(event.bytes.len())).u16(0).u16(flags).u16(0);
    let (pid, tid) = (event.pid.unwrap_or(u32::MAX), event.tid.unwrap_or(u32::MAX));
    let origin = start.u32(tid).u32(pid).i64(event.time.unwrap_or(0)).guid(provider);
    let descriptor = origin.u16(event.id.unwrap_or(0)).u8(version).u8(0).u8(level).u8(event.opcode).u16(0).u64(0);
    descriptor.u64(0).guid(Guid::NIL)
}

/// Payload and items with what is aligned in between.
fn items(items: &[ExtendedItem], mut bytes: Vec<u8>) -> Vec<u8> {
    if items.is_empty() {
        return bytes;
    }
    bytes.resize(round_up_8(bytes.len()), 0);
    for (n, item) in items.iter().enumerate() {
        let linkage = u16::from(n + 1 < items.len());
        let head = Payload::new().u16(0).u16(item.kind).u16(linkage).u16(u16_of(item.data.len()));
        bytes.extend(Vec::from(head.u64(0x1f_2a30_5000)));
    }
    for item in items {
        bytes.resize(round_up_8(bytes.len()), 0);
        bytes.extend_from_slice(&item.data);
    }
    bytes
}

/// Returns the class GUID under which Windows reports a kernel event (section 5.10).
#[expect(clippy::panic, reason = "a test trace that cannot be written must not be written wrongly")]
fn class_of(hook: Option<u16>) -> Guid {
    match hook.map(u16::to_be_bytes) {
        Some([0x00, _]) => Guid::new(0x68fdd900_4a3e_11d1_84f4_0000f80464e3),
        Some([0x03, _]) => Guid::new(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c),
        Some([0x0f, _]) => Guid::new(0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc),
        Some([0x14, _]) => Guid::new(0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518),
        other => panic!("no class for hook {other:x?}"),
    }
}
