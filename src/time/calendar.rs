//! The Gregorian calendar.

use super::{FileTime, SECONDS_A_DAY};

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
    /// Returns the time of a date and a time of day, UTC; `None` if there is no such date.
    pub fn from_calendar(date: Calendar) -> Option<Self> {
        let Calendar { year, month, day, hour, minute, second, millisecond } = date;
        let is_time = hour < 24 && minute < 60 && second < 60 && millisecond < 1000;
        let days = unix_day_of(year.into(), month.into(), day.into());
        if !is_time || !(1..=31).contains(&day) || date_of_unix_day(days) != (year.into(), month.into(), day.into()) {
            return None;
        }
        let seconds = days * SECONDS_A_DAY + i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
        Some(Self(
            Self::UNIX_EPOCH.0
                + seconds * Self::UNITS_PER_SECOND
                + i64::from(millisecond) * Self::UNITS_PER_MILLISECOND,
        ))
    }

    /// Returns the date and the time of day, UTC, cut to milliseconds; `None` before the year 0.
    pub fn to_calendar(self) -> Option<Calendar> {
        let (seconds, units) = self.unix_parts();
        let (year, month, day) = date_of_unix_day(seconds.div_euclid(SECONDS_A_DAY));
        let of_day = seconds.rem_euclid(SECONDS_A_DAY);
        Some(Calendar {
            year: u16::try_from(year).ok()?,
            month: month as u16,
            day: day as u16,
            hour: (of_day / 3600) as u16,
            minute: (of_day / 60 % 60) as u16,
            second: (of_day % 60) as u16,
            millisecond: (units / Self::UNITS_PER_MILLISECOND as u64) as u16,
        })
    }
}

/// Returns year, month and day of a number of days since 1970-01-01.
pub(crate) const fn date_of_unix_day(days: i64) -> (i64, i64, i64) {
    // Counted from 0000-03-01, so that the leap day is the last day of a year (Howard Hinnant's `civil_from_days`).
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + if month <= 2 { 1 } else { 0 }, month, day)
}

/// Returns days from 1970-01-01 to a date; the inverse of [`date_of_unix_day`].
const fn unix_day_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}
