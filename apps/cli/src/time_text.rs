//! Points in time and durations as text.

use etwkit::FileTime;
use jiff::Timestamp;

/// A FILETIME as RFC 3339 in UTC with its seven digits; `None` beyond the year 9999.
pub(crate) fn rfc3339(time: FileTime) -> Option<String> {
    let time = Timestamp::from_nanosecond(time.unix_nanos()).ok()?;
    Some(format!("{time:.7}"))
}

/// Seconds of a number of 100 ns units.
#[expect(clippy::cast_precision_loss, reason = "exact up to 28 years, which no session reaches")]
pub(crate) fn seconds(units: i64) -> f64 {
    units as f64 / 1e7
}

/// A duration for people: to 100 ns below a minute, else to the millisecond.
pub(crate) fn duration(units: i64) -> String {
    if units < 60 * FileTime::UNITS_PER_SECOND {
        return format!("{:.7} s", seconds(units));
    }
    let [hours, minutes, seconds, milliseconds] = clock_parts(units);
    let hours = if hours > 0 { format!("{hours} h ") } else { String::new() };
    format!("{hours}{minutes} min {seconds}.{milliseconds:03} s")
}

/// A duration as `H:MM:SS.mmm`, for columns.
pub(crate) fn clock_duration(units: i64) -> String {
    let [hours, minutes, seconds, milliseconds] = clock_parts(units);
    format!("{hours}:{minutes:02}:{seconds:02}.{milliseconds:03}")
}

/// Returns the hours, minutes, seconds and milliseconds of a number of 100 ns units, rounded.
const fn clock_parts(units: i64) -> [i64; 4] {
    let milliseconds = units.saturating_add(5_000) / 10_000;
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    [seconds / 3600, seconds / 60 % 60, seconds % 60, rest]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_times_print_with_seven_digits() {
        assert_eq!(rfc3339(FileTime(FileTime::UNIX_EPOCH.0 + 1)).unwrap(), "1970-01-01T00:00:00.0000001Z");
        assert_eq!(rfc3339(FileTime(0)).unwrap(), "1601-01-01T00:00:00.0000000Z");
        assert_eq!(rfc3339(FileTime(i64::MAX)), None);
    }

    #[test]
    fn durations_for_people() {
        assert_eq!(duration(1), "0.0000001 s");
        assert_eq!(duration(36_615_000_000), "1 h 1 min 1.500 s");
        assert_eq!((duration(599_999_999), duration(600_000_000)), ("59.9999999 s".into(), "1 min 0.000 s".into()));
        assert_eq!(duration(1_199_999_999), "2 min 0.000 s");
        assert_eq!(clock_duration(36_614_999_999), "1:01:01.500");
        assert_eq!(
            (clock_duration(56_398), clock_duration(3_600_000_000_000)),
            ("0:00:00.006".into(), "100:00:00.000".into())
        );
    }
}
