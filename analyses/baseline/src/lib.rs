//! A trace as short, stable text, line for line in the format of TraceEvent's regression baselines: the first events of
//! each kind, then how many there are of each. Kept in a repository it shows what a change of a parser did.
//!
//! Which fields are shown, in which order and as what, is data: `views/*.view`, derived from what TraceEvent shows.
//! Everything is decoded by the schemas in force; nothing here reads a payload, except for the fixed head of an
//! EventSource manifest chunk.

mod cell;
mod disk;
mod drops;
mod evaluate;
mod functions;
mod line;
mod names;
mod net;
mod plain;
mod release;
mod view;
mod write;

pub use release::{Release, UnknownRelease};
pub use write::{Options, Totals, write_baseline};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
