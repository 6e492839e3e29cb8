//! Copies of traces have the same events.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod clocks;
mod copies;
mod facts;
mod headers;
mod logs;
mod losses;
mod merged;
mod parts;
mod providers;
mod real;
mod stacks;
mod untimed;
