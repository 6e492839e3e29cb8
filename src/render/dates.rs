//! Which values are points in time.

use crate::clock::Clock;
#[cfg(feature = "query")]
use crate::decode::Value;
use crate::format::SystemTime;
use crate::schema::DisplayFormat;
use crate::time::{FileTime, RawTime};

/// Returns the point in time that a value of a field is shown as; `None` if it is shown as something else, or as a date of
/// no known zone.
#[cfg(feature = "query")]
pub(crate) fn point_in_time(value: Value<'_>, display: DisplayFormat, clock: Option<&Clock>) -> Option<FileTime> {
    match value {
        Value::SystemTime(at) => at.filetime().filter(|_| is_utc(at, display)),
        Value::Unsigned(bits, _) | Value::Pointer(bits, _) => counted(bits, display, clock),
        Value::Signed(number, _) => counted(number.try_into().ok()?, display, clock),
        _ => None,
    }
}

/// Returns whether a date is known to be UTC. Dates that recur are of a zone's rules.
pub(in crate::render) fn is_utc(at: SystemTime, display: DisplayFormat) -> bool {
    display == DisplayFormat::FileTime && at.year != 0
}

/// Returns the point in time that an integer counts to, if its field shows such and it is one.
pub(in crate::render) fn counted(value: u64, display: DisplayFormat, clock: Option<&Clock>) -> Option<FileTime> {
    let number = value.cast_signed();
    match display {
        DisplayFormat::FileTime => is_filetime(value).then_some(FileTime(number)),
        DisplayFormat::UnixTime => is_build_time(value, clock).then(|| FileTime::from_unix_seconds(number)),
        // No clock counts as far as a negative number.
        DisplayFormat::ClockTime if number > 0 => clock?.filetime(RawTime(number)),
        _ => None,
    }
}

/// Returns whether a FILETIME states when something happened. Nothing did at the start of 1601 or of Unix time, and
/// none is before 1601: these mean that there is no time.
pub(in crate::render) fn is_filetime(value: u64) -> bool {
    let time = value.cast_signed();
    time > 0 && time != FileTime::UNIX_EPOCH.0
}

/// Returns whether a time stamp of an image can be the time at which it was built. Reproducible builds have a hash in
/// its place, which is mostly later than the trace or earlier than the first images of Windows NT (1993).
pub(in crate::render) fn is_build_time(seconds: u64, clock: Option<&Clock>) -> bool {
    const FIRST: i64 = 725_846_400;
    /// Sessions last: images may be built while one runs.
    const MONTH: i64 = 31 * 86_400;
    let start = clock.and_then(|clock| clock.filetime(clock.zero()));
    let last = start.map_or(i64::MAX, |start| start.0.saturating_sub(FileTime::UNIX_EPOCH.0) / 10_000_000 + MONTH);
    (FIRST..=last).contains(&seconds.cast_signed())
}
