//! From events to the call tree.

mod chosen_threads;
mod collector;
mod fact;
mod frame_names;
mod operations;
mod stacked;
mod sums;
mod system_path;
mod worker;

pub use collector::{ProfileCollector, ProfileOptions, profile};
pub use fact::ProfileFact;
pub(crate) use stacked::Stacked;
pub(crate) use sums::{StackSums, Whose};
pub use worker::ProfileWorker;
