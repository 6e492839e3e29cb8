//! What a value is besides its text.

use std::cmp::Ordering;

use crate::time::FileTime;

use super::literal::Literal;
use super::numeral::Numeral;

/// What a value is besides its text. A FILETIME is both: it is counted in units of 100 ns, and is a point in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) number: Option<Numeral>,
    pub(super) time: Instant,
}

/// When a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instant {
    /// It is nothing that could be a time.
    Other,
    /// It is of a field of times and none: 0, or a hash where an image has its time stamp.
    Never,
    /// A point in time.
    At(FileTime),
}

/// How a value and the right side of a comparison are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    /// As points in time, or as numbers.
    Ordered(Ordering),
    /// Neither is before the other, nor are they equal: NaN, or no time beside a time.
    Unordered,
    /// By their texts.
    AsText,
}

impl Meaning {
    /// Nothing but text.
    pub(super) const TEXT: Self = Self { number: None, time: Instant::Other };

    /// A number.
    pub(super) const fn number(number: Numeral) -> Self {
        Self { number: Some(number), time: Instant::Other }
    }

    /// An integer.
    pub(super) fn integer(number: impl Into<i128>) -> Self {
        Self::number(Numeral::Integer(number.into()))
    }

    /// A point in time, which is its number of 100 ns since 1601 as well.
    pub(super) fn time(time: FileTime) -> Self {
        Self { number: Some(Numeral::Integer(time.0.into())), time: Instant::At(time) }
    }

    /// Compares it with the right side of a comparison.
    pub(super) fn compared(self, literal: &Literal) -> Compared {
        match (self.time, literal.time(), self.number, literal.number()) {
            (Instant::At(time), Some(wanted), ..) => Compared::Ordered(time.cmp(&wanted)),
            (Instant::Never, Some(_), ..) => Compared::Unordered,
            (_, _, Some(number), Some(wanted)) => number.order(wanted).map_or(Compared::Unordered, Compared::Ordered),
            _ => Compared::AsText,
        }
    }
}
