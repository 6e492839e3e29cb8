//! Payloads in encodings that no schema can express.

use std::fmt::Debug;
use std::sync::Arc;

use crate::event::RawEvent;

/// Rewrites the payloads of a type into a form that its schema describes: numbers in little-endian order, texts, counts
/// before arrays. For big-endian structures, tag-length-value lists, varints and the like.
///
/// The executor then runs the schema over what was written, so the values reach fields, filters and every output as
/// those of any other event do. Set it with [`SchemaBuilder::converter`](super::SchemaBuilder::converter).
pub trait ConvertPayload: Debug + Send + Sync {
    /// Appends the converted payload of the event to `out`, which is empty. Returns `false` if the payload is not in
    /// the encoding: then the event is delivered with its payload as bytes, as one that does not fit its schema.
    ///
    /// Called once an event, by several threads at a time. The engine ignores what goes beyond 16 times the payload
    /// plus 4 KiB, so a converter should check lengths before it copies.
    fn convert(&self, event: &RawEvent<'_>, out: &mut Vec<u8>) -> bool;
}

/// A converter that a schema shares.
#[derive(Clone, Debug)]
pub(crate) struct Converter(pub(crate) Arc<dyn ConvertPayload>);

impl Converter {
    /// Converts the payload into `out`, whose former content is lost.
    pub(crate) fn convert(&self, event: &RawEvent<'_>, out: &mut Vec<u8>) -> bool {
        out.clear();
        let is_converted = self.0.convert(event, out);
        out.truncate(event.payload().len().saturating_mul(16).saturating_add(4096));
        is_converted
    }
}

/// Two schemas are equal only if they share one converter.
impl PartialEq for Converter {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Converter {}
