//! The viewer on a screen in memory, over fixtures.
#![expect(clippy::unwrap_used, reason = "tests")]

mod keys;
mod screens;
mod viewer;
