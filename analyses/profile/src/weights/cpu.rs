//! CPU samples of the timer.

use etwkit::decode::{Event, EventType};
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::Need;
use etwkit_kernel_analyses::samples::{INTEREST, Intervals, is_busy};

use super::{Amount, Reading, Weigher};
use crate::Unit;

/// CPU samples of the timer, without those of idle processors. Each one stands for the interval that holds when it is
/// taken.
#[derive(Clone, Debug)]
pub struct CpuSamples(Intervals);

impl CpuSamples {
    /// Reads the intervals of a trace.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn new(trace: &Trace) -> Result<Self> {
        Ok(Self(Intervals::of(trace)?))
    }
}

impl Weigher for CpuSamples {
    fn title(&self) -> &'static str {
        "CPU samples"
    }

    fn units(&self) -> &'static [Unit] {
        &[Unit::Samples, Unit::Time]
    }

    fn states(&self, unit: Unit) -> bool {
        unit != Unit::Time || self.0.first().is_some()
    }

    fn interval(&self) -> Option<u64> {
        self.0.first().map(u64::from)
    }

    fn need(&self) -> Need {
        Need::KernelFlags("PROC_THREAD+LOADER+PROFILE with stack walking of Profile")
    }

    fn reads(&self, event_type: &EventType) -> bool {
        INTEREST.has(event_type.key())
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let interval = || self.0.at(event.system().machine.number, event.time());
        let amount = || Amount { time: interval().map(u64::from), size: 0 };
        is_busy(event).then(|| Reading { amount: amount(), ..Reading::default() })
    }
}
