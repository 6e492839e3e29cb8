//! What one pass over the events collects.

mod both;
mod density;
mod levels;
mod pulses;
mod samples;

pub(crate) use both::{Both, Maybe};
pub(crate) use density::Density;
pub(crate) use levels::level_of;
pub(crate) use pulses::{BufferSpan, Pulses};
pub(crate) use samples::{NamedLane, Samples};
