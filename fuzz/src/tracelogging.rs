//! TraceLogging metadata.

use etwkit::schema::Names;

use crate::event::decode;

/// Compiles the metadata, whose first two bytes are its length, and decodes the rest of the data by it.
pub fn tracelogging(data: &[u8]) {
    let Some(size) = data.first_chunk().map(|size| usize::from(u16::from_le_bytes(*size))) else { return };
    let (item, payload) = data.split_at_checked(size).unwrap_or((data, &[]));
    if let Ok(schema) = etwkit_tracelogging::compile(item, Names::default()) {
        decode(&schema, payload, true);
        decode(&schema, payload, false);
    }
}
