//! Signals during long work of the engine: Ctrl+C ends it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors::exception;

/// How often signals are looked for.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// Looks for signals as work goes on.
#[derive(Debug)]
pub(crate) struct Signals {
    last: Instant,
    found: Option<PyErr>,
}

impl Signals {
    fn new() -> Self {
        Self { last: Instant::now(), found: None }
    }

    /// Says whether work goes on.
    pub(crate) fn look(&mut self) -> ControlFlow<()> {
        if self.found.is_none() && self.last.elapsed() >= INTERVAL {
            self.last = Instant::now();
            #[expect(
                clippy::redundant_closure_for_method_calls,
                reason = "the method is not general enough in lifetimes"
            )]
            let checked = Python::attach(|py| py.check_signals());
            self.found = checked.err();
        }
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Does work of the engine without the interpreter's lock. The exception of a signal takes the place of the failure that
/// it causes.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut Signals) -> etwkit::Result<T> + Send,
) -> PyResult<T> {
    let mut signals = Signals::new();
    let done = py.detach(|| work(&mut signals));
    match signals.found {
        Some(found) => Err(found),
        None => done.map_err(exception),
    }
}
