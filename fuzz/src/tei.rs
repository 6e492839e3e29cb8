//! `TRACE_EVENT_INFO` and `EVENT_MAP_INFO`.

use etwkit_tei::TraceEventInfo;

use crate::event::decode;
use crate::pieces::pieces;
use crate::schema_size;

/// Takes the pieces as blobs (even kinds) and maps (odd ones), makes all schemas and decodes the rest by each.
pub fn tei(data: &[u8]) {
    let (pieces, payload) = pieces(data, 16);
    let mut parser = TraceEventInfo::new();
    for (kind, piece) in &pieces {
        let _ = if kind & 1 == 0 { parser.add_info(piece) } else { parser.add_map(piece) };
    }
    assert!(parser.len() <= pieces.len());
    for schema in parser.schemas().flatten() {
        schema_size::check(&schema, data.len());
        decode(&schema, payload, true);
        decode(&schema, payload, false);
    }
}
