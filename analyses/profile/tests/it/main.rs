//! Profiles of real and of made traces, in all forms.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

mod forms;
mod made;
mod made_threads;
mod memory;
mod proto;
mod real;
mod reuse;
mod spans;
mod sums;
mod thread_time;
