//! Events that both the kernel's own session and a provider write.

use std::collections::BTreeSet;

use etwkit::error::Result;
use etwkit::trace::Trace;

use crate::Interest;

/// The machines whose kernel session wrote events of an analysis. Providers such as `Microsoft-Windows-Kernel-File` repeat
/// these, so of each machine the events of one source count.
#[derive(Clone, Debug, Default)]
pub struct KernelSessions {
    machines: BTreeSet<u16>,
}

impl KernelSessions {
    /// Looks for the classic events of an interest.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn of(interest: Interest, trace: &Trace) -> Result<Self> {
        Ok(Self { machines: Interest { manifest: &[], ..interest }.machines(trace)? })
    }

    /// Returns whether an event of a machine counts: `is_classic` states that the kernel's session wrote it.
    #[inline]
    pub fn count(&self, machine: u16, is_classic: bool) -> bool {
        is_classic == self.machines.contains(&machine)
    }
}
