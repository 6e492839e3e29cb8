//! Rows of tables, and their columns.

use etwkit::FileTime;
use serde::{Serialize, Serializer};

use crate::{ToValue, Value};

/// A row of a table. The members that it serializes have the names of its columns, in their order.
pub trait Row: Serialize {
    /// The columns.
    const COLUMNS: &'static [Column];

    /// Returns the values, in the order of the columns.
    fn values(&self) -> Vec<Value>;
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, in every form of the table.
    pub name: &'static str,
    /// What its values are.
    pub kind: ColumnKind,
    /// What its values mean, with their unit.
    pub about: &'static str,
}

/// The kind of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text, lists.
    Text,
    /// Points in time.
    Time,
    /// Numbers that are not added or compared: ids, codes.
    Id,
    /// Numbers of things, bytes.
    Count,
    /// Measures with a fraction, such as shares.
    Real,
    /// Milliseconds. Times of a trace are units of 100 ns, so sums of them have at most four decimals.
    Milliseconds,
}

impl ColumnKind {
    /// Returns whether values are numbers that are added or compared.
    pub const fn is_measure(self) -> bool {
        matches!(self, Self::Count | Self::Real | Self::Milliseconds)
    }

    /// Returns a value without the error of the floating-point sums that it comes from.
    pub fn exact(self, value: Value) -> Value {
        match value {
            Value::Real(number) if self == Self::Milliseconds => Value::Real(rounded(number)),
            value => value,
        }
    }
}

/// Rounds milliseconds to units of 100 ns.
fn rounded(milliseconds: f64) -> f64 {
    let units = FileTime::UNITS_PER_MILLISECOND as f64;
    (milliseconds * units).round() / units
}

/// The value of a column, which serializes exactly.
#[doc(hidden)]
#[derive(Debug)]
pub struct Field<'f, T>(pub &'f T, pub ColumnKind);

impl<T: ToValue + Serialize> Serialize for Field<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.1 {
            ColumnKind::Milliseconds => match self.1.exact(self.0.to_value()) {
                Value::Real(number) => serializer.serialize_some(&number),
                _ => self.0.serialize(serializer),
            },
            _ => self.0.serialize(serializer),
        }
    }
}

/// Declares a row: a struct whose fields are columns. Each field has one line of documentation and a [`ColumnKind`].
#[macro_export]
macro_rules! row {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(#[doc = $about:literal] $field:ident: $type:ty as $kind:ident,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $(#[doc = $about] pub $field: $type,)*
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let columns = <Self as $crate::Row>::COLUMNS.len();
                let mut row = serializer.serialize_struct(stringify!($name), columns)?;
                $(
                    let field = $crate::Field(&self.$field, $crate::ColumnKind::$kind);
                    $crate::serde::ser::SerializeStruct::serialize_field(&mut row, stringify!($field), &field)?;
                )*
                $crate::serde::ser::SerializeStruct::end(row)
            }
        }

        impl $crate::Row for $name {
            const COLUMNS: &'static [$crate::Column] = &[$(
                $crate::Column {
                    name: stringify!($field),
                    kind: $crate::ColumnKind::$kind,
                    about: $about.trim_ascii(),
                },
            )*];

            fn values(&self) -> Vec<$crate::Value> {
                vec![$($crate::ColumnKind::$kind.exact($crate::ToValue::to_value(&self.$field)),)*]
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_milliseconds_have_four_decimals() {
        let sum: f64 = std::iter::repeat_n(0.1, 10).sum();
        assert_ne!(sum.to_string(), "1");
        for (number, text) in [(sum, "1"), (28.970_599_999_999_994, "28.9706"), (0.0001, "0.0001"), (-0.25, "-0.25")] {
            assert_eq!(ColumnKind::Milliseconds.exact(Value::Real(number)), Value::Real(text.parse().unwrap()));
        }
        assert_eq!(ColumnKind::Real.exact(Value::Real(sum)), Value::Real(sum));
        assert_eq!(ColumnKind::Milliseconds.exact(Value::Absent), Value::Absent);
    }
}
