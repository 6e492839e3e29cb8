//! Redacted traces have no secret and every event.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod beside;
mod big_endian;
mod damaged;
mod forms;
mod names;
mod packets;
mod passwords;
mod places;
mod planted;
mod real;
mod run;
