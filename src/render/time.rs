//! Times as text.

use std::io::Write as _;

use crate::bytes::digits::decimal8;
use crate::format::SystemTime;
use crate::time::{FileTime, SECONDS_A_DAY, date_of_unix_day};

#[cfg(feature = "output")]
use super::pen::{Memory, Pen};
use super::zone::Zone;

/// Appends a time as RFC 3339 UTC with 7 digits: `2026-01-02T03:04:05.6789012Z`. Years beyond
/// 9999 (or before 0) have no such form: then the number itself is written, and `false` returned.
pub fn push_filetime(out: &mut Vec<u8>, time: FileTime) -> bool {
    let (seconds, units) = time.unix_parts();
    if !push_second(out, seconds) {
        push_number(out, time.0);
        return false;
    }
    let [_, d1, d2, d3, d4, d5, d6, d7] = decimal8(units as u32).to_le_bytes();
    out.extend_from_slice(&[b'.', d1, d2, d3, d4, d5, d6, d7, b'Z']);
    true
}

/// Appends the time of an event as [`push_filetime`] does, without the `Z` if it is local to the machine that wrote it.
pub fn push_event_time(out: &mut Vec<u8>, time: FileTime, is_local: bool) -> bool {
    let written = push_filetime(out, time);
    if written && is_local {
        out.pop();
    }
    written
}

/// Appends a time as `2026-01-02 03:04:05.678Z`, or its number where [`push_filetime`] would.
pub fn push_utc(out: &mut Vec<u8>, time: FileTime) {
    let start = out.len();
    if !push_filetime(out, time) {
        return;
    }
    if let Some(separator) = out.get_mut(start + DATE) {
        *separator = b' ';
    }
    out.truncate(start + MILLISECONDS);
    out.push(b'Z');
}

/// Appends a time as `01/02/2026-03:04:05.678`, or its number where [`push_filetime`] would.
pub fn push_stamp(out: &mut Vec<u8>, time: FileTime) {
    let start = out.len();
    if !push_filetime(out, time) {
        return;
    }
    out.truncate(start + MILLISECONDS);
    if let Some([y1, y2, y3, y4, _, m1, m2, _, d1, d2, _, ..]) = out.get(start..) {
        let date = [*m1, *m2, b'/', *d1, *d2, b'/', *y1, *y2, *y3, *y4, b'-'];
        if let Some(room) = out.get_mut(start..start + date.len()) {
            room.copy_from_slice(&date);
        }
    }
}

/// Characters of `2026-01-02`.
const DATE: usize = 10;
/// Characters of `2026-01-02T03:04:05.678`.
const MILLISECONDS: usize = 23;

/// Appends seconds since 1970 as RFC 3339 UTC.
pub(super) fn push_unix(out: &mut Vec<u8>, seconds: i64) {
    if push_second(out, seconds) { out.push(b'Z') } else { push_number(out, seconds) }
}

/// Appends a `SYSTEMTIME`, which has no zone: `2021-09-09T14:59:35.033`. A part that no date has, such as month 101, has
/// all its digits. A date that recurs each year, as in the rules of a time zone, is
/// `last Sunday of October 03:00:00.000`.
pub fn push_systemtime(out: &mut Vec<u8>, time: &SystemTime) {
    if let Some([week, weekday, month]) = recurring(time) {
        let _ = write!(out, "{week} {weekday} of {month} ");
    } else {
        part(out, time.year, 4);
        for value in [time.month, time.day] {
            out.push(b'-');
            part(out, value, 2);
        }
        out.push(b'T');
    }
    part(out, time.hour, 2);
    for value in [time.minute, time.second] {
        out.push(b':');
        part(out, value, 2);
    }
    out.push(b'.');
    part(out, time.millisecond, 3);
}

/// Appends a part of a `SYSTEMTIME`: of this width, or more if it has more digits.
fn part(out: &mut Vec<u8>, value: u16, width: usize) {
    let len = value.checked_ilog10().map_or(1, |log| log as usize + 1);
    digits(out, value.into(), len.max(width));
}

