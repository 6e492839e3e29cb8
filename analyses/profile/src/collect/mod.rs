//! From events to the call tree.

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
pub use worker::ProfileWorker;
