//! A run of the engine on threads of its own, whose results are asked for.

use std::sync::Arc;
use std::task::Poll;

use etwkit::sink;
use etwkit::trace::{RunOptions, Trace};
use pyo3::prelude::*;

use crate::errors::{etl_error, exception};
use crate::interrupt::INTERVAL;
use crate::keys::Keys;
use crate::tape::Tape;
use crate::tape_sink::TapeSink;

/// Tapes that wait to be asked for.
const WAITING: usize = 4;

/// The tapes of a run. Dropping it ends the run.
#[derive(Debug)]
pub(crate) struct Feed(sink::Feed<etwkit::Result<Tape>>);

impl Feed {
    /// Starts a run.
    pub(crate) fn start(
        trace: Arc<Trace>,
        options: RunOptions,
        keys: Arc<Keys>,
        fields: Option<Arc<[String]>>,
    ) -> PyResult<Self> {
        let feed = sink::Feed::start("etwkit-events", WAITING, move |outlet| {
            let mut sink = TapeSink::new(&trace, keys, fields, |tape| outlet.send(Ok(tape)));
            let failure = trace.run_with(&options, &mut sink, &mut |_, _| outlet.is_wanted()).err();
            drop(sink);
            if let Some(error) = failure {
                // Nobody hears it if the events are not asked for.
                let _ = outlet.send(Err(error));
            }
        });
        feed.map(Self).map_err(exception)
    }

    /// Waits for the next tape; `None` at the end.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<Tape>> {
        loop {
            let feed = &mut self.0;
            match py.detach(move || feed.next_within(INTERVAL)) {
                Poll::Ready(Ok(tape)) => return tape.transpose().map_err(exception),
                // It must not look like the end of the trace.
                Poll::Ready(Err(panicked)) => return Err(etl_error(format!("{panicked}: a bug of etwkit"), None)),
                Poll::Pending => py.check_signals()?,
            }
        }
    }
}
