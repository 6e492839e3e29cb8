//! Traces that the targets above the engine read.

mod ids;
mod listed;
mod made;

use etwkit::input::Input;
use etwkit::trace::Trace;
use etwkit_parsers::{standard, with_stacks};

pub use listed::listed;

/// Makes a file of the input: an even first byte is before a structured trace, an odd one before the bytes of a file.
/// The structured form is described at [`made::file`].
pub(crate) fn file(data: &[u8]) -> Option<Vec<u8>> {
    let (kind, rest) = data.split_first()?;
    Some(if kind & 1 == 0 { made::file(rest) } else { rest.to_vec() })
}

/// Opens the bytes with all parsers, those for stacks among them. Returns `None` if they are not a trace.
pub(crate) fn open(bytes: &[u8]) -> Option<Trace> {
    open_input(Input::bytes("fuzz", bytes))
}

/// Opens an input in the same way.
pub(crate) fn open_input(input: Input) -> Option<Trace> {
    Trace::open(input, with_stacks(standard())).ok()
}
