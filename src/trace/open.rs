//! Opening files as one trace.

use crate::FileId;
use crate::container::Head;
use crate::error::{Error, Problem, Result};
use crate::input::{Input, IntoInput};
use crate::limits::Limits;

/// One or several files without the first pass: raw events only.
///
/// [`RawTrace::decode`] makes the first pass over it and returns a [`Trace`](super::Trace), which has schemas, names
/// and the traced system.
#[derive(Debug)]
pub struct RawTrace {
    pub(super) files: Vec<TraceFile>,
    pub(super) problems: Vec<Problem>,
    pub(super) limits: Limits,
    pub(super) threads: usize,
}

/// A file of a trace.
#[derive(Debug)]
#[non_exhaustive]
pub struct TraceFile {
    /// Its bytes.
    pub source: Input,
    /// Its header and clock.
    pub head: Head,
}

impl RawTrace {
    /// Opens one file: a path, or an [`Input`].
    pub fn open(input: impl IntoInput) -> Result<Self> {
        Self::open_all([input])
    }

    /// Opens several files as one trace: parts of a new-file set, or the files of one collection, where one file may
    /// contain the schemas of another. Without files, the trace has no events. An error names the first file that is
    /// not a trace.
    pub fn open_all<I: IntoInput>(inputs: impl IntoIterator<Item = I>) -> Result<Self> {
        Self::open_with(inputs, Limits::default())
    }

    /// Opens files as [`RawTrace::open_all`] does, with other [`Limits`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](crate::ErrorKind::Limit) with more files than [`Limits::files`].
    pub fn open_with<I: IntoInput>(inputs: impl IntoIterator<Item = I>, limits: Limits) -> Result<Self> {
        let mut problems = Vec::new();
        let mut files = Vec::new();
        let mut ids = FileId::all();
        for input in inputs {
            let id = ids.next().filter(|id| id.index() < limits.files);
            let id = id.ok_or_else(|| Error::limit("files of a trace", limits.files.min(FileId::COUNT)))?;
            let source = input.into_input()?;
            let head = Head::read(&source, id, &mut problems).map_err(|error| error.of_file(source.name()))?;
            files.push(TraceFile { source, head });
        }
        Ok(Self { files, problems, limits, threads: 1 })
    }

    /// Sets how many threads make the first pass. One, unless this is called; the result does not depend on it.
    #[must_use]
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Returns its files.
    pub fn files(&self) -> &[TraceFile] {
        &self.files
    }
}
