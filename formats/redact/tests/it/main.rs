//! Redacted traces have no secret and every event.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod damaged;
mod forms;
mod packets;
mod places;
mod planted;
mod real;
mod run;
