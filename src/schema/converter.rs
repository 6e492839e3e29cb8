//! Payloads in encodings that no schema can express.

use std::fmt::Debug;
use std::sync::Arc;

use crate::compress::lznt1;
use crate::event::RawEvent;
use crate::limits;

/// Rewrites the payloads of a type into a form that its schema describes: numbers in little-endian order, texts, counts
/// before arrays. For big-endian structures, tag-length-value lists, varints and the like.
///
/// The executor then runs the schema over what was written, so the values reach fields, filters and every output as
/// those of any other event do. Set it with [`SchemaBuilder::converter`](super::SchemaBuilder::converter).
pub trait ConvertPayload: Debug + Send + Sync {
    /// Appends the converted payload of the event to `out`, which is empty. Returns `false` if the payload is not in
    /// the encoding: then the event is delivered with its payload as bytes, as one that does not fit its schema.
    ///
    /// Called once per event, by several threads at a time. The engine ignores what goes beyond 16 times the payload
    /// plus 4 KiB, so a converter should check lengths before it copies.
    fn convert(&self, event: &RawEvent<'_>, out: &mut Vec<u8>) -> bool;
}

/// What rewrites the payloads of a schema's events.
#[derive(Clone, Debug)]
pub(crate) enum Converter {
    /// A converter of a plug-in, shared.
    Plugin(Arc<dyn ConvertPayload>),
    /// LZNT1 from a byte of the payload on; the `u32` before it is the unpacked size.
    Lznt1 {
        /// The first packed byte.
        from: u16,
    },
}

impl Converter {
    /// Converts the payload into `out`, whose former content is lost.
    pub(crate) fn convert(&self, event: &RawEvent<'_>, out: &mut Vec<u8>) -> bool {
        out.clear();
        match self {
            Self::Plugin(plugin) => {
                let is_converted = plugin.convert(event, out);
                out.truncate(event.payload().len().saturating_mul(16).saturating_add(4096));
                is_converted
            }
            Self::Lznt1 { from } => unpack(event.payload(), usize::from(*from), out).is_some(),
        }
    }
}

/// Appends the payload with its part from `from` on unpacked; `None` if that is damaged, or claims to be longer than
/// [`limits::unpacked`] allows.
fn unpack(payload: &[u8], from: usize, out: &mut Vec<u8>) -> Option<()> {
    let (plain, packed) = payload.split_at_checked(from)?;
    let size = u32::from_le_bytes(*plain.last_chunk()?) as usize;
    if size > limits::unpacked(packed.len()) {
        return None;
    }
    out.extend_from_slice(plain);
    out.resize(from + size, 0);
    lznt1::decompress(packed, out.get_mut(from..)?).ok().map(|_| ())
}

/// Two schemas are equal only if they share one plug-in's converter.
impl PartialEq for Converter {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Plugin(own), Self::Plugin(other)) => Arc::ptr_eq(own, other),
            (Self::Lznt1 { from: own }, Self::Lznt1 { from: other }) => own == other,
            _ => false,
        }
    }
}

impl Eq for Converter {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two letters, the size, then a chunk of LZNT1: one literal and a match that repeats it.
    fn packed(size: u32, length: u16) -> Vec<u8> {
        let [low, high] = (length - 3).to_le_bytes();
        [&b"ab"[..], &size.to_le_bytes(), &[3, 0xB0, 2, b'x', low, high]].concat()
    }

    #[test]
    fn the_rest_of_a_payload_is_unpacked() {
        let mut out = Vec::new();
        assert_eq!(unpack(&packed(100, 99), 6, &mut out), Some(()));
        assert_eq!(out, [&b"ab\x64\0\0\0"[..], &[b'x'; 100]].concat());
    }

    #[test]
    fn what_is_damaged_or_claims_too_much_is_refused() {
        let refused = |payload: &[u8]| unpack(payload, 6, &mut Vec::new()).is_none();
        assert!(refused(&packed(101, 99)));
        assert!(refused(&packed(99, 99)));
        assert!(refused(b"abc"));
        assert!(refused(&packed(100, 99)[..8]));
        let mut out = Vec::new();
        assert_eq!(unpack(&packed(u32::MAX, 99), 6, &mut out), None);
        assert_eq!(out.capacity(), 0);
    }
}
