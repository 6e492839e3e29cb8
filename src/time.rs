//! Points in time, each unit a type of its own.

use std::fmt;
use std::time::{Duration, SystemTime};

/// 100 ns units from 1601 (FILETIME) to 1970 (Unix).
const UNIX_EPOCH: i64 = 116_444_736_000_000_000;

/// A Windows `FILETIME`: 100 ns units since 1601-01-01 00:00 UTC.
///
/// Negative values and values beyond the year 9999 occur in damaged traces; they are kept as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileTime(pub i64);

/// A raw time stamp: ticks of the clock of one file, which [`crate::clock::Clock`] converts. Raw time stamps of files with
/// different clocks cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RawTime(pub i64);

/// A date of the Gregorian calendar and a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// Year.
    pub year: u16,
    /// Month, 1 to 12.
    pub month: u16,
    /// Day of the month, from 1.
    pub day: u16,
    /// Hour, 0 to 23.
    pub hour: u16,
    /// Minute.
    pub minute: u16,
    /// Second.
    pub second: u16,
    /// Millisecond.
    pub millisecond: u16,
}

impl FileTime {
    /// The start of Unix time, 1970-01-01 00:00 UTC.
    pub const UNIX_EPOCH: Self = Self(UNIX_EPOCH);

    /// The point of time that many seconds after 1970-01-01 00:00 UTC; the nearest one that can be held.
    pub const fn from_unix_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(10_000_000).saturating_add(UNIX_EPOCH))
    }

    /// The point of time of a date and a time of day, UTC; `None` if there is no such date.
    pub fn from_calendar(date: Calendar) -> Option<Self> {
        let Calendar { year, month, day, hour, minute, second, millisecond } = date;
        let is_time = hour < 24 && minute < 60 && second < 60 && millisecond < 1000;
        let days = days(year.into(), month.into(), day.into());
        if !is_time || !(1..=31).contains(&day) || civil(days) != (year.into(), month.into(), day.into()) {
            return None;
        }
        let seconds = days * 86_400 + i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
        Some(Self(seconds * 10_000_000 + i64::from(millisecond) * 10_000))
    }

    /// The number of 100 ns units since 1601.
    pub const fn as_units(self) -> i64 {
        self.0
    }

    /// Nanoseconds since 1970-01-01 00:00 UTC; negative before.
    pub const fn unix_nanos(self) -> i128 {
        (self.0 as i128 - UNIX_EPOCH as i128) * 100
    }

    /// Seconds since 1970-01-01 00:00 UTC with their fraction, as scripts and spreadsheets take them. A double is exact to
    /// about 200 ns at present dates.
    pub fn unix_seconds(self) -> f64 {
        (self.0.saturating_sub(UNIX_EPOCH)) as f64 / 1e7
    }

    /// The time from `earlier` to this one; `None` if `earlier` is later.
    pub fn duration_since(self, earlier: Self) -> Option<Duration> {
        let units = u64::try_from(self.0.checked_sub(earlier.0)?).ok()?;
        Some(units_to_duration(units))
    }

    /// The same point of time for `std`; `None` where the system's type cannot hold it.
    pub fn to_system_time(self) -> Option<SystemTime> {
        let units = self.0.checked_sub(UNIX_EPOCH)?;
        let distance = units_to_duration(units.unsigned_abs());
        if units < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(distance)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(distance)
        }
    }
}

const fn units_to_duration(units: u64) -> Duration {
    Duration::new(units / 10_000_000, (units % 10_000_000) as u32 * 100)
}

/// RFC 3339 in UTC with seven digits of the second, such as `2020-02-29T12:34:56.7890123Z`.
impl fmt::Display for FileTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.0.div_euclid(864_000_000_000);
        let rest = self.0.rem_euclid(864_000_000_000);
        let (year, month, day) = civil(days);
        let (seconds, units) = (rest / 10_000_000, rest % 10_000_000);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{units:07}Z")
    }
}

/// Year, month and day of a number of days since 1601-01-01, in the Gregorian calendar.
const fn civil(days: i64) -> (i64, i64, i64) {
    // Counted from 0000-03-01, so that the leap day is the last day of a year (Howard Hinnant's `civil_from_days`).
    let days = days + 584_694;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + if month <= 2 { 1 } else { 0 }, month, day)
}

/// Days from 1601-01-01 to a date of the Gregorian calendar; the inverse of [`civil`].
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 584_694
}

/// [`SystemTime`] before 1601 or too far in the future has no `FileTime`.
impl TryFrom<SystemTime> for FileTime {
    type Error = OutOfRange;

    fn try_from(time: SystemTime) -> Result<Self, OutOfRange> {
        let units = |distance: Duration| i64::try_from(distance.as_nanos() / 100).map_err(|_| OutOfRange);
        let units = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => UNIX_EPOCH.checked_add(units(after)?),
            Err(before) => UNIX_EPOCH.checked_sub(units(before.duration())?),
        };
        units.map(Self).ok_or(OutOfRange)
    }
}

/// A point of time that the target type cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time is out of range")]
pub struct OutOfRange;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_time_is_written_as_a_date() {
        assert_eq!(FileTime(0).to_string(), "1601-01-01T00:00:00.0000000Z");
        assert_eq!(FileTime::UNIX_EPOCH.to_string(), "1970-01-01T00:00:00.0000000Z");
        assert_eq!(FileTime(132_274_208_967_890_123).to_string(), "2020-02-29T03:34:56.7890123Z");
        assert_eq!(FileTime(-1).to_string(), "1600-12-31T23:59:59.9999999Z");
    }

    #[test]
    fn a_date_is_a_file_time_or_no_date() {
        let date = Calendar { year: 2020, month: 2, day: 29, hour: 3, minute: 34, second: 56, millisecond: 789 };
        assert_eq!(FileTime::from_calendar(date), Some(FileTime(132_274_208_967_890_000)));
        assert_eq!(FileTime::from_calendar(Calendar { year: 2021, ..date }), None, "not a leap year");
        assert_eq!(FileTime::from_calendar(Calendar { month: 0, ..date }), None);
        assert_eq!(FileTime::from_calendar(Calendar { hour: 24, ..date }), None);
    }

    #[test]
    fn conversions_go_both_ways() {
        for units in [0, UNIX_EPOCH - 1, UNIX_EPOCH, 132_274_208_967_890_123] {
            let time = FileTime(units);
            assert_eq!(FileTime::try_from(time.to_system_time().unwrap()), Ok(time));
        }
        assert_eq!(FileTime::UNIX_EPOCH.unix_nanos(), 0);
        assert_eq!(FileTime(UNIX_EPOCH + 5).duration_since(FileTime::UNIX_EPOCH), Some(Duration::from_nanos(500)));
        assert_eq!(FileTime::UNIX_EPOCH.duration_since(FileTime(UNIX_EPOCH + 5)), None);
    }
}
