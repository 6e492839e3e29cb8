//! Numbers and times as .NET's `ToString` writes them (en-US, .NET Framework).

use std::fmt::Write;

use etwkit::format::SystemTime;
use etwkit::render::time;

/// `n0`: thousands separators.
pub(crate) fn grouped(value: i64) -> String {
    let mut out = String::new();
    if value < 0 {
        out.push('-');
    }
    push_grouped(&mut out, &value.unsigned_abs().to_string());
    out
}

fn push_grouped(out: &mut String, digits: &str) {
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
}

/// `n3`: thousands separators and three decimals, rounded as .NET Framework does: first to 15 significant digits, then
/// half away from zero.
pub(crate) fn three_decimals(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "NaN"
        } else if value > 0.0 {
            "∞"
        } else {
            "-∞"
        }
        .to_owned();
    }
    let scientific = format!("{:.14e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let thousandths = thousandths(&digits, exponent);
    let padded = format!("{thousandths:0>4}");
    let (whole, fraction) = padded.split_at(padded.len() - 3);
    let mut out = String::new();
    if value < 0.0 && thousandths.bytes().any(|b| b != b'0') {
        out.push('-');
    }
    push_grouped(&mut out, whole);
    let _ = write!(out, ".{fraction}");
    out
}

/// `0.digits * 10^(exponent + 1)` in thousandths, rounded half up.
fn thousandths(digits: &str, exponent: i32) -> String {
    let keep = exponent + 1 + 3;
    if keep < 0 {
        return "0".to_owned();
    }
    let keep = keep as usize;
    let kept: String = digits.chars().chain(std::iter::repeat('0')).take(keep).collect();
    let up = digits.as_bytes().get(keep).is_some_and(|b| *b >= b'5');
    if keep > 37 {
        return kept;
    }
    let number: u128 = kept.parse().unwrap_or(0);
    (number + u128::from(up)).to_string()
}

/// `yy/MM/dd HH:mm:ss.ffffff` of a FILETIME.
pub(crate) fn time_of(filetime: i64) -> String {
    let mut out = Vec::new();
    if !time::push_filetime(&mut out, etwkit::FileTime(filetime)) {
        return String::from_utf8_lossy(&out).into_owned();
    }
    // 2026-01-02T03:04:05.6789012Z
    let text = String::from_utf8_lossy(&out);
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    format!("{}/{}/{} {}", part(2, 4), part(5, 7), part(8, 10), part(11, 26))
}

/// The same of a `SYSTEMTIME`, which has no more than milliseconds. TraceEvent reads these from the seconds' place.
pub(crate) fn date_of(date: &SystemTime, compat: bool) -> String {
    let fraction = if compat { date.second } else { date.millisecond };
    format!(
        "{:02}/{:02}/{:02} {:02}:{:02}:{:02}.{fraction:03}000",
        date.year % 100,
        date.month,
        date.day,
        date.hour,
        date.minute,
        date.second
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!(grouped(-1_234_567), "-1,234,567");
        assert_eq!(grouped(100), "100");
        assert_eq!(grouped(i64::MIN), "-9,223,372,036,854,775,808");
        let cases = [
            (0.0, "0.000"),
            (0.0005, "0.001"),
            (-0.0004, "0.000"),
            (2942.3065, "2,942.307"),
            (1_234_567.000_4, "1,234,567.000"),
            (999.9996, "1,000.000"),
            (-1.5, "-1.500"),
        ];
        for (value, text) in cases {
            assert_eq!(three_decimals(value), text);
        }
    }

    #[test]
    fn times() {
        assert_eq!(time_of(132_404_908_306_912_345), "20/07/29 10:07:10.691234");
    }
}
