//! Times as columns have them.

use etwkit::FileTime;

/// The first tick of the year 10000, which no calendar of a reader has.
const END: i64 = 2_650_467_744_000_000_000;

/// Returns microseconds since 1970, UTC, rounded down; `None` outside of the years 1601 to 9999.
#[inline]
pub fn microseconds(time: FileTime) -> Option<i64> {
    // Divided without a sign: the epoch is a whole number of microseconds.
    is_date(time).then(|| (time.0.cast_unsigned() / 10).cast_signed() - FileTime::UNIX_EPOCH.0 / 10)
}

/// Returns whether [`microseconds`] are there.
#[inline]
pub(crate) fn is_date(time: FileTime) -> bool {
    (0..END).contains(&time.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_rounded_down() {
        let at = |ticks: i64| microseconds(FileTime(FileTime::UNIX_EPOCH.0 + ticks));
        assert_eq!([at(0), at(19), at(20), at(-1)], [0, 1, 2, -1].map(Some));
        assert_eq!([-1, END, i64::MIN].map(|ticks| microseconds(FileTime(ticks))), [None; 3]);
        assert!(FileTime(END - 1).to_string().starts_with("9999-12-31T23:59:59"));
    }
}
