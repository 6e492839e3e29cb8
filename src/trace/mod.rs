//! A trace and the two passes over it.
//!
//! [`RawTrace::open`] reads the headers of the files. [`RawTrace::decode`] makes the first pass: it counts, hands
//! events to the parsers, and compiles a schema for each event type. The [`Trace`] that it returns is frozen, so the
//! second pass ([`Trace::events`], [`Trace::run`]) needs no locks, and its output is the same for any number of
//! threads.

mod accept;
mod buffer_index;
mod census;
mod changes;
mod contents;
mod counts;
mod decode_guid;
mod event_range;
mod filter;
mod filter_check;
mod filtered_types;
mod glob;
mod index;
mod kept_buffers;
mod keyed;
mod losses;
mod machines;
mod merge;
mod observe;
mod open;
mod ordered;
mod pages;
mod parts;
mod processors;
mod pull;
mod resolve;
mod run;
mod run_heap;
mod run_options;
mod segment;
mod sessions;
mod slices;
mod stack_joins;
mod stated_losses;
mod task_queue;
mod time_range;
mod undecoded;
mod walk_batches;
mod window;

pub use crate::decode::{EventType, UndecodedReason};
pub use crate::event::EventTypeId;
pub use buffer_index::Buffers;
pub use contents::{ProviderCount, Trace};
pub use counts::Counts;
pub use filter::Filter;
pub use filter_check::FilterCheck;
pub use glob::Glob;
pub use index::Indexed;
pub use merge::RawByTime;
pub use open::{RawTrace, TraceFile};
pub use parts::{PreparedFilter, TracePart};
pub use processors::{BufferEvents, Processor, ProcessorBuffers, Processors};
pub use pull::{Events, IntoEvents, ProcessorEvents};
pub use resolve::FieldRef;
pub use run::Summary;
pub use run_options::{Order, RunOptions};
pub use stack_joins::{FoundStacks, StackJoinWorker, StackJoiner};
pub use stated_losses::Losses;
pub use time_range::TimeRange;
pub use undecoded::{SourceCount, UndecodedTypes};
