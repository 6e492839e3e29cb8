//! Which events a run delivers, and how.

use std::sync::LazyLock;

use super::filter::Filter;

/// In which order events are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Order {
    /// By time over all processors; equal times by processor, then by place.
    #[default]
    Time,
    /// In the order of the files.
    File,
}

/// Options for what is delivered, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunOptions {
    /// Order of events.
    pub order: Order,
    /// Threads that decode. The output does not depend on it.
    pub threads: usize,
    /// Which events.
    pub filter: Filter,
    /// Only this many from the start. With this or the next, events that come into question are walked once more, to
    /// count them, until there are enough: for few events [`Trace::events`](super::Trace::events) is faster.
    pub first: Option<u64>,
    /// Only this many from the end. If the last slices of the trace have not enough, all of it is walked once more.
    pub last: Option<u64>,
}

impl Default for RunOptions {
    fn default() -> Self {
        // The answer may take a dozen system calls.
        static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        let threads = *CORES;
        Self { order: Order::Time, threads, filter: Filter::default(), first: None, last: None }
    }
}

impl RunOptions {
    /// Sets [`RunOptions::order`](field@RunOptions::order).
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Sets [`RunOptions::threads`](field@RunOptions::threads).
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets [`RunOptions::filter`](field@RunOptions::filter).
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// Sets [`RunOptions::first`](field@RunOptions::first).
    #[must_use]
    pub fn first(mut self, first: impl Into<Option<u64>>) -> Self {
        self.first = first.into();
        self
    }

    /// Sets [`RunOptions::last`](field@RunOptions::last).
    #[must_use]
    pub fn last(mut self, last: impl Into<Option<u64>>) -> Self {
        self.last = last.into();
        self
    }
}
