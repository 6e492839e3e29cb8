//! Points in time as they are typed.

use std::num::NonZero;
use std::str::FromStr;

use etwkit::FileTime;
use jiff::civil::{DateTime, date};
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

/// A point in time: nanoseconds since 1970, or since the trace's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimePoint {
    /// RFC 3339.
    Absolute(i128),
    /// `+1.5s`.
    Relative(i128),
}

impl TimePoint {
    /// The first FILETIME, or 100 ns unit from the start, that is not before it.
    pub(crate) fn ceil(self) -> i64 {
        self.units(|nanoseconds| -(-nanoseconds).div_euclid(100))
    }

    /// The last one that is not after it.
    pub(crate) fn floor(self) -> i64 {
        self.units(|nanoseconds| nanoseconds.div_euclid(100))
    }

    fn units(self, round: impl Fn(i128) -> i128) -> i64 {
        let units = match self {
            Self::Absolute(nanoseconds) => round(nanoseconds) + i128::from(FileTime::UNIX_EPOCH.0),
            Self::Relative(nanoseconds) => round(nanoseconds),
        };
        i64::try_from(units).unwrap_or(i64::MAX)
    }
}

impl FromStr for TimePoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(span) = text.strip_prefix('+') {
            let wrong = || format!("`{text}` is not a span: use numbers with {UNITS}, such as +1m30.5s");
            return span_nanoseconds(span).map(Self::Relative).ok_or_else(wrong);
        }
        let wrong = || "use a time such as 2021-09-09T14:59:35.5Z, or +1.5s from the trace's start".to_owned();
        let pieces = Pieces::parse(text).map_err(|_| wrong())?;
        let civil = pieces.time().map(|time| pieces.date().to_datetime(time));
        match (civil, pieces.offset()) {
            (Some(civil), Some(offset)) => absolute(civil, offset.to_numeric_offset()),
            (Some(_), None) if pieces.time_zone_annotation().is_none() => Err(format!(
                "which zone? write {text}Z for UTC (or for the local times of a performance log), or add an offset \
                     such as +02:00"
            )),
            _ => Err(wrong()),
        }
    }
}

/// A date and a time in a zone with this offset. ([`Timestamp`](jiff::Timestamp) ends a day before the year 9999 does.)
fn absolute(civil: DateTime, offset: Offset) -> Result<TimePoint, String> {
    if offset.seconds().abs() >= DAY {
        return Err("the offset of a time is up to 23:59".to_owned());
    }
    let local = civil.duration_since(date(1970, 1, 1).at(0, 0, 0, 0)).as_nanos();
    Ok(TimePoint::Absolute(local - i128::from(offset.seconds()) * 1_000_000_000))
}

/// Seconds.
const DAY: i32 = 86_400;

/// Reads a span such as `1m30.5s`, in 100 ns units.
pub(crate) fn parse_span(text: &str) -> Result<NonZero<u64>, String> {
    let wrong = || format!("`{text}` is not a span: use numbers with {UNITS}, such as 1s, 200ms or 1m30s");
    let nanoseconds = span_nanoseconds(text.strip_prefix('+').unwrap_or(text)).ok_or_else(wrong)?;
    if nanoseconds % 100 != 0 {
        return Err("spans are multiples of 100ns".to_owned());
    }
    let units = u64::try_from(nanoseconds / 100).map_err(|_| format!("`{text}` is too long"))?;
    NonZero::new(units).ok_or_else(|| "the shortest span is 100ns".to_owned())
}

/// The units of spans, for messages.
const UNITS: &str = "d, h, m, s, ms, us or ns";

/// `1m30.5s` and the like.
fn span_nanoseconds(text: &str) -> Option<i128> {
    let mut rest = text;
    let mut total = 0;
    while !rest.is_empty() {
        let (number, tail) = rest.split_at(rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?);
        let end = tail.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(tail.len());
        let (unit, next) = tail.split_at(end);
        total += scaled(number, unit_nanoseconds(unit)?)?;
        rest = next;
    }
    (!text.is_empty()).then_some(total)
}

