//! One buffer of the file that is written (`WMI_BUFFER_HEADER`, section 2 of the format).

use zerocopy::little_endian::{I64, U16, U32, U64};
use zerocopy::{Immutable, IntoBytes};

use etwkit::format::BufferHeader;

/// `BufferHeader` as it is written.
#[derive(Immutable, IntoBytes)]
#[repr(C)]
struct Head {
    size: U32,
    saved_offset: U32,
    current_offset: U32,
    reference_count: U32,
    time: I64,
    sequence: I64,
    clock: U64,
    processor: U16,
    logger: U16,
    state: U32,
    used: U32,
    flags: U16,
    buffer_type: U16,
    reference_time: [u8; 16],
}

const _: () = assert!(size_of::<Head>() == BufferHeader::SIZE);

/// `BufferFlag` of the last buffer of a file.
const FLUSH_MARKER: u16 = 0x01;
/// `BufferFlag` of a buffer whose processor is a number of 16 bits.
const PROCESSOR_INDEX: u16 = 0x20;
/// `BufferFlag` of a compressed buffer.
const COMPRESSED: u16 = 0x40;
/// `State` of a buffer that was written: flush.
const FLUSH: u32 = 3;
/// `BufferType` of the first buffer.
const HEADER: u16 = 4;
/// The byte after the number of a processor that has no flag: the alignment of events.
const ALIGNMENT: u16 = 8 << 8;

/// What is the same in all buffers of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Bytes of a buffer that is not compressed.
    pub(super) size: usize,
    /// Clock type in the lowest three bits, frequency above.
    pub(super) clock: u64,
    /// Whether the number of a processor has 16 bits; one byte up to Windows 7.
    pub(super) has_index: bool,
}

/// What distinguishes a buffer from others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    pub(super) processor: u16,
    /// Raw time of its last event.
    pub(super) time: i64,
    pub(super) sequence: i64,
    pub(super) is_header: bool,
    pub(super) is_last: bool,
    /// `BufferFlag` of losses before it.
    pub(super) lost: u16,
}

/// Appends a buffer with these events to `out`: compressed, if `packed` has their compressed form.
pub(super) fn append(out: &mut Vec<u8>, layout: &Layout, identity: &Identity, events: &[u8], packed: Option<&[u8]>) {
    let used = BufferHeader::SIZE + events.len();
    let size = match packed {
        Some(packed) => BufferHeader::SIZE + packed.len(),
        None => layout.size.max(used),
    };
    let head = Head {
        size: U32::new(size as u32),
        saved_offset: U32::new(used as u32),
        current_offset: U32::ZERO,
        reference_count: U32::ZERO,
        time: I64::new(if identity.is_header { 0 } else { identity.time }),
        sequence: I64::new(identity.sequence),
        clock: U64::new(layout.clock),
        processor: U16::new(processor(layout, identity)),
        logger: U16::ZERO,
        state: U32::new(FLUSH),
        used: U32::new(used as u32),
        flags: U16::new(flags(layout, identity, packed.is_some())),
        buffer_type: U16::new(if identity.is_header { HEADER } else { 0 }),
        reference_time: [0; 16],
    };
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(packed.unwrap_or(events));
    if packed.is_none() {
        out.resize(out.len() + size - used, 0xFF);
    }
}

const fn has_index(layout: &Layout, identity: &Identity) -> bool {
    !identity.is_header && (layout.has_index || identity.processor > 0xFF)
}

const fn processor(layout: &Layout, identity: &Identity) -> u16 {
    if has_index(layout, identity) { identity.processor } else { (identity.processor & 0xFF) | ALIGNMENT }
}

const fn flags(layout: &Layout, identity: &Identity, compressed: bool) -> u16 {
    let index = if has_index(layout, identity) { PROCESSOR_INDEX } else { 0 };
    let last = if identity.is_last { FLUSH_MARKER } else { 0 };
    index | last | identity.lost | if compressed { COMPRESSED } else { 0 }
}
