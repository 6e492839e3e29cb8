//! What one pass over the events collects.

mod both;
mod levels;
mod pulses;
mod samples;

pub(crate) use both::{Both, Maybe};
pub(crate) use levels::level_of;
pub(crate) use pulses::{BufferSpan, Pulses};
pub(crate) use samples::{NamedLane, Samples};

/// Intervals with something in them, while a trace is read: 16 MB.
pub(crate) const MOST_INTERVALS: usize = 1 << 20;
