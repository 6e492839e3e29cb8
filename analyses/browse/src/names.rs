//! Names that a filter expression may use.

use std::collections::BTreeSet;

use etwkit::select::HeaderField;
use etwkit::{EventType, Trace};
use serde::Serialize;

use crate::conditions::NONE;
use crate::limits::MAX_NAMES;

/// The words with which a filter expression of a trace can be completed.
#[derive(Clone, Debug, Serialize)]
pub struct Vocabulary {
    /// The names on the left: see [`names`].
    pub names: Vec<String>,
    /// Values of `provider`: providers of the trace that have a name or a GUID, at most 10,000.
    pub providers: Vec<String>,
    /// Values of `event`: names of the trace's events, at most 10,000.
    pub events: Vec<String>,
}

/// Returns the names of header fields, and of all fields of the trace's schemas; of these at most 10,000.
pub fn names(trace: &Trace) -> Vec<String> {
    let header = HeaderField::columns().map(|field| field.name().to_owned());
    let schemas = trace.types().iter().filter_map(EventType::schema);
    let fields: BTreeSet<&str> = schemas.flat_map(|schema| schema.fields().iter().map(|field| &*field.name)).collect();
    header.chain(fields.into_iter().take(MAX_NAMES).map(str::to_owned)).collect()
}

/// Returns the names that filters of a trace use, and the values of those whose values are names.
pub fn vocabulary(trace: &Trace) -> Vocabulary {
    let types = trace.types();
    let providers: BTreeSet<&str> = types.iter().map(EventType::provider).filter(|name| *name != NONE).collect();
    let events: BTreeSet<&str> = types.iter().filter_map(EventType::name).collect();
    Vocabulary {
        names: names(trace),
        providers: providers.into_iter().take(MAX_NAMES).map(str::to_owned).collect(),
        events: events.into_iter().take(MAX_NAMES).map(str::to_owned).collect(),
    }
}
