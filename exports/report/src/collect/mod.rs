//! What one pass over the events collects.

mod both;
mod part_rows;
mod pulses;
mod samples;

pub(crate) use both::{Both, Maybe};
pub(crate) use part_rows::PartRows;
pub(crate) use pulses::{BufferSpan, Pulses};
pub(crate) use samples::{NamedLane, Samples};

/// Intervals with something in them, while a trace is read: some bytes each.
pub(crate) const MOST_INTERVALS: usize = 1 << 20;
