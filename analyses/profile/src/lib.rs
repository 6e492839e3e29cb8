#![doc = include_str!("../README.md")]

mod collector;
mod folded;
mod frame_names;
mod functions;
mod profile;
mod quality;
mod speedscope;

pub use collector::{ProfileCollector, ProfileWorker, SampleFact, profile};
pub use folded::folded;
pub use functions::{Function, functions};
pub use profile::{Node, NodeId, Profile, Unit};
pub use quality::Quality;
pub use speedscope::speedscope;
