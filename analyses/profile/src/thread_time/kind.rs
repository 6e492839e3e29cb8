//! Which time of threads is weighed.

use etwkit::trace::Trace;
use etwkit_analysis::Need;
use etwkit_kernel_analyses::schedule::SWITCHES;

use crate::Unit;

/// The time of threads that is weighed. The idle thread has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadTime {
    /// The time in which they ran.
    Running,
    /// All time of their lifetime: running, ready, waiting, and that of which the events do not state what they did.
    Wall,
}

impl ThreadTime {
    /// Returns what its samples are, in the plural.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Running => "slices of running time",
            Self::Wall => "slices of thread time",
        }
    }

    /// Returns the units that its weights have.
    pub const fn units(self) -> &'static [Unit] {
        &[Unit::Time]
    }

    /// Returns what records its events.
    pub const fn need(self) -> Need {
        match self {
            Self::Running => Need::KernelFlags("PROC_THREAD+LOADER+CSWITCH with stack walking of CSwitch"),
            Self::Wall => Need::KernelFlags("PROC_THREAD+LOADER+CSWITCH+DISPATCHER with stack walking of CSwitch"),
        }
    }

    /// Returns whether a trace has context switches.
    pub fn is_answerable(self, trace: &Trace) -> bool {
        SWITCHES.events(trace) > 0
    }
}
