//! Numbers of fields, for those who want nothing else of them.

use crate::schema::{Presence, Read};

use super::Event;
use super::run::bits_of;

impl Event<'_> {
    /// Returns the number in the readable top-level field at an index of the schema's fields, a signed one by its bits:
    /// [`Value::as_u64`](super::Value::as_u64) of [`Event::field_at`]'s value, without the cost of a view.
    #[inline]
    pub fn number_at(&self, index: usize) -> Option<u64> {
        self.plain_number_at(index).or_else(|| self.any_number_at(index))
    }

    /// Returns an unsigned number.
    #[inline]
    fn plain_number_at(&self, index: usize) -> Option<u64> {
        let step = self.schema?.layout(self.pointer).steps.get(index)?;
        if step.presence != Presence::Always || index >= self.located.fitted() {
            return None;
        }
        if let Read::Bits { slot, first, count } = step.read {
            return bits_of(*self.scratch.slots().get(usize::from(slot))?, first, count).as_u64();
        }
        let bytes = self.payload().get(self.scratch.spans().get(index)?.start as usize..)?;
        Some(match step.read {
            Read::U8 => u64::from(*bytes.first()?),
            Read::U16 => u16::from_le_bytes(*bytes.first_chunk()?).into(),
            Read::U32 | Read::Pointer4 => u32::from_le_bytes(*bytes.first_chunk()?).into(),
            Read::U64 | Read::Pointer8 => u64::from_le_bytes(*bytes.first_chunk()?),
            _ => return None,
        })
    }

    #[cold]
    fn any_number_at(&self, index: usize) -> Option<u64> {
        self.field_at(index)?.value()?.as_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scratch;
    use super::*;
    use crate::event::{BufferContext, RawEvent};
    use crate::format::Marker;
    use crate::schema::{Encoding, Field, Len, Scalar, Schema, SchemaSource, Wire};

    #[test]
    fn numbers_are_those_of_the_values() {
        let mut builder = Schema::builder(SchemaSource::USER.into());
        let scalars = [Scalar::U8, Scalar::I16, Scalar::U16, Scalar::Pointer, Scalar::I32, Scalar::U32, Scalar::F32];
        for scalar in scalars {
            builder.field(Field::new("x", Wire::Scalar(scalar)));
        }
        builder.field(Field::new("Text", Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }));
        builder.field(Field::new("Missing", Wire::Scalar(Scalar::U64)));
        let schema = builder.build().unwrap();
        // An event header of 64-bit pointers and a payload that ends within the last field.
        let mut bytes: Vec<u8> = vec![0; 80];
        bytes.extend((1..=25).map(|byte| byte | 0x80));
        bytes.extend([0, 0, 7, 7]);
        let size = (bytes.len() as u16).to_le_bytes();
        bytes[..4].copy_from_slice(&[size[0], size[1], 0x13, 0xC0]);
        for known in [80, 85, 90, 97, 109, bytes.len()] {
            let size = (known as u16).to_le_bytes();
            bytes[..2].copy_from_slice(&size);
            let marker = Marker::read(&bytes).unwrap();
            let event = RawEvent::new(&bytes[..known], marker, BufferContext::default()).unwrap();
            let mut scratch = Scratch::default();
            let event = Event::locate(event, Some(&schema), None, &mut scratch);
            for place in 0..10 {
                let value = event.field_at(place).and_then(|field| field.value()?.as_u64());
                assert_eq!(event.number_at(place), value, "{place} of {known} bytes");
            }
        }
    }
}
