//! The sink of all formats of lines.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::decode::{Event, Fit, PendingEvent};
use crate::error::{Error, Result};
use crate::sink::{Sink, Worker};
use crate::trace::Trace;

use super::LineFormat;
use super::spare_buffers::SpareBuffers;

/// Bytes of a batch that stay in the processor's cache until they are written.
const FULL: usize = 256 << 10;
/// Bytes of a batch that waits for those before it. Two for each thread may wait.
pub(super) const OVERFULL: usize = 4 << 20;

/// Writes each event in a [`LineFormat`]. [`LineSink::finish`] ends the output.
#[derive(Debug)]
pub struct LineSink<'t, F, W> {
    trace: &'t Trace,
    format: Arc<F>,
    writer: W,
    has_begun: bool,
    spare: SpareBuffers,
}

impl<'t, F: LineFormat, W: Write> LineSink<'t, F, W> {
    /// Writes to `writer`, which should not buffer: text comes in large batches.
    pub fn new(trace: &'t Trace, writer: W) -> Self
    where
        F: Default,
    {
        Self::with_format(trace, F::default(), writer)
    }

    /// Makes a sink as [`LineSink::new`] does, with the options of a format.
    pub fn with_format(trace: &'t Trace, format: F, writer: W) -> Self {
        Self { trace, format: Arc::new(format), writer, has_begun: false, spare: SpareBuffers::default() }
    }

    /// Ends the output and returns the writer, which is not flushed. Without it, or after an error, formats that have a
    /// tail are not complete; the head is there even if no event came.
    pub fn finish(mut self) -> Result<W> {
        self.begin()?;
        self.writer.write_all(&self.format.tail()).map_err(Error::writing)?;
        Ok(self.writer)
    }

    fn begin(&mut self) -> Result<()> {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.writer.write_all(&self.format.head(self.trace)).map_err(Error::writing)?;
        }
        Ok(())
    }
}

impl<F: LineFormat, W: Write> Sink for LineSink<'_, F, W> {
    type Worker = LineWorker<F>;

    fn worker(&self) -> LineWorker<F> {
        let state = self.format.state(self.trace);
        LineWorker { format: Arc::clone(&self.format), state, out: Vec::new(), spare: self.spare.clone() }
    }

    fn accept(&mut self, batch: Vec<u8>) -> Result<ControlFlow<()>> {
        self.begin()?;
        self.writer.write_all(&batch).map_err(Error::writing)?;
        self.spare.keep(batch);
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the text of one thread.
pub struct LineWorker<F: LineFormat> {
    format: Arc<F>,
    state: F::State,
    out: Vec<u8>,
    spare: SpareBuffers,
}

impl<F: LineFormat> LineWorker<F> {
    /// Takes memory for a batch at its first event: that of the last one has been written by then, if one thread works.
    #[inline]
    fn begin(&mut self) {
        if self.out.capacity() == 0 {
            self.out = self.spare.take();
        }
    }
}

impl<F: LineFormat> Worker for LineWorker<F> {
    type Batch = Vec<u8>;

    #[inline]
    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.begin();
        self.format.event(&mut self.state, event, &mut self.out)
    }

    #[inline]
    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        self.begin();
        if self.format.compiled(&mut self.state, pending, &mut self.out) {
            return Ok(pending.has_layout().then_some(Fit::Exact));
        }
        let event = pending.locate();
        self.format.event(&mut self.state, &event, &mut self.out)?;
        Ok(event.layout_fit())
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.out.len() >= FULL
    }

    #[inline]
    fn is_overfull(&self) -> bool {
        self.out.len() >= OVERFULL
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

impl<F: LineFormat> fmt::Debug for LineWorker<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineWorker").field("bytes", &self.out.len()).finish_non_exhaustive()
    }
}
