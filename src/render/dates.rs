//! Which numbers are dates.

use crate::clock::Clock;
use crate::time::FileTime;

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
