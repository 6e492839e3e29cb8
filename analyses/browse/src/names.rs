//! Names that a filter expression may use.

use std::collections::BTreeSet;

use etwkit::select::HeaderField;
use etwkit::{EventType, Trace};

use crate::limits::MAX_NAMES;

/// Returns the names of header fields, and of all fields of the trace's schemas; of these at most 10,000.
pub fn names(trace: &Trace) -> Vec<String> {
    let header = HeaderField::all().map(|field| field.name().to_owned());
    let schemas = trace.types().iter().filter_map(EventType::schema);
    let fields: BTreeSet<&str> = schemas.flat_map(|schema| schema.fields().iter().map(|field| &*field.name)).collect();
    header.chain(fields.into_iter().take(MAX_NAMES).map(str::to_owned)).collect()
}
