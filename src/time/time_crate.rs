//! Conversion to and from `time::OffsetDateTime`.

use ::time::OffsetDateTime;

use super::{FileTime, OutOfRange};

impl TryFrom<FileTime> for OffsetDateTime {
    type Error = OutOfRange;

    fn try_from(time: FileTime) -> Result<Self, OutOfRange> {
        Self::from_unix_timestamp_nanos(time.unix_nanos()).map_err(|_| OutOfRange)
    }
}

impl TryFrom<OffsetDateTime> for FileTime {
    type Error = OutOfRange;

    fn try_from(time: OffsetDateTime) -> Result<Self, OutOfRange> {
        Self::from_unix_nanos(time.unix_timestamp_nanos())
    }
}

#[cfg(test)]
mod tests {
    use ::time::{Date, Month};

    use super::*;

    #[test]
    fn the_conversion_is_exact_both_ways() {
        let leap_day = Date::from_calendar_date(2020, Month::February, 29).unwrap();
        let time = leap_day.with_hms_nano(3, 34, 56, 789_012_300).unwrap().assume_utc();
        assert_eq!(FileTime::try_from(time), Ok(FileTime(132_274_208_967_890_123)));
        for units in [0, 116_444_735_999_999_999, 132_274_208_967_890_123] {
            let time = OffsetDateTime::try_from(FileTime(units)).unwrap();
            assert_eq!(FileTime::try_from(time), Ok(FileTime(units)));
        }
        assert_eq!(OffsetDateTime::try_from(FileTime(i64::MAX)), Err(OutOfRange));
    }
}
