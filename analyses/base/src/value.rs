//! Values of rows.

use etwkit::FileTime;
use serde::{Serialize, Serializer};

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// There is none.
    Absent,
    /// Text.
    Text(String),
    /// An integer.
    Integer(i128),
    /// A number with a fraction.
    Real(f64),
    /// A point in time.
    Time(FileTime),
    /// Whether something holds.
    Flag(bool),
    /// A list that is not empty.
    List(Vec<Value>),
}

impl Value {
    /// Returns an integer or a number with a fraction; `None` for other values.
    #[expect(clippy::cast_precision_loss, reason = "numbers of a trace are below 2^53")]
    #[inline]
    pub const fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            _ => None,
        }
    }
}

/// A point in time, which is serialized as RFC 3339 in UTC with seven digits: `2012-05-01T10:00:00.0000000Z`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub FileTime);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A type that a field of a row can have.
pub trait ToValue {
    /// Returns the value.
    fn to_value(&self) -> Value;
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Absent, T::to_value)
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(&self) -> Value {
        if self.is_empty() { Value::Absent } else { Value::List(self.iter().map(T::to_value).collect()) }
    }
}

impl ToValue for String {
    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
}

impl ToValue for &'static str {
    fn to_value(&self) -> Value {
        Value::Text((*self).to_owned())
    }
}

impl ToValue for bool {
    fn to_value(&self) -> Value {
        Value::Flag(*self)
    }
}

impl ToValue for f64 {
    fn to_value(&self) -> Value {
        Value::Real(*self)
    }
}

impl ToValue for Time {
    fn to_value(&self) -> Value {
        Value::Time(self.0)
    }
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(impl ToValue for $type {
            fn to_value(&self) -> Value {
                Value::Integer((*self).into())
            }
        })*
    };
}

integers!(u8 u16 u32 u64 i16 i32 i64);
