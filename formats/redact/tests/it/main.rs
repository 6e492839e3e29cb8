//! Redacted traces have no secret and every event.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod forms;
mod packets;
mod planted;
mod real;
mod run;
