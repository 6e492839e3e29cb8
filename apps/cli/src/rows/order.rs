//! The order of values.

use std::cmp::Ordering;

use etwkit::FileTime;

use super::cell::{Cell, MILLISECOND, finite, may_be_number, percent, real};

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
            #[expect(
                clippy::cast_precision_loss,
                reason = "the order of numbers beyond 2^53 may be that of equal ones"
            )]
            Self::Integer(number) => Rank::Number(*number as f64),
            Self::Decimal(units, places) => Rank::Number(real(*units, *places)),
            Self::Milliseconds(units) => Rank::Number(real((*units).into(), MILLISECOND)),
            Self::Real(number) | Self::Measure(number) => Rank::Number(*number),
            Self::Share(part, whole) => Rank::Number(percent(*part, *whole)),
            Self::Truth(is) => Rank::Number(f64::from(u8::from(*is))),
            Self::Time(time, _) => Rank::Time(*time),
            Self::Text(_) | Self::Shared(_) if may_be_number(self.text()) => {
                finite(self.text()).map_or(Rank::Text, Rank::Number)
            }
            _ => Rank::Text,
        }
    }
}

/// What decides the order of cells before their texts do.
enum Rank {
    Number(f64),
    Time(FileTime),
    Text,
}

impl Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(mine), Self::Number(others)) => mine.total_cmp(others),
            (Self::Time(mine), Self::Time(others)) => mine.cmp(others),
            _ => self.place().cmp(&other.place()),
        }
    }

    const fn place(&self) -> u8 {
        match self {
            Self::Number(_) => 0,
            Self::Time(_) => 1,
            Self::Text => 2,
        }
    }
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
            text("78.5"),
            Cell::Real(99.0),
            time(9),
            time(10),
            text("-"),
            text("-inf"),
            text("-nan"),
            text("1e999"),
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
