//! Who wrote an event, and when.

use etwkit::FileTime;
use etwkit::decode::Event;
pub(crate) use etwkit_analysis::milliseconds;
use etwkit_kernel_analyses::ProcessKey;

/// Who wrote an event, and when.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) process: ProcessKey,
    pub(crate) name: Option<Box<str>>,
    pub(crate) tid: u32,
    pub(crate) time: FileTime,
}

impl Origin {
    /// Returns the origin of an event; `None` if it has no time.
    pub(crate) fn of(event: &Event<'_>) -> Option<Self> {
        Some(Self {
            process: ProcessKey::of(event),
            name: event.process_name().map(Box::from),
            tid: event.tid().unwrap_or(0),
            time: event.time()?,
        })
    }
}

/// Adds numbers up. The sum of none is 0; that of [`Iterator::sum`] is -0.
pub(crate) fn sum(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |sum, number| sum + number)
}
