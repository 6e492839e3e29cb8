//! The real traces, if they are there.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "each test uses a part of it"
)]

use std::path::Path;

use etwkit::parser::Parsers;
use etwkit::source::Source;
use etwkit::trace::{Census, Trace};

/// The first pass over a file.
pub fn census(path: &Path, parsers: Parsers) -> Census {
    Trace::open(Source::open(path).unwrap(), parsers).unwrap().census().unwrap()
}
