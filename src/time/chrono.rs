//! Conversion to and from `chrono::DateTime<Utc>`.

use ::chrono::{DateTime, Utc};

use super::{FileTime, OutOfRange};

impl TryFrom<FileTime> for DateTime<Utc> {
    type Error = OutOfRange;

    fn try_from(time: FileTime) -> Result<Self, OutOfRange> {
        let (seconds, units) = time.unix_parts();
        Self::from_timestamp(seconds, units as u32 * 100).ok_or(OutOfRange)
    }
}

impl TryFrom<DateTime<Utc>> for FileTime {
    type Error = OutOfRange;

    fn try_from(time: DateTime<Utc>) -> Result<Self, OutOfRange> {
        Self::from_unix_nanos(i128::from(time.timestamp()) * 1_000_000_000 + i128::from(time.timestamp_subsec_nanos()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conversion_is_exact_both_ways() {
        for (units, text) in [
            (0, "1601-01-01T00:00:00Z"),
            (116_444_735_999_999_999, "1969-12-31T23:59:59.9999999Z"),
            (132_274_208_967_890_123, "2020-02-29T03:34:56.7890123Z"),
        ] {
            let time: DateTime<Utc> = text.parse().unwrap();
            assert_eq!(
                (FileTime::try_from(time), DateTime::<Utc>::try_from(FileTime(units))),
                (Ok(FileTime(units)), Ok(time))
            );
        }
        assert_eq!(FileTime::try_from(DateTime::<Utc>::MAX_UTC), Err(OutOfRange));
    }
}
