//! Points in time as Windows writes them.

/// 100 ns ticks in a second.
pub const TICKS_PER_SECOND: i64 = 10_000_000;

/// The moment most fixtures start at: 2026-01-02 03:04:05 UTC, a Friday.
pub const START: i64 = filetime(2026, 1, 2) + time_of_day(3, 4, 5);

/// FILETIME (100 ns since 1601-01-01 UTC) of midnight of a Gregorian date.
pub const fn filetime(year: i64, month: i64, day: i64) -> i64 {
    days_since_1601(year, month, day) * 86_400 * TICKS_PER_SECOND
}

/// Ticks from midnight to a time of day.
pub const fn time_of_day(hour: i64, minute: i64, second: i64) -> i64 {
    ((hour * 60 + minute) * 60 + second) * TICKS_PER_SECOND
}

const fn days_since_1601(year: i64, month: i64, day: i64) -> i64 {
    // Years counted from March put the leap day last; there are 584_694 days between 0000-03-01 and 1601-01-01.
    let shifted = if month <= 2 { year - 1 } else { year };
    let from_march = (month + 9) % 12;
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400;
    days + (from_march * 153 + 2) / 5 + day - 1 - 584_694
}

/// `SYSTEMTIME` (`minwinbase.h`): eight u16.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SystemTime {
    /// Year; 0 in a recurring time zone date.
    pub year: u16,
    /// Month, 1 to 12.
    pub month: u16,
    /// Day of week, 0 = Sunday.
    pub weekday: u16,
    /// Day of month, or in a recurring date the week of the month (5 = last).
    pub day: u16,
    /// Hour.
    pub hour: u16,
    /// Minute.
    pub minute: u16,
    /// Second.
    pub second: u16,
    /// Millisecond.
    pub millisecond: u16,
}

impl SystemTime {
    /// A day of a month at midnight.
    pub const fn date(year: u16, month: u16, weekday: u16, day: u16) -> Self {
        Self { year, month, weekday, day, hour: 0, minute: 0, second: 0, millisecond: 0 }
    }

    /// The same day at another time.
    #[must_use]
    pub const fn at(self, hour: u16, minute: u16, second: u16, millisecond: u16) -> Self {
        Self { hour, minute, second, millisecond, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::filetime;

    #[test]
    fn known_filetimes() {
        assert_eq!(filetime(1601, 1, 1), 0);
        assert_eq!(filetime(1970, 1, 1), 116_444_736_000_000_000);
        assert_eq!(filetime(2000, 3, 1) - filetime(2000, 2, 28), 2 * 864_000_000_000);
    }
}