const fn unit_nanoseconds(unit: &str) -> Option<i128> {
    Some(match unit.as_bytes() {
        b"ns" => 1,
        b"us" | b"\xC2\xB5s" => 1_000,
        b"ms" => 1_000_000,
        b"s" => 1_000_000_000,
        b"m" | b"min" => 60_000_000_000,
        b"h" => 3_600_000_000_000,
        b"d" => 86_400_000_000_000,
        _ => return None,
    })
}

/// A decimal number times a whole one, exactly; digits below a nanosecond are dropped.
fn scaled(number: &str, scale: i128) -> Option<i128> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.len() > 12 || part.len() > 18 || whole.is_empty() && part.is_empty() {
        return None;
    }
    let parse = |digits: &str| if digits.is_empty() { Some(0) } else { digits.parse::<i128>().ok() };
    let divisor = 10_i128.pow(u32::try_from(part.len()).ok()?);
    Some(parse(whole)? * scale + parse(part)? * scale / divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(text: &str) -> i64 {
        text.parse::<TimePoint>().unwrap().floor()
    }

    #[test]
    fn spans_are_exact() {
        assert_eq!(relative("+1.5s"), 15_000_000);
        assert_eq!(relative("+200ms"), 2_000_000);
        assert_eq!(relative("+2m"), 1_200_000_000);
        assert_eq!(relative("+1h1m0.0000001s"), 36_600_000_001);
        for bad in ["+", "+1", "+s", "+1x", "+1.5.2s", "+-1s", "+.s"] {
            assert!(bad.parse::<TimePoint>().is_err(), "{bad}");
        }
        let message = "`1` is not a span: use numbers with d, h, m, s, ms, us or ns, such as 1s, 200ms or 1m30s";
        assert_eq!(parse_span("1").unwrap_err(), message);
        assert!(parse_span("99999999999d").unwrap_err().ends_with("is too long"));
        assert_eq!(parse_span("150ns").unwrap_err(), "spans are multiples of 100ns");
        assert_eq!(parse_span("50ms").map(NonZero::get), Ok(500_000));
    }

    #[test]
    fn absolute_times_need_a_zone_and_round_inwards() {
        let time: TimePoint = "1970-01-01T00:00:00.00000015Z".parse().unwrap();
        assert_eq!((time.floor(), time.ceil()), (FileTime::UNIX_EPOCH.0 + 1, FileTime::UNIX_EPOCH.0 + 2));
        assert_eq!("1970-01-01T02:00:00+02:00".parse::<TimePoint>().unwrap().floor(), FileTime::UNIX_EPOCH.0);
        assert!("2021-09-09T14:59:35".parse::<TimePoint>().unwrap_err().contains("zone"));
        assert!("yesterday".parse::<TimePoint>().is_err());
    }

    #[test]
    fn times_are_those_of_rfc_3339() {
        let time = |text: &str| text.parse::<TimePoint>().map(TimePoint::floor);
        let second = |unix: i64| Ok(FileTime::from_unix_seconds(unix).0);
        assert_eq!(time("2026-01-02T03:04:05+23:59"), second(1_767_323_045 - 86_340));
        assert_eq!(time("2026-01-02T03:04:05-23:59"), second(1_767_323_045 + 86_340));
        assert_eq!(time("2026-01-02t03:04:05z"), second(1_767_323_045));
        assert_eq!(time("9999-12-31T23:59:59Z"), second(253_402_300_799));
        assert_eq!(time("0001-01-01T00:00:00+23:59"), second(-62_135_596_800 - 86_340));
        for wrong in ["+24:00", "+25:00", "-24:00"] {
            let found = time(&format!("2026-01-02T03:04:05{wrong}"));
            assert!(found.clone().is_err_and(|why| why.contains("23:59")), "{wrong}: {found:?}");
        }
        for wrong in
            ["2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-02T25:00:00Z", "2026-01-02T03:04:05+23:60"]
        {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
