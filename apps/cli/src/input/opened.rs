//! A trace that was opened.

use etwkit::Problem;
use etwkit::input::Input;

/// A trace that was opened.
#[derive(Debug)]
pub(crate) struct Opened {
    /// Its bytes.
    pub(crate) input: Input,
    /// What is wrong with the archive it came from.
    pub(crate) archive_problem: Option<Problem>,
    /// What of the archive is not read although it may be wanted.
    pub(crate) note: Option<String>,
}
