//! A run of the engine on threads of its own, whose results are asked for.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;

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
pub(crate) struct Feed {
    tapes: Receiver<etwkit::Result<Tape>>,
    is_dropped: Arc<AtomicBool>,
    run: Option<JoinHandle<()>>,
}

impl Feed {
    /// Starts a run.
    pub(crate) fn start(
        trace: Arc<Trace>,
        options: RunOptions,
        keys: Arc<Keys>,
        fields: Option<Arc<[String]>>,
    ) -> PyResult<Self> {
        let (sender, tapes) = sync_channel(WAITING);
        let is_dropped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_dropped);
        let work = move || {
            let mut sink = TapeSink::new(&trace, keys, fields, |tape| go_on(sender.send(Ok(tape)).is_ok()));
            let mut progress = |_, _| go_on(!stop.load(Ordering::Relaxed));
            let failure = trace.run_with(&options, &mut sink, &mut progress).err();
            drop(sink);
            if let Some(error) = failure {
                let _: Result<(), _> = sender.send(Err(error));
            }
        };
        let run = std::thread::Builder::new().name("etwkit-events".to_owned()).spawn(work)?;
        Ok(Self { tapes, is_dropped, run: Some(run) })
    }

    /// Waits for the next tape; `None` at the end.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<Tape>> {
        loop {
            let tapes = &mut self.tapes;
            match py.detach(move || tapes.recv_timeout(INTERVAL)) {
                Ok(tape) => return tape.map(Some).map_err(exception),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return self.end(),
            }
        }
    }

    /// The run is over: fine, or by a panic, which must not look like the end of the trace.
    fn end(&mut self) -> PyResult<Option<Tape>> {
        match self.run.take().map(JoinHandle::join) {
            Some(Err(_)) => Err(etl_error("the engine failed: this is a bug of etwkit".to_owned(), None)),
            _ => Ok(None),
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::Relaxed);
    }
}

const fn go_on(is_wanted: bool) -> ControlFlow<()> {
    if is_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}
