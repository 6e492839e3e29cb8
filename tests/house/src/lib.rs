//! The house rules that a machine can check: sizes of files and functions, no circle among files, and the form of
//! documentation.
#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod circles;
mod dependencies;
mod docs;
mod modules;
mod paths;
mod sizes;
mod sources;
