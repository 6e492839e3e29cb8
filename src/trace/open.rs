//! Opening files as one trace.

use crate::container::Head;
use crate::error::{Error, Problem, Result};
use crate::limits;
use crate::parser::Parsers;
use crate::source::Source;

/// One or several files that are read as one trace.
#[derive(Debug)]
pub struct Trace {
    pub(super) files: Vec<TraceFile>,
    pub(super) parsers: Parsers,
    pub(super) problems: Vec<Problem>,
}

/// A file of a trace.
#[derive(Debug)]
pub struct TraceFile {
    /// Its bytes.
    pub source: Source,
    /// Its header and clock.
    pub head: Head,
}

impl Trace {
    /// Opens one file.
    pub fn open(source: Source, parsers: Parsers) -> Result<Self> {
        Self::open_all(vec![source], parsers)
    }

    /// Opens several files (or none, a trace without events) as one trace: parts of a new-file set, or the files of one collection, where one file may
    /// hold the schemas of another. An error names the first file that is no trace.
    pub fn open_all(sources: Vec<Source>, parsers: Parsers) -> Result<Self> {
        if sources.len() > limits::MAX_FILES {
            return Err(Error::limit("files of a trace", limits::MAX_FILES));
        }
        let mut problems = Vec::new();
        let mut files = Vec::with_capacity(sources.len());
        for (index, source) in sources.into_iter().enumerate() {
            let head = Head::read(&source, index, &mut problems).map_err(|error| error.of_file(source.name()))?;
            files.push(TraceFile { source, head });
        }
        Ok(Self { files, parsers, problems })
    }

    /// Its files.
    pub fn files(&self) -> &[TraceFile] {
        &self.files
    }
}
