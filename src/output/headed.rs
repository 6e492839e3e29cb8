//! Output that begins with something, whether or not an event comes.

use std::io::Write;

use crate::error::Result;

/// Writes a head before the first batch.
#[derive(Debug)]
pub(super) struct Headed<W> {
    writer: W,
    /// Empty once it is written.
    head: Vec<u8>,
}

impl<W: Write> Headed<W> {
    /// Nothing is written yet.
    pub(super) fn new(writer: W, head: impl Into<Vec<u8>>) -> Self {
        Self { writer, head: head.into() }
    }

    /// Writes a batch.
    pub(super) fn write(&mut self, batch: &[u8]) -> Result<()> {
        self.begin()?;
        Ok(self.writer.write_all(batch)?)
    }

    /// Hands over the writer; the head is there even if no batch came.
    pub(super) fn finish(mut self) -> Result<W> {
        self.begin()?;
        Ok(self.writer)
    }

    fn begin(&mut self) -> Result<()> {
        Ok(self.writer.write_all(&std::mem::take(&mut self.head))?)
    }
}
