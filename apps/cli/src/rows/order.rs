//! The order of values.

use std::cmp::Ordering;

use etwkit::FileTime;

use super::cell::{Cell, MILLISECOND, NumberShown, percent, real};

impl Cell {
    /// The order of rows: numbers before text; what is not there comes last, whatever the direction.
    pub(super) fn order(&self, other: &Self, is_down: bool) -> Ordering {
        let (mine, others) = (self.rank(), other.rank());
        let order = mine.cmp(&others).then_with(|| self.text().cmp(other.text()));
        let is_there = |cell: &Self| !matches!(cell, Self::Absent | Self::Blank);
        match (is_there(self), is_there(other)) {
            (true, true) if is_down => order.reverse(),
            (true, true) => order,
            (mine, others) => others.cmp(&mine),
        }
    }

    fn rank(&self) -> Rank {
        match self {
            Self::Integer(number) => Rank::Integer(*number),
            Self::Decimal(units, places) => Rank::Number(real(*units, *places)),
            Self::Milliseconds(units) => Rank::Number(real((*units).into(), MILLISECOND)),
            Self::Real(number) | Self::Measure(number) => Rank::Number(*number),
            Self::Share(part, whole) => Rank::Number(percent(*part, *whole)),
            Self::Truth(is) => Rank::Integer((*is).into()),
            Self::Time(time, _) => Rank::Time(*time),
            Self::Text(_) | Self::Shared(_) => match NumberShown::of(self.text()) {
                Some(NumberShown::Integer(number)) => Rank::Integer(number),
                Some(NumberShown::Hexadecimal(number)) => Rank::Integer(number.into()),
                Some(NumberShown::Real(number)) => Rank::Number(number),
                None => Rank::Text,
            },
            _ => Rank::Text,
        }
    }
}

/// What decides the order of cells before their texts do.
enum Rank {
    Integer(i128),
    Number(f64),
    Time(FileTime),
    Text,
}

impl Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Integer(mine), Self::Integer(others)) => mine.cmp(others),
            (Self::Integer(mine), Self::Number(others)) => beside_real(*mine, *others),
            (Self::Number(mine), Self::Integer(others)) => beside_real(*others, *mine).reverse(),
            // Zeros of both signs are equal, as they are beside integers.
            (Self::Number(mine), Self::Number(others)) => (mine + 0.0).total_cmp(&(others + 0.0)),
            (Self::Time(mine), Self::Time(others)) => mine.cmp(others),
            _ => self.place().cmp(&other.place()),
        }
    }

    const fn place(&self) -> u8 {
        match self {
            Self::Integer(_) | Self::Number(_) => 0,
            Self::Time(_) => 1,
            Self::Text => 2,
        }
    }
}

/// The exact order of an integer and a real number; what is no number comes last or, with a sign, first.
fn beside_real(integer: i128, real: f64) -> Ordering {
    if real.is_nan() {
        return if real.is_sign_negative() { Ordering::Greater } else { Ordering::Less };
    }
    let floor = real.floor();
    // The cast ends at the limits of the type, which no cell reaches.
    let rest = if real > floor { Ordering::Less } else { Ordering::Equal };
    integer.cmp(&(floor as i128)).then(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells in their order.
    fn cells() -> Vec<Cell> {
        let text = |text: &str| Cell::Text(text.to_owned());
        let time = |ticks: i64| Cell::Time(FileTime(ticks), format!("+{ticks}s"));
        vec![
            text("-5.5"),
            Cell::Integer(7),
            text("0x10"),
            text("78.5"),
            Cell::Real(99.0),
            text("0x100"),
            text("9007199254740992"),
            Cell::Integer((1 << 53) + 1),
            text("18446744073709551615"),
            text("1e30"),
            time(9),
            time(10),
            text("-"),
            text("-inf"),
            text("-nan"),
            text("0000e741"),
            text("00012"),
            text("1e999"),
            text("501082e0"),
            text("x"),
        ]
    }

    #[test]
    fn numbers_come_before_times_and_these_before_texts() {
        let cells = cells();
        for (mine, a) in cells.iter().enumerate() {
            for (others, b) in cells.iter().enumerate() {
                assert_eq!(a.order(b, false), mine.cmp(&others), "{a:?} and {b:?}");
                assert_eq!(a.order(b, true), others.cmp(&mine), "{a:?} and {b:?}");
            }
            assert_eq!(Cell::Absent.order(a, true), Ordering::Greater);
        }
    }
}
