//! Differences without the error of floating-point numbers.

use etwkit::FileTime;
use etwkit_analysis::{ColumnKind, Value};

/// Decimal digits of a number with a fraction that its sums do not spoil.
const DIGITS: i32 = 13;

/// Returns a sum of values of a column.
pub(crate) fn sum(kind: ColumnKind, number: f64) -> f64 {
    match kind {
        ColumnKind::Real => rounded(number, number.abs()),
        kind => kind.exact(Value::Real(number)).as_f64().unwrap_or(number),
    }
}

/// Returns by how much a value of a column grew.
pub(crate) fn difference(kind: ColumnKind, before: f64, after: f64) -> f64 {
    let difference = after - before;
    match kind {
        ColumnKind::Real => rounded(difference, before.abs().max(after.abs())),
        kind => sum(kind, difference),
    }
}

/// Returns the difference in per cent of the value before; `None` if that is 0.
pub(crate) fn percent(kind: ColumnKind, before: f64, after: f64) -> Option<f64> {
    let difference = difference(kind, before, after);
    let percent = match kind {
        // Of two integers, the quotient is the number that is nearest to the right one.
        ColumnKind::Milliseconds => units(difference) * 100.0 / units(before.abs()),
        ColumnKind::Real => {
            // The difference has no digits beyond those of the value before.
            let percent = difference * 100.0 / rounded(before.abs(), before.abs());
            rounded(percent, percent.abs())
        }
        _ => difference * 100.0 / before.abs(),
    };
    (before != 0.0).then_some(percent)
}

/// Returns milliseconds in units of 100 ns.
fn units(milliseconds: f64) -> f64 {
    (milliseconds * FileTime::UNITS_PER_MILLISECOND as f64).round()
}

/// Rounds a number to the decimal digits of another one that are exact.
fn rounded(number: f64, scale: f64) -> f64 {
    let places = DIGITS - scale.log10().ceil().clamp(-300.0, 300.0) as i32;
    let power = 10_f64.powi(places.abs());
    let rounded = if places < 0 { (number / power).round() * power } else { (number * power).round() / power };
    if rounded.is_finite() { rounded } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_no_error_of_binary_fractions() {
        for kind in [ColumnKind::Milliseconds, ColumnKind::Real] {
            assert_eq!(Some(difference(kind, 0.1, 0.3)), Some(0.2));
            assert_eq!(Some(difference(kind, 0.3, 0.1 + 0.2)), Some(0.0));
            for (before, after, expected) in [
                (0.3, 0.33, 10.0),
                (0.7, 0.77, 10.0),
                (0.3, 0.3003, 0.1),
                (2.0, 1.0, -50.0),
                (0.1, 0.4, 300.0),
                (100.0 / 3.0, 0.0, -100.0),
            ] {
                assert_eq!(percent(kind, before, after), Some(expected), "{before} {after}");
            }
            assert_eq!(percent(kind, 0.0, 1.0), None);
        }
    }

    #[test]
    fn small_changes_of_large_numbers_are_changes() {
        let large = 1e15;
        assert!(percent(ColumnKind::Count, large, large + 1.0).unwrap() > 0.0);
        assert_eq!(Some(difference(ColumnKind::Milliseconds, 1e8, 1e8 + 0.0001)), Some(0.0001));
        for number in [1e-300, 1e-9, 1e300] {
            assert_eq!(percent(ColumnKind::Real, number, 2.0 * number), Some(100.0));
        }
    }
}
