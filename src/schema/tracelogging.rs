//! The head of TraceLogging metadata (`EVENT_SCHEMA_TL`, extended item 11): what is before the fields.
//!
//! Shared, because a set of schemas chooses by the event's name. The crate `etwkit-tracelogging` reads the fields.
//!
//! Source: `TraceLoggingProvider.h` of the Windows SDK; section 11 of `docs/format`.

use crate::bytes::Cursor;
use crate::error::{Error, Result};

/// The metadata of an event, read up to its fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Metadata<'d> {
    /// Name of the event, UTF-8; may be empty.
    pub name: &'d [u8],
    /// At the first field. It ends where the metadata does, and counts from the first byte of the item.
    pub fields: Cursor<'d>,
}

impl<'d> Metadata<'d> {
    /// Reads size, tags and name. Bytes beyond the size that it states do not belong to it.
    ///
    /// # Errors
    ///
    /// The item has fewer bytes than it states, or one of the three does not end within them.
    pub fn read(item: &'d [u8]) -> Result<Self> {
        let size = usize::from(Cursor::new(item).u16("TraceLogging metadata size")?);
        let Some(bytes) = item.get(..size) else {
            return Err(Error::truncated("TraceLogging metadata", size, item.len()).at(0));
        };
        let mut fields = Cursor::new(bytes);
        fields.take(2, "TraceLogging metadata size")?;
        // The tags are the provider's own; a schema has no place for them.
        tags(&mut fields, "event tags")?;
        let name = fields.nul_terminated("event name")?;
        Ok(Self { name, fields })
    }
}

/// Reads the tags of an event or field: seven bits per byte from bit 27 down, while the byte's highest bit is set. Four
/// bytes fill the 28 bits; of more, which the header does not forbid, nothing is kept.
///
/// # Errors
///
/// The bytes end before the tags do; `what` names them.
pub fn tags(cursor: &mut Cursor<'_>, what: &'static str) -> Result<u32> {
    let mut value = 0;
    let mut shift = Some(21);
    loop {
        let byte = cursor.u8(what)?;
        if let Some(left) = shift {
            value |= u32::from(byte & !CHAIN) << left;
            shift = u32::checked_sub(left, 7);
        }
        if byte & CHAIN == 0 {
            return Ok(value);
        }
    }
}

/// Another byte follows (`TlgInChain`, `TlgOutChain`).
pub const CHAIN: u8 = 0x80;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_comes_after_any_number_of_tags() {
        let name = |bytes: &'static [u8]| Metadata::read(bytes).map(|metadata| metadata.name).ok();
        assert_eq!(name(&[5, 0, 1, b'E', 0]), Some(b"E".as_slice()));
        assert_eq!(name(&[10, 0, 0x81, 0x82, 0x83, 0x84, 0x85, 6, b'E', 0, 9, 9]), Some(b"E".as_slice()));
    }

    #[test]
    fn what_is_beyond_the_size_does_not_belong_to_it() {
        assert!(Metadata::read(&[4, 0, 1, b'E', b'F', 0]).is_err());
        assert!(Metadata::read(&[9, 0, 1, b'E', b'F', 0]).is_err());
        assert!(Metadata::read(&[5, 0, 1, b'E', 0, b'F', 0]).unwrap().fields.is_empty());
    }

    #[test]
    fn tags_end_where_no_further_byte_is_announced() {
        let read = |bytes: &[u8]| tags(&mut Cursor::new(bytes), "tags").ok();
        assert_eq!(read(&[0x01]), Some(0x0020_0000));
        assert_eq!(read(&[0x80, 0x80, 0x80, 0x01]), Some(1));
        assert_eq!(read(&[0x80, 0x80, 0x80, 0x81, 0xFF, 0x7F]), Some(1));
        assert_eq!(read(&[0x80, 0x80]), None);
    }
}
