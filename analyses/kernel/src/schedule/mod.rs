//! What threads and processors did, from context switches: slices of time in which a thread ran, was ready, waited, or
//! in which the events do not state.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `slice` | what is handed over |
//! | `threads` | threads over time |
//! | `absence` | the time of a thread without a processor |
//! | `processor` | what a processor runs |
//! | `sessions` | sessions one after the other |
//! | `scheduler` | from facts to slices |
//! | `feed` | slices of a window of time |
//! | `sliced` | analyses of slices |

mod absence;
mod fact;
mod feed;
mod processor;
mod scheduler;
mod sessions;
mod slice;
mod sliced;
mod threads;

pub use fact::{INTEREST, NamedThread, READIES, SWITCHES, ScheduleChange, ScheduleFact};
pub use feed::SliceFeed;
pub use scheduler::Scheduler;
pub(crate) use slice::reason_name;
pub use slice::{Departure, Readied, Slice, SliceKind, ThreadId};
pub use sliced::{OfSlices, Sliced};
pub use threads::Thread;
