//! Iterating events.

use std::fmt;
use std::sync::Arc;

use etwkit::trace::{RunOptions, Trace};
use pyo3::prelude::*;

use crate::chunk::{Chunk, Names};
use crate::event::Event;
use crate::feed::Feed;
use crate::keys::Keys;

/// An iterator over events in time order. The engine works ahead on threads of its own.
#[pyclass(module = "etwkit")]
pub(crate) struct Events {
    /// Behind a lock that is never waited for: iterators may be moved between threads.
    feed: std::sync::Mutex<Feed>,
    keys: Arc<Keys>,
    names: Arc<Names>,
    chunk: Option<Arc<Chunk>>,
    next: usize,
    left: u64,
    as_dicts: bool,
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("left", &self.left).finish_non_exhaustive()
    }
}

impl Events {
    /// Starts a run.
    pub(crate) fn start(
        trace: Arc<Trace>,
        options: RunOptions,
        fields: Option<Arc<[String]>>,
        first: Option<u64>,
        as_dicts: bool,
    ) -> PyResult<Self> {
        let keys = Arc::new(Keys::default());
        let feed = Feed::start(trace, options, Arc::clone(&keys), fields)?;
        Ok(Self {
            feed: std::sync::Mutex::new(feed),
            keys,
            names: Arc::default(),
            chunk: None,
            next: 0,
            left: first.unwrap_or(u64::MAX),
            as_dicts,
        })
    }

    /// Returns where the next event is.
    fn advance(&mut self, py: Python<'_>) -> PyResult<Option<(Arc<Chunk>, usize)>> {
        loop {
            if self.left == 0 {
                return Ok(None);
            }
            if let Some(chunk) = &self.chunk
                && let Some(place) = chunk.event(self.next)
            {
                self.next += 1;
                self.left -= 1;
                return Ok(Some((Arc::clone(chunk), place)));
            }
            let feed = self.feed.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            let Some(tape) = feed.next(py)? else {
                self.left = 0;
                return Ok(None);
            };
            self.chunk = Some(Arc::new(Chunk::new(py, tape, &self.keys, &mut self.names)?));
            self.next = 0;
        }
    }
}

#[pymethods]
impl Events {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some((chunk, place)) = self.advance(py)? else { return Ok(None) };
        let event = if self.as_dicts {
            chunk.object(py, place)?.into_any()
        } else {
            Event::new(chunk, place).into_pyobject(py)?.into_any()
        };
        Ok(Some(event))
    }
}
