//! The call tree, and what its weights are counted in.

mod frame;
mod profile;
mod quality;
mod unit;

pub use frame::{Frame, FrameKind, Module, ModuleId};
pub use profile::{Node, NodeId, Profile, Sample, Weight};
pub use quality::Quality;
pub use unit::Unit;
