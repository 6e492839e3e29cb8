//! What a cut makes: the files of one trace, and why there are none.

use etwkit::Trace;
use etwkit::trace::Filter;

use crate::error::Error;

/// One file of several.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// A text for its name: a number, or the name of a process or provider. Empty for a process without a name.
    pub label: String,
    /// The id of the process that its events are about, if the trace is cut by process: others may have the same name.
    pub pid: Option<u32>,
    /// The events of the file.
    pub filter: Filter,
}

/// The files of a trace that is cut.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Parts {
    /// In the order of time, or by process or provider.
    pub list: Vec<Part>,
    /// Events that pass the filter and that no file is chosen for: about no process, or of a type beyond the limits. Those
    /// that other events need are copied with these nevertheless.
    pub left_out: u64,
}

/// Maximum number of files: as many as are read as one trace, so that parts can become one again.
pub(super) const MOST_PARTS: usize = etwkit::limits::MAX_FILES;

pub(super) const TOO_MANY: &str = "this would make more than 4,096 files";
const _: () = assert!(MOST_PARTS == 4_096, "the message states it");
pub(super) const NO_CLOCK: &str = "its clock is not known, so it cannot be cut by time";

pub(super) fn refused(trace: &Trace, why: &'static str) -> Error {
    Error::Refused { file: name(trace), why }
}

pub(super) fn too_small(trace: &Trace, enough: u64) -> Error {
    Error::TooSmall { file: name(trace), enough }
}

fn name(trace: &Trace) -> String {
    trace.files().first().map(|file| file.source.name().to_owned()).unwrap_or_default()
}
