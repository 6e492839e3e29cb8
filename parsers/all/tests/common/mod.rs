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

use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::Trace;

/// Returns the first pass over a file.
pub fn census(path: &Path, parsers: Parsers) -> Trace {
    Trace::open(Input::open(path).unwrap(), parsers).unwrap()
}
