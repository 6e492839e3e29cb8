//! The bytes of extended item 11: size, tags, event name, then fields to its end.

use etwkit::bytes::Cursor;
use etwkit::error::Result;
use etwkit::schema::tracelogging::{CHAIN, Metadata, tags};

use crate::types::{InType, OutType};

/// Reads an item front to back. Offsets in errors count from the item's first byte.
#[derive(Debug)]
pub(crate) struct Item<'d> {
    cursor: Cursor<'d>,
    /// Name of the event, UTF-8; may be empty.
    pub(crate) name: &'d [u8],
}

/// One field as the item describes it; the members of a struct follow as fields of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldHead<'d> {
    /// Name, UTF-8; may be empty.
    pub(crate) name: &'d [u8],
    /// Its form in the payload.
    pub(crate) input: InType,
    /// How it is shown; of a struct, the number of its logical members.
    pub(crate) output: OutType,
    /// 28 bits, 0 if there are none.
    pub(crate) tags: u32,
    /// One, many, or not TraceLogging's business.
    pub(crate) shape: Shape,
    /// The offset of its type byte in the item, for errors.
    pub(crate) offset: u64,
}

/// Bits 5 and 6 of the first type byte (`TlgInCountMask`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A single value.
    Scalar,
    /// An array whose count is in the metadata.
    Fixed(u16),
    /// An array whose `u16` count precedes its elements in the payload.
    Variable,
    /// A serialisation of the writer's own: a `u16` byte count and bytes. Its schema bytes in the item are for those
    /// who know the protocol.
    Custom,
}

impl<'d> Item<'d> {
    /// Reads the head of an item.
    pub(crate) fn read(bytes: &'d [u8]) -> Result<Self> {
        let Metadata { name, fields: cursor, .. } = Metadata::read(bytes)?;
        Ok(Self { cursor, name })
    }

    /// Returns the next field; `None` at the item's end.
    pub(crate) fn next_field(&mut self) -> Result<Option<FieldHead<'d>>> {
        if self.cursor.is_empty() {
            return Ok(None);
        }
        let name = self.cursor.nul_terminated("field name")?;
        let offset = self.offset();
        let first = self.cursor.u8("field in-type")?;
        let second = if first & CHAIN == 0 { 0 } else { self.cursor.u8("field out-type")? };
        let tags = if second & CHAIN == 0 { 0 } else { tags(&mut self.cursor, "field tags")? };
        let shape = self.shape(first)?;
        let (input, output) = (InType(first & IN_TYPE), OutType(second & !CHAIN));
        Ok(Some(FieldHead { name, input, output, tags, shape, offset }))
    }

    /// Returns where the next read begins, from the item's start.
    pub(crate) const fn offset(&self) -> u64 {
        self.cursor.position() as u64
    }

    fn shape(&mut self, first: u8) -> Result<Shape> {
        Ok(match first & COUNT {
            FIXED => Shape::Fixed(self.cursor.u16("field count")?),
            VARIABLE => Shape::Variable,
            CUSTOM => {
                let len = self.cursor.u16("custom schema size")?;
                self.cursor.take(len.into(), "custom schema")?;
                Shape::Custom
            }
            _ => Shape::Scalar,
        })
    }
}

const IN_TYPE: u8 = 0x1F;
const COUNT: u8 = 0x60;
const FIXED: u8 = 0x20;
const VARIABLE: u8 = 0x40;
const CUSTOM: u8 = 0x60;

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(bytes: &[u8]) -> Vec<FieldHead<'_>> {
        let mut item = Item::read(bytes).unwrap();
        std::iter::from_fn(|| item.next_field().unwrap()).collect()
    }

    #[test]
    fn type_bytes_chain_to_tags_and_counts() {
        let bytes = [
            34, 0, // size
            0x81, 0x02, // two bytes of event tags
            b'E', 0, // event name
            b'a', 0, 0x08, // uint32
            b'b', 0, 0x88, 0x04, // uint32, hexadecimal
            b'c', 0, 0xA4, 0x81, 0x7F, 3, 0, // uint8[3], not shown, one byte of tags
            b'd', 0, 0x44, // uint8[], count in the payload
            0, 0xEE, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, 2, 0, 9,
            9,    // no name, custom, four bytes of tags, two of schema
            0xCC, // beyond the size
        ];
        assert_eq!(bytes.len(), 35);
        let head = |name, (input, output), tags, shape, offset| {
            let (input, output) = (InType(input), OutType(output));
            FieldHead { name, input, output, tags, shape, offset }
        };
        assert_eq!(Item::read(&bytes).unwrap().name, b"E");
        assert_eq!(
            fields(&bytes),
            [
                head(b"a".as_slice(), (8, 0), 0, Shape::Scalar, 8),
                head(b"b", (8, 4), 0, Shape::Scalar, 11),
                head(b"c", (4, 1), 0x0FE0_0000, Shape::Fixed(3), 15),
                head(b"d", (4, 0), 0, Shape::Variable, 22),
                head(b"", (14, 0), 0x0FFF_FFFF, Shape::Custom, 24),
            ]
        );
    }

    #[test]
    fn errors_tell_the_offset_in_the_item() {
        let offset = |bytes: &[u8]| Item::read(bytes).and_then(|mut item| item.next_field()).unwrap_err().offset();
        assert_eq!(offset(&[9]), Some(0)); // no size
        assert_eq!(offset(&[9, 0, 0, 0]), Some(0)); // size beyond the item
        assert_eq!(offset(&[2, 0]), Some(2)); // no tags
        assert_eq!(offset(&[4, 0, 0, b'E']), Some(3)); // name without its NUL
        assert_eq!(offset(&[6, 0, 0, 0, b'a', 0]), Some(6)); // no type
        assert_eq!(offset(&[8, 0, 0, 0, b'a', 0, 0x24, 1]), Some(7)); // half a count
        assert_eq!(offset(&[10, 0, 0, 0, 0, 0xEE, 0, 9, 0, 1]), Some(9)); // custom schema cut
    }
}
