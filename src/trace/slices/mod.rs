//! Cutting the time axis into slices of bounded size.
//!
//! Buffers of different processors overlap in time nearly everywhere, so there is no place where a trace falls apart.
//! A slice therefore takes from each buffer the events between two times. Slices are disjoint in time and come in
//! order, so delivering them one after the other is a total order; each can be made by another thread.

mod ahead;
mod cut;
mod part;
mod read;
mod reader;
mod sort_clock;
mod span;

pub(super) use cut::{Slice, Slices};
pub(super) use reader::SliceReader;
pub(super) use sort_clock::SortClock;
pub(super) use span::{Span, Spans};
