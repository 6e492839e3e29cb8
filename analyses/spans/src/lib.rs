#![doc = include_str!("../README.md")]

mod activity;
mod collector;
mod fact;
mod family;
mod instant;
mod limits;
mod list;
mod longest;
mod misspelt;
mod names;
mod open;
mod options;
mod roles;
mod span;
mod spans;
mod stem;
mod table;
mod total;
mod tree;

#[cfg(test)]
mod tests;

pub use activity::{ActivityId, activity_path};
pub use collector::{SpanCollector, SpanWorker, spans};
pub use fact::SpanFact;
pub use list::SpanRow;
pub use options::{ActivityQuery, Keep, Pair, ParsePairError, SpanOptions};
pub use span::{Span, SpanId, State};
pub use spans::{Excess, Spans};
pub use table::TableRow;
pub use tree::{Tree, TreeRow};