/// Returns week, weekday and month of a date that recurs each year: the year is 0, and the day is the week of the
/// month. Time zones begin and end daylight saving time at such dates.
fn recurring(time: &SystemTime) -> Option<[&'static str; 3]> {
    const WEEKS: [&str; 5] = ["first", "second", "third", "fourth", "last"];
    const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let from_one = |names: &[&'static str], value: u16| names.get(usize::from(value).checked_sub(1)?).copied();
    let weekday = *WEEKDAYS.get(usize::from(time.weekday))?;
    let found = [from_one(&WEEKS, time.day)?, weekday, from_one(&MONTHS, time.month)?];
    (time.year == 0).then_some(found)
}

/// Remembers the text of the last second: neighbouring events share it.
#[derive(Clone, Debug, Default)]
pub struct TimeCache {
    zone: Zone,
    nanoseconds: bool,
    /// The start of the second whose text is known.
    second: Option<FileTime>,
    /// `2026-01-02T03:04:05.`.
    head: [u8; 20],
    /// What follows the seven digits: `Z`, or `+02:00`.
    suffix: Suffix,
}

/// Up to eight characters.
#[derive(Clone, Copy, Debug, Default)]
struct Suffix {
    text: [u8; 8],
    len: usize,
}

impl TimeCache {
    /// Prints times of a zone: with an offset such as `+02:00` unless it is UTC.
    pub fn new(zone: Zone) -> Self {
        Self { zone, ..Self::default() }
    }

    /// Writes nine digits of a second instead of seven; the last two are always zero.
    #[must_use]
    pub const fn nanoseconds(mut self) -> Self {
        self.nanoseconds = true;
        self
    }

    /// Appends a time as [`push_filetime`] does, in the zone. In one of [`Zone::since`], seconds with seven digits:
    /// `+1.5000000s`.
    #[inline]
    pub fn push(&mut self, out: &mut Vec<u8>, time: FileTime) -> bool {
        if let Some(start) = self.zone.start() {
            push_span(out, time, start);
            return true;
        }
        let Some(units) = self.units(time) else {
            push_number(out, time.0);
            return false;
        };
        out.extend_from_slice(&self.head);
        digits(out, units.into(), 7);
        out.extend_from_slice(self.suffix.text.get(..self.suffix.len).unwrap_or_default());
        true
    }

    /// Appends a time as [`TimeCache::push`] does, or without any zone if the time is local to a machine whose zone is
    /// not known: the zone of the cache cannot be reached from there.
    #[inline]
    pub fn push_of(&mut self, out: &mut Vec<u8>, time: FileTime, is_local: bool) -> bool {
        if is_local && self.zone.start().is_none() { self.push_local(out, time) } else { self.push(out, time) }
    }

    /// Writes what [`TimeCache::push_of`] appends.
    #[cfg(feature = "output")]
    #[inline]
    pub fn write<M: Memory>(&mut self, pen: &mut Pen<M>, time: FileTime, is_local: bool) {
        // No second is remembered in a zone of spans.
        if !is_local && let Some(units) = self.known_units(time) {
            pen.block(&self.head, self.head.len());
            pen.decimal7(units);
            return pen.block(&self.suffix.text, self.suffix.len);
        }
        pen.with_vec(|out| self.push_of(out, time, is_local));
    }

    /// Returns the text of a time's second as [`TimeCache::push`] has it, with the point, and the units of 100 ns since
    /// then. `None` for years beyond 9999; the zone must not be one of [`Zone::since`].
    #[cfg(feature = "output")]
    #[inline]
    pub(crate) fn second_and_units(&mut self, time: FileTime) -> Option<([u8; 20], u32)> {
        let units = self.units(time)?;
        Some((self.head, units))
    }

    #[cold]
    fn push_local(&self, out: &mut Vec<u8>, time: FileTime) -> bool {
        let written = push_event_time(out, time, true);
        if written {
            out.extend_from_slice(if self.nanoseconds { b"00" } else { b"" });
        }
        written
    }

    /// Returns the units of 100 ns since the start of the time's second, whose text it remembers; `None` for years
    /// beyond 9999.
    #[inline]
    fn units(&mut self, time: FileTime) -> Option<u32> {
        self.known_units(time).or_else(|| self.remember(time))
    }

    /// As [`TimeCache::units`]; `None` if it is not of the second that is remembered.
    #[inline]
    fn known_units(&self, time: FileTime) -> Option<u32> {
        // A time before the second wraps to a large number.
        let units = time.0.wrapping_sub(self.second?.0).cast_unsigned();
        (units < FileTime::UNITS_PER_SECOND.cast_unsigned()).then_some(units as u32)
    }

    #[cold]
    fn remember(&mut self, time: FileTime) -> Option<u32> {
        let (second, units) = time.unix_parts();
        let offset = self.zone.minutes(FileTime::from_unix_seconds(second));
        let mut text = Vec::with_capacity(self.head.len());
        self.second = None;
        if push_second(&mut text, second + i64::from(offset.unwrap_or(0)) * 60) {
            text.push(b'.');
            self.head = *text.first_chunk()?;
            self.suffix = Suffix::new(offset, self.nanoseconds);
            self.second = time.0.checked_sub(units.cast_signed()).map(FileTime);
            return Some(units as u32);
        }
        None
    }
}

impl Suffix {
    fn new(offset: Option<i16>, nanoseconds: bool) -> Self {
        let mut text = Vec::with_capacity(8);
        text.extend_from_slice(if nanoseconds { b"00" } else { b"" });
        push_offset(&mut text, offset);
        let len = text.len();
        text.resize(8, 0);
        Self { text: text.first_chunk().copied().unwrap_or_default(), len }
    }
}

/// Appends the span between two times, as `--since` takes it.
#[cold]
fn push_span(out: &mut Vec<u8>, time: FileTime, start: FileTime) {
    let units = i128::from(time.0) - i128::from(start.0);
    out.push(if units < 0 { b'-' } else { b'+' });
    // The difference of two times has at most 65 bits, its seconds 42.
    push_number(out, (units.unsigned_abs() / 10_000_000) as i64);
    out.push(b'.');
    digits(out, (units.unsigned_abs() % 10_000_000) as u64, 7);
    out.push(b's');
}

/// `Z`, or `+02:00`.
fn push_offset(out: &mut Vec<u8>, minutes: Option<i16>) {
    let Some(minutes) = minutes else { return out.push(b'Z') };
    out.push(if minutes < 0 { b'-' } else { b'+' });
    let minutes = u64::from(minutes.unsigned_abs());
    digits(out, minutes / 60, 2);
    out.push(b':');
    digits(out, minutes % 60, 2);
}

/// `2026-01-02T03:04:05` of a second since 1970; nothing, and false, outside of years 0 to 9999.
fn push_second(out: &mut Vec<u8>, seconds: i64) -> bool {
    let text = second_text(seconds);
    out.extend_from_slice(text.as_ref().map_or(&[], |text| text));
    text.is_some()
}

/// Returns `2026-01-02T03:04:05` of a second since 1970; `None` outside of years 0 to 9999.
pub(super) fn second_text(seconds: i64) -> Option<[u8; 19]> {
    let (year, month, day) = date_of_unix_day(seconds.div_euclid(SECONDS_A_DAY));
    if !(0..=9999).contains(&year) {
        return None;
    }
    let rest = seconds.rem_euclid(SECONDS_A_DAY) as u32;
    let two = |value: u32| [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8];
    let ([y1, y2], [y3, y4]) = (two(year as u32 / 100), two(year as u32 % 100));
    let ([m1, m2], [d1, d2]) = (two(month as u32), two(day as u32));
    let ([h1, h2], [n1, n2], [s1, s2]) = (two(rest / 3600), two(rest / 60 % 60), two(rest % 60));
    Some([y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2])
}

fn push_number(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// `value` with leading zeros.
#[inline]
fn digits(out: &mut Vec<u8>, mut value: u64, width: usize) {
    let start = out.len();
    out.resize(start + width, b'0');
    for slot in out.get_mut(start..).unwrap_or_default().iter_mut().rev() {
        *slot = b'0' + (value % 10) as u8;
        value /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIX_EPOCH: i64 = FileTime::UNIX_EPOCH.0;

    fn text(filetime: i64) -> String {
        let mut out = Vec::new();
        push_filetime(&mut out, FileTime(filetime));
        let mut cached = Vec::new();
        let mut cache = TimeCache::default();
        cache.push(&mut cached, FileTime(filetime));
        cached.clear();
        cache.push(&mut cached, FileTime(filetime));
        assert_eq!(out, cached);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn dates_of_time_zones_recur() {
        let text = |year, month, weekday, day| {
            let mut out = Vec::new();
            push_systemtime(&mut out, &SystemTime { year, month, weekday, day, hour: 3, ..SystemTime::default() });
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(0, 10, 0, 5), "last Sunday of October 03:00:00.000");
        assert_eq!(text(0, 3, 6, 1), "first Saturday of March 03:00:00.000");
        assert_eq!(text(2021, 101, 3, 109), "2021-101-109T03:00:00.000");
        // A single year; no week, weekday or month.
        assert_eq!(text(2020, 10, 0, 5), "2020-10-05T03:00:00.000");
        assert_eq!(text(0, 10, 0, 6), "0000-10-06T03:00:00.000");
        assert_eq!(text(0, 10, 7, 5), "0000-10-05T03:00:00.000");
        assert_eq!(text(0, 0, 0, 5), "0000-00-05T03:00:00.000");
    }

    #[test]
    fn known_times() {
        assert_eq!(text(0), "1601-01-01T00:00:00.0000000Z");
        assert_eq!(text(UNIX_EPOCH), "1970-01-01T00:00:00.0000000Z");
        assert_eq!(text(UNIX_EPOCH - 1), "1969-12-31T23:59:59.9999999Z");
        assert_eq!(text(UNIX_EPOCH + 951_782_400 * FileTime::UNITS_PER_SECOND + 1), "2000-02-29T00:00:00.0000001Z");
        assert_eq!(text(130_410_917_799_024_641), "2014-04-04T13:29:39.9024641Z");
        for never in [i64::MAX, i64::MIN, i64::MIN + 5, i64::MIN + FileTime::UNITS_PER_SECOND] {
            assert_eq!(text(never), never.to_string());
        }
    }

    #[test]
    fn times_may_be_spans_since_a_start() {
        let since = |start, time| {
            let mut out = Vec::new();
            TimeCache::new(Zone::since(FileTime(start))).push_of(&mut out, FileTime(time), true);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(since(5, 15_000_005), "+1.5000000s");
        assert_eq!(since(5, 4), "-0.0000001s");
        assert_eq!(since(i64::MIN, i64::MAX), "+1844674407370.9551615s");
    }

    #[test]
    fn a_zone_shifts_the_text_and_not_the_instant() {
        let in_zone = |zone: Zone, filetime| {
            let mut out = Vec::new();
            TimeCache::new(zone).nanoseconds().push(&mut out, FileTime(filetime));
            String::from_utf8(out).unwrap()
        };
        let new_year = UNIX_EPOCH + 946_684_800 * FileTime::UNITS_PER_SECOND + 12;
        assert_eq!(in_zone(Zone::default(), new_year), "2000-01-01T00:00:00.000001200Z");
        assert_eq!(in_zone(Zone::new([(FileTime(0), -5 * 3600)]), new_year), "1999-12-31T19:00:00.000001200-05:00");
        assert_eq!(in_zone(Zone::new([(FileTime(0), 19_800)]), new_year), "2000-01-01T05:30:00.000001200+05:30");
    }
}
