//! The zone of the machine that recorded a trace, from its header.

use etwkit::FileTime;
use etwkit::format::{SystemTime, TimeZone};
use etwkit::render::Zone;
use jiff::civil::{Date, DateTime, Time, Weekday};

/// Years whose changes are listed. The header has the rules of the year of the trace alone.
const YEARS: std::ops::RangeInclusive<i16> = 1990..=2100;

/// The changes between standard time and daylight saving time as data; UTC if the header has no possible zone.
pub(super) fn zone(zone: &TimeZone) -> Zone {
    let Some((standard, daylight)) = zone.offsets() else { return Zone::default() };
    let changes = |year: i16| {
        let daylight = daylight?;
        let to_daylight = change(&zone.daylight_date, year).map(|local| (at(local, standard), daylight * 60));
        let to_standard = change(&zone.standard_date, year).map(|local| (at(local, daylight), standard * 60));
        Some([to_daylight, to_standard].into_iter().flatten())
    };
    let changes: Vec<(FileTime, i32)> = YEARS.filter_map(changes).flatten().collect();
    // Before a change to standard time, daylight saving time is in force.
    let first = changes.iter().min_by_key(|(time, _)| *time).map(|(_, offset)| *offset);
    let before = daylight.filter(|_| first == Some(standard * 60)).unwrap_or(standard);
    Zone::new(std::iter::once((FileTime(0), before * 60)).chain(changes))
}

/// The instant of a local time, `offset` minutes ahead of UTC.
fn at(local: DateTime, offset: i32) -> FileTime {
    let seconds = jiff::tz::TimeZone::UTC.to_timestamp(local).map_or(0, jiff::Timestamp::as_second);
    // Rules that mean midnight are of 23:59:59.999, and zones change between seconds.
    let begun = i64::from(local.millisecond() > 0);
    FileTime::from_unix_seconds(seconds + begun - i64::from(offset) * 60)
}

/// The local time of a rule in a year: a date, or a weekday in a week of a month, of which 5 is the last.
fn change(rule: &SystemTime, year: i16) -> Option<DateTime> {
    let small = |number: u16| i8::try_from(number).ok();
    let (month, day) = (small(rule.month).filter(|month| *month > 0)?, small(rule.day)?);
    let date = if rule.year == 0 {
        let weekday = Weekday::from_sunday_zero_offset(small(rule.weekday)?).ok()?;
        let nth = if day == 5 { -1 } else { day };
        Date::new(year, month, 1).ok()?.nth_weekday_of_month(nth, weekday).ok()?
    } else {
        Date::new(year, month, day).ok().filter(|_| i16::try_from(rule.year) == Ok(year))?
    };
    let nanoseconds = i32::from(rule.millisecond) * 1_000_000;
    let time = Time::new(small(rule.hour)?, small(rule.minute)?, small(rule.second)?, nanoseconds).ok()?;
    Some(date.to_datetime(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(month: u16, week: u16, hour: u16) -> SystemTime {
        SystemTime { month, day: week, hour, ..SystemTime::default() }
    }

    #[test]
    fn changes_follow_the_rules_of_the_header() {
        let mut central_europe = TimeZone { bias: -60, daylight_bias: -60, ..TimeZone::default() };
        let minutes = |zone: &TimeZone, time: &str| {
            let time: jiff::Timestamp = time.parse().unwrap();
            super::zone(zone).minutes(FileTime::from_unix_seconds(time.as_second()))
        };
        assert_eq!(minutes(&central_europe, "2026-07-01T00:00:00Z"), Some(60));
        central_europe.standard_date = rule(10, 5, 3);
        central_europe.daylight_date = rule(3, 5, 2);
        for (time, offset) in [
            ("2026-01-02T03:04:05Z", 60),
            ("2026-03-29T00:59:59Z", 60),
            ("2026-03-29T01:00:00Z", 120),
            ("2026-10-25T00:59:59Z", 120),
            ("2026-10-25T01:00:00Z", 60),
        ] {
            assert_eq!(minutes(&central_europe, time), Some(offset), "{time}");
        }
        // As Windows writes midnight.
        central_europe.standard_date = SystemTime { minute: 59, second: 59, millisecond: 999, ..rule(10, 5, 23) };
        assert_eq!(minutes(&central_europe, "2026-10-25T21:59:59Z"), Some(120));
        assert_eq!(minutes(&central_europe, "2026-10-25T22:00:00Z"), Some(60));
        let impossible = TimeZone { bias: i32::MAX, standard_bias: i32::MAX, ..TimeZone::default() };
        assert_eq!(minutes(&impossible, "2026-07-01T00:00:00Z"), None, "UTC");
        let odd = TimeZone { standard_date: rule(77, 9, 99), daylight_date: rule(2, 0, 1), ..TimeZone::default() };
        assert_eq!(minutes(&odd, "2026-07-01T00:00:00Z"), Some(0));
        let of_2021 = |month, day, hour| SystemTime { year: 2021, ..rule(month, day, hour) };
        let south = TimeZone {
            bias: -600,
            daylight_bias: -60,
            standard_date: of_2021(4, 4, 3),
            daylight_date: of_2021(10, 3, 2),
            ..TimeZone::default()
        };
        assert_eq!(minutes(&south, "2021-02-01T00:00:00Z"), Some(660), "summer, until standard time begins");
        assert_eq!(minutes(&south, "2021-07-01T00:00:00Z"), Some(600));
    }
}
