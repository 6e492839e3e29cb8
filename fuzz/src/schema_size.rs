//! What a schema may cost.

use etwkit::limits;
use etwkit::schema::Schema;

/// Bytes of memory for a byte of a source: an insert of a message takes two bytes there, and sixteen times that here.
const FACTOR: usize = 64;

/// A schema takes no more memory than its own cap and a constant times the bytes that it was made of.
pub(crate) fn check(schema: &Schema, source: usize) {
    let layouts = std::iter::successors(Some(schema), |schema| schema.alternative()).count();
    assert!(layouts <= MAX_LAYOUTS, "{layouts} layouts");
    for field in schema.fields() {
        assert!(field.map.is_none() || schema.map(field).is_some(), "`{}` has a map that is not there", field.name);
    }
    let most = layouts * (limits::MAX_SCHEMA + (source + 4096) * FACTOR);
    assert!(schema.weight() <= most, "{} bytes of schema from {source}", schema.weight());
}

/// More layouts of an event no parser tries.
const MAX_LAYOUTS: usize = 16;
