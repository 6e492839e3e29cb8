//! Conversion to and from `jiff::Timestamp`.

use ::jiff::Timestamp;

use super::{FileTime, OutOfRange};

impl TryFrom<FileTime> for Timestamp {
    type Error = OutOfRange;

    fn try_from(time: FileTime) -> Result<Self, OutOfRange> {
        Self::from_nanosecond(time.unix_nanos()).map_err(|_| OutOfRange)
    }
}

impl TryFrom<Timestamp> for FileTime {
    type Error = OutOfRange;

    fn try_from(time: Timestamp) -> Result<Self, OutOfRange> {
        Self::from_unix_nanos(time.as_nanosecond())
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
            let time: Timestamp = text.parse().unwrap();
            assert_eq!(
                (FileTime::try_from(time), Timestamp::try_from(FileTime(units))),
                (Ok(FileTime(units)), Ok(time))
            );
        }
        assert_eq!(Timestamp::try_from(FileTime(i64::MAX)), Err(OutOfRange));
    }
}
