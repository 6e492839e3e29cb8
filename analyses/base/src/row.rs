//! Rows of tables, and their columns.

use serde::Serialize;

use crate::Value;

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

/// What the values of a column are.
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
    /// Measures with a fraction, such as milliseconds.
    Real,
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
        #[derive(Clone, Debug, PartialEq, $crate::serde::Serialize)]
        #[serde(crate = "etwkit_analysis::serde")]
        #[non_exhaustive]
        pub struct $name {
            $(#[doc = $about] pub $field: $type,)*
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
                vec![$($crate::ToValue::to_value(&self.$field),)*]
            }
        }
    };
}
