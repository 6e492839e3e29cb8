//! `MESSAGE_TRACE_HEADER` of WPP messages (`evntrace.h`; section 6).

use zerocopy::little_endian::U16;

use crate::bytes::{Guid, PointerSize, i64_at, u32_at};
use crate::time::RawTime;

wire_struct! {
    /// The fixed part, 8 bytes; what follows depends on the options.
    pub struct MessageHeader {
        /// Bytes of header, optional fields and arguments.
        size: U16 as u16,
        /// 0.
        reserved: u8 as u8,
        /// 0x90.
        marker: u8 as u8,
        /// `MessageNumber` within the message GUID.
        number: U16 as u16,
        /// `OptionFlags`, see [`message_options`].
        options: U16 as u16,
    }
}

/// `TRACE_MESSAGE_*` bits of the option flags.
pub mod message_options {
    /// A `u32` sequence number.
    pub const SEQUENCE: u16 = 0x01;
    /// A 16-byte message GUID.
    pub const GUID: u16 = 0x02;
    /// A `u32` component id, which takes the place of the GUID.
    pub const COMPONENT_ID: u16 = 0x04;
    /// An `i64` time stamp.
    pub const TIMESTAMP: u16 = 0x08;
    /// Obsolete: the stamp is a performance counter; takes no space.
    pub const PERFORMANCE_TIMESTAMP: u16 = 0x10;
    /// `u32` thread id and `u32` process id.
    pub const SYSTEM_INFO: u16 = 0x20;
    /// A 32-bit caller.
    pub const POINTER32: u16 = 0x40;
    /// A 64-bit caller.
    pub const POINTER64: u16 = 0x80;
}

/// The optional fields of a message, unaligned and in a fixed order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageFields {
    /// Sequence number.
    pub sequence: Option<u32>,
    /// Component id.
    pub component: Option<u32>,
    /// Message GUID, which names the TMF file.
    pub guid: Option<Guid>,
    /// Raw session clock.
    pub time: Option<RawTime>,
    /// Thread and process.
    pub thread: Option<(u32, u32)>,
    /// Bytes of header and optional fields: the arguments begin here.
    pub len: usize,
}

impl MessageFields {
    /// Reads the fields of the message in `bytes` (header included). `None` if they do not fit.
    #[inline]
    pub fn read(bytes: &[u8], options: u16) -> Option<Self> {
        use message_options as opt;
        let mut fields = Self::default();
        let mut at = size_of::<MessageHeader>();
        let mut place = |len: usize| {
            let start = at;
            at += len;
            start
        };
        if options & opt::SEQUENCE != 0 {
            fields.sequence = Some(u32_at(bytes, place(4)));
        }
        if options & opt::COMPONENT_ID != 0 {
            fields.component = Some(u32_at(bytes, place(4)));
        } else if options & opt::GUID != 0 {
            let start = place(16);
            fields.guid = bytes.get(start..)?.first_chunk().map(|b| Guid::from_bytes(*b));
        }
        if options & opt::TIMESTAMP != 0 {
            fields.time = Some(RawTime(i64_at(bytes, place(8))));
        }
        if options & opt::SYSTEM_INFO != 0 {
            let start = place(8);
            fields.thread = Some((u32_at(bytes, start), u32_at(bytes, start + 4)));
        }
        fields.len = at;
        (at <= bytes.len()).then_some(fields)
    }

    /// Returns the caller's pointer size as the options state it; `None` if they do not.
    pub const fn pointer_size(options: u16) -> Option<PointerSize> {
        if options & message_options::POINTER32 != 0 {
            Some(PointerSize::Four)
        } else if options & message_options::POINTER64 != 0 {
            Some(PointerSize::Eight)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_in_order_and_a_component_id_replaces_the_guid() {
        let mut bytes = vec![0x18, 0, 0, 0x90, 7, 0, 0x2F, 0]; // sequence, guid, component, time, ids
        bytes.extend(9_u32.to_le_bytes()); // sequence
        bytes.extend(5_u32.to_le_bytes()); // component
        bytes.extend(77_i64.to_le_bytes()); // time stamp, unaligned
        bytes.extend(1_u32.to_le_bytes()); // tid
        bytes.extend(2_u32.to_le_bytes()); // pid
        let fields = MessageFields::read(&bytes, 0x2F).unwrap();
        assert_eq!((fields.sequence, fields.component, fields.guid), (Some(9), Some(5), None));
        assert_eq!((fields.time, fields.thread, fields.len), (Some(RawTime(77)), Some((1, 2)), 32));
        assert_eq!(MessageFields::read(&bytes[..30], 0x2F), None);
    }
}
