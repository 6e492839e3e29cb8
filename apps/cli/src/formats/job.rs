//! What a format is given to write events.

use std::io::Write;

use etwkit::output::{LineFormat, LineSink};
use etwkit::trace::{RunOptions, Summary};

use crate::failure::Failure;
use crate::output::{Output, Writer};
use crate::session::Session;

use super::options::FormatOptions;

/// What a format is given.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    /// The trace, and how to run over it.
    pub(crate) session: &'a Session,
    /// What was typed for the format.
    pub(crate) options: FormatOptions<'a>,
    /// Which events are wanted.
    pub(crate) run: &'a RunOptions,
    /// Where they go.
    pub(crate) output: &'a Output,
}

impl Job<'_> {
    /// Writes all events in a format of lines.
    pub(super) fn write<F: LineFormat>(&self, format: F) -> Result<Summary, Failure> {
        self.write_to(self.output.open(self.session.trace())?, format)
    }

    /// As [`Job::write`], to an output that is open.
    pub(super) fn write_to<F: LineFormat>(&self, writer: Writer, format: F) -> Result<Summary, Failure> {
        let mut sink = LineSink::with_format(self.session.trace(), format, writer);
        let summary = self.session.run(self.run, &mut sink)?;
        sink.finish()?.flush()?;
        Ok(summary)
    }
}
