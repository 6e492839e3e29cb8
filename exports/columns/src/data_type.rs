//! The types of columns.

use std::fmt;

/// The type of the values of a column. Every column may have nulls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DataType {
    /// True or false.
    Bool,
    /// A signed integer of 8, 16, 32 or 64 bits.
    Signed(u8),
    /// An unsigned integer of 8, 16, 32 or 64 bits.
    Unsigned(u8),
    /// IEEE single.
    F32,
    /// IEEE double.
    F64,
    /// UTF-8.
    Text,
    /// Microseconds since 1970, UTC. Ticks of 100 ns are rounded down.
    Time,
    /// Any number of values of one type.
    List(Box<Self>),
}

impl DataType {
    /// Returns the type that holds the values of both: the narrowest number, or [`DataType::Text`].
    #[must_use]
    pub fn unified(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Signed(a), Self::Signed(b)) => Self::Signed(*a.max(b)),
            (Self::Unsigned(a), Self::Unsigned(b)) => Self::Unsigned(*a.max(b)),
            (Self::Signed(signed), Self::Unsigned(unsigned)) | (Self::Unsigned(unsigned), Self::Signed(signed))
                if *unsigned < 64 =>
            {
                Self::Signed((*signed).max(2 * unsigned))
            }
            (Self::F32, Self::F64) | (Self::F64, Self::F32) => Self::F64,
            (Self::List(a), Self::List(b)) => Self::List(Box::new(a.unified(b))),
            _ => Self::Text,
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Signed(bits) => write!(f, "i{bits}"),
            Self::Unsigned(bits) => write!(f, "u{bits}"),
            Self::F32 => f.write_str("f32"),
            Self::F64 => f.write_str("f64"),
            Self::Text => f.write_str("text"),
            Self::Time => f.write_str("time"),
            Self::List(of) => write!(f, "list of {of}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DataType::{self, F32, F64, List, Signed, Text, Time, Unsigned};

    #[test]
    fn unified_types_hold_the_values_of_both() {
        let list = |of: DataType| List(Box::new(of));
        for (a, b, both) in [
            (Signed(8), Signed(32), Signed(32)),
            (Unsigned(32), Signed(32), Signed(64)),
            (Unsigned(8), Signed(64), Signed(64)),
            (Unsigned(64), Signed(8), Text),
            (F32, F64, F64),
            (Unsigned(32), F64, Text),
            (Time, Unsigned(64), Text),
            (list(Unsigned(8)), list(Unsigned(16)), list(Unsigned(16))),
            (list(Text), Text, Text),
        ] {
            assert_eq!((a.unified(&b), b.unified(&a)), (both.clone(), both), "{a} and {b}");
        }
    }
}
