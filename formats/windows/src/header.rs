//! Header values as Windows reports them.

use etwkit::FileTime;
use etwkit::decode::{Event, EventType};
use etwkit::event::{Kind, NO_ID, RawEvent};
use etwkit::format::SYSTEM_PROVIDER;
use etwkit::trace::Trace;

/// Display name of the provider of the kernel's classes.
pub(crate) const KERNEL: &str = "MSNT_SystemTrace";

/// Returns the writing process and thread as Windows gives them (section 5.9): a message without them has zeros.
#[inline]
pub(crate) fn ids(raw: &RawEvent<'_>) -> (u32, u32) {
    match raw.header().thread(raw.bytes()) {
        Some((tid, pid)) => (pid, tid),
        None if raw.kind() == Kind::Wpp => (0, 0),
        None => (NO_ID, NO_ID),
    }
}

/// Returns whether the event is of one of the kernel's classes, which Windows knows by their GUID only.
pub(crate) fn is_kernel(event: &Event<'_>) -> bool {
    let guid = || event.event_type().map(EventType::provider_guid);
    event.raw().hook().is_some() || event.raw().kind() == Kind::Classic && guid() == Some(SYSTEM_PROVIDER)
}

/// The processor times in an event's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    /// Time of the writing thread, 100 ns or milliseconds; 0 if the header has none.
    Thread { kernel: u64, user: u64 },
    /// Processor ticks of the writing thread: the one time of private sessions.
    Processor(u64),
}

/// The units of the times in headers, for each file of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeaderTimes {
    /// The timer's resolution, 100 ns, and whether the session was private.
    files: Box<[(u32, bool)]>,
}

impl HeaderTimes {
    pub(crate) fn new(trace: &Trace) -> Self {
        let logs = trace.files().iter().map(|file| &file.head.log);
        Self { files: logs.map(|log| (log.timer_resolution, log.mode.is_private())).collect() }
    }

    /// Returns the times of an event (section 5.9).
    pub(crate) fn of(&self, raw: &RawEvent<'_>) -> Times {
        self.with_unit(raw, |resolution| resolution)
    }

    /// Returns the times of an event in milliseconds, as tracerpt counts them: a tick is the whole milliseconds of the
    /// timer's resolution, so that two ticks of 15.625 ms are 30.
    pub(crate) fn milliseconds_of(&self, raw: &RawEvent<'_>) -> Times {
        self.with_unit(raw, |resolution| resolution / FileTime::UNITS_PER_MILLISECOND as u32)
    }

    /// `unit` makes the length of a tick from the timer's resolution.
    fn with_unit(&self, raw: &RawEvent<'_>, unit: impl Fn(u32) -> u32) -> Times {
        let (resolution, is_private) = self.files.get(raw.place().file.index()).copied().unwrap_or_default();
        match raw.header().processor_times() {
            Some((low, high)) if is_private => Times::Processor(u64::from(high) << 32 | u64::from(low)),
            times => {
                let (kernel, user) = times.unwrap_or((0, 0));
                let span = |ticks: u32| u64::from(ticks) * u64::from(unit(resolution));
                Times::Thread { kernel: span(kernel), user: span(user) }
            }
        }
    }
}
