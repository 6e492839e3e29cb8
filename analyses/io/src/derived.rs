//! What follows from the fields of a kernel event, as everywhere in etwkit.

use etwkit::decode::Event;
use etwkit::select::{HeaderField, HeaderValue};

/// Returns the path of the file that an event is about, as users know it.
pub(crate) fn file_name(event: &Event<'_>) -> Option<Box<str>> {
    match HeaderField::FileName.value(event)? {
        HeaderValue::Text(path) => Some(path.into_owned().into()),
        _ => None,
    }
}

/// Returns the milliseconds that an operation took.
pub(crate) fn elapsed(event: &Event<'_>) -> Option<f64> {
    match HeaderField::ElapsedMs.value(event)? {
        HeaderValue::Real(milliseconds) => Some(milliseconds),
        _ => None,
    }
}
