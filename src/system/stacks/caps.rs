//! The caps on stacks.

use crate::limits;

/// How much is kept of the stacks of one machine.
#[derive(Clone, Copy, Debug)]
pub(in crate::system) struct StackCaps {
    /// As [`limits::MAX_STACKS`].
    pub(super) stacks: usize,
    /// As [`limits::MAX_STACK_FRAMES`].
    pub(super) frames: usize,
}

impl StackCaps {
    /// Returns the share of one of several machines, so that the limits hold for the whole trace.
    pub(in crate::system) fn shared_by(machines: usize) -> Self {
        let machines = machines.max(1);
        Self { stacks: limits::MAX_STACKS / machines, frames: limits::MAX_STACK_FRAMES / machines }
    }
}

impl Default for StackCaps {
    fn default() -> Self {
        Self::shared_by(1)
    }
}
