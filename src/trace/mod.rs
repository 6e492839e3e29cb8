//! A trace and the two passes over it.
//!
//! [`Trace::open`] reads the headers; [`Trace::census`] is the first pass: it counts, lets the parsers learn, and
//! compiles a schema for each key. A [`Census`] is frozen, so the second pass ([`Census::run`], [`Census::events`])
//! needs no locks, and its output is the same for any number of threads.

mod census;
mod events;
mod filter;
mod gaps;
mod index;
mod joins;
mod keys;
mod open;
mod ordered;
mod problems;
mod range;
mod run;
mod slice;
mod slices;
mod stream;

pub use crate::event::KeyId;
pub use census::{Census, ProviderCount};
pub use events::{Events, ProcessorEvents};
pub use filter::{Filter, Glob, TimeRange};
pub use gaps::{Gap, Missing, SourceCount};
pub use index::{Counts, Indexed};
pub use keys::KeyCount;
pub use open::{Trace, TraceFile};
pub use run::{Order, RunOptions, Summary};
pub use stream::RawByTime;
