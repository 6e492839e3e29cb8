//! Points in time, each unit a type of its own, and the calendar.

mod calendar;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
mod system_time;
#[cfg(feature = "time")]
mod time_crate;

use std::fmt;
use std::time::Duration;

pub use calendar::Calendar;
pub(crate) use calendar::date_of_unix_day;

pub(crate) const SECONDS_A_DAY: i64 = 86_400;

/// A Windows `FILETIME`: 100 ns units since 1601-01-01 00:00 UTC.
///
/// Negative values and values beyond the year 9999 occur in damaged traces; they are kept as they are.
///
/// It converts to and from [`std::time::SystemTime`], and with the features `jiff`, `chrono` and `time` to and from
/// `jiff::Timestamp`, `chrono::DateTime<Utc>` and `time::OffsetDateTime`. Conversions to `FileTime` round down to 100 ns;
/// a time that the target type cannot hold is [`OutOfRange`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileTime(pub i64);

/// A raw time stamp: ticks of the clock of one file, which [`crate::clock::Clock`] converts. Raw time stamps of files with
/// different clocks cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RawTime(pub i64);

impl FileTime {
    /// The start of Unix time, 1970-01-01 00:00 UTC.
    pub const UNIX_EPOCH: Self = Self(116_444_736_000_000_000);
    /// Units of 100 ns in a millisecond.
    pub const UNITS_PER_MILLISECOND: i64 = 10_000;
    /// Units of 100 ns in a second.
    pub const UNITS_PER_SECOND: i64 = 10_000_000;

    /// Returns the time this many seconds after 1970-01-01 00:00 UTC, or the nearest one that can be held.
    pub const fn from_unix_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(Self::UNITS_PER_SECOND).saturating_add(Self::UNIX_EPOCH.0))
    }

    /// Returns the time this many nanoseconds after 1970-01-01 00:00 UTC, rounded down to 100 ns.
    ///
    /// # Errors
    ///
    /// If it is too far away from 1601.
    pub fn from_unix_nanos(nanos: i128) -> Result<Self, OutOfRange> {
        let units = nanos.div_euclid(100).checked_add(Self::UNIX_EPOCH.0.into()).ok_or(OutOfRange)?;
        i64::try_from(units).map(Self).map_err(|_| OutOfRange)
    }

    /// Returns the number of 100 ns units since 1601.
    pub const fn as_units(self) -> i64 {
        self.0
    }

    /// Returns nanoseconds since 1970-01-01 00:00 UTC; negative before.
    pub const fn unix_nanos(self) -> i128 {
        (self.0 as i128 - Self::UNIX_EPOCH.0 as i128) * 100
    }

    /// Returns seconds since 1970-01-01 00:00 UTC with their fraction, as scripts and spreadsheets take them. A double is
    /// exact to about 200 ns at present dates.
    pub fn unix_seconds(self) -> f64 {
        (self.0.saturating_sub(Self::UNIX_EPOCH.0)) as f64 / 1e7
    }

    /// Returns the time from `earlier` to this one; `None` if `earlier` is later.
    pub fn duration_since(self, earlier: Self) -> Option<Duration> {
        let units = u64::try_from(self.0.checked_sub(earlier.0)?).ok()?;
        Some(duration_of_units(units))
    }

    /// Returns the whole seconds since 1970-01-01 00:00 UTC and the 100 ns units of the second.
    pub(crate) const fn unix_parts(self) -> (i64, u64) {
        let seconds = self.0.div_euclid(Self::UNITS_PER_SECOND) - Self::UNIX_EPOCH.0 / Self::UNITS_PER_SECOND;
        (seconds, self.0.rem_euclid(Self::UNITS_PER_SECOND) as u64)
    }
}

/// Returns the duration of a number of units of 100 ns.
pub const fn duration_of_units(units: u64) -> Duration {
    let second = FileTime::UNITS_PER_SECOND as u64;
    Duration::new(units / second, (units % second) as u32 * 100)
}

/// RFC 3339 in UTC with seven digits of the second, such as `2020-02-29T12:34:56.7890123Z`.
impl fmt::Display for FileTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, units) = self.unix_parts();
        let (year, month, day) = date_of_unix_day(seconds.div_euclid(SECONDS_A_DAY));
        let of_day = seconds.rem_euclid(SECONDS_A_DAY);
        let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{units:07}Z")
    }
}

/// The number of ticks.
impl fmt::Display for RawTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A point in time that the target type cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time is out of range")]
pub struct OutOfRange;

#[cfg(test)]
mod tests;
