//! What Windows itself says of an event's header.

use etwkit::decode::Event;
use etwkit::event::{Kind, RawEvent};
use etwkit::format::{LogFileHeader, SYSTEM_PROVIDER};
use etwkit::trace::Trace;

/// Display name of the provider of the kernel's classes.
pub(crate) const KERNEL: &str = "MSNT_SystemTrace";

/// What stands for an id that the header does not have.
const UNKNOWN: u32 = u32::MAX;

/// Returns the writing process and thread as Windows gives them (section 5.9): a message without them has zeros.
pub(crate) fn ids(raw: &RawEvent<'_>) -> (u32, u32) {
    let unknown = if raw.kind() == Kind::Wpp { 0 } else { UNKNOWN };
    (raw.pid().unwrap_or(unknown), raw.tid().unwrap_or(unknown))
}

/// Returns kernel and user time of the writing thread, 100 ns; 0 where the header has none.
pub(crate) fn times(trace: &Trace, raw: &RawEvent<'_>) -> (u64, u64) {
    let (kernel, user) = raw.header().processor_times().unwrap_or((0, 0));
    let resolution = u64::from(log(trace, raw).map_or(0, |log| log.timer_resolution));
    (u64::from(kernel) * resolution, u64::from(user) * resolution)
}

/// Returns the one time that headers of a private session have in place of the two, processor ticks (section 5.9).
pub(crate) fn private_time(trace: &Trace, raw: &RawEvent<'_>) -> Option<u64> {
    let is_private = log(trace, raw).is_some_and(|log| log.mode.is_private());
    let (low, high) = raw.header().processor_times().filter(|_| is_private)?;
    Some(u64::from(high) << 32 | u64::from(low))
}

fn log<'t>(trace: &'t Trace, raw: &RawEvent<'_>) -> Option<&'t LogFileHeader> {
    trace.files().get(usize::from(raw.place().file)).map(|file| &file.head.log)
}

/// Returns whether the event is of one of the kernel's classes, which Windows knows by their GUID only.
pub(crate) fn is_kernel(trace: &Trace, event: &Event<'_>) -> bool {
    let guid = || event.key.map(|key| trace.provider_guid(key));
    event.raw.hook().is_some() || event.raw.kind() == Kind::Classic && guid() == Some(SYSTEM_PROVIDER)
}
