//! Conversions of times.

use super::*;

const UNIX_EPOCH: i64 = FileTime::UNIX_EPOCH.0;

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
    assert_eq!(FileTime(132_274_208_967_890_999).to_calendar(), Some(date), "cut to milliseconds");
    assert_eq!(FileTime(i64::MAX).to_calendar().map(|date| date.year), Some(30828));
    assert_eq!(FileTime(i64::MIN).to_calendar(), None, "before year 0");
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

#[test]
fn nanoseconds_round_down() {
    assert_eq!(FileTime::from_unix_nanos(199), Ok(FileTime(UNIX_EPOCH + 1)));
    assert_eq!(FileTime::from_unix_nanos(-1), Ok(FileTime(UNIX_EPOCH - 1)));
    assert_eq!(FileTime::from_unix_nanos(i128::MAX), Err(OutOfRange));
    assert_eq!(FileTime::from_unix_nanos(FileTime(i64::MIN).unix_nanos()), Ok(FileTime(i64::MIN)));
}
