#![doc = include_str!("../README.md")]

mod change;
mod events;
mod exact;
mod limit;
mod schemas;
mod table;
mod totals;

pub use change::{Change, changes};
pub use events::events;
pub use limit::{Breach, Limit, LimitError};
pub use schemas::schemas;
pub use table::Table;
