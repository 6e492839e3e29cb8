//! The Rust types of accessors.

use etwkit::schema::{Count, DisplayFormat, Field, Scalar, Wire};

/// What an accessor returns, if there is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Type {
    Bool,
    Signed(u8),
    Unsigned(u8),
    F32,
    F64,
    Guid,
    Sid,
    Text,
    Bytes,
    SystemTime,
    FileTime,
    Ipv4,
    Ipv6,
    Array(Element),
    /// Anything else is visited.
    Field,
}

/// An element of an array that is decoded one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    Signed(u8),
    Unsigned(u8),
    Guid,
}

impl Type {
    /// The type of a field in one version of an event.
    pub(super) fn of(field: &Field) -> Self {
        let single = Self::of_element(field);
        match (field.count, single) {
            (Count::One, _) => single,
            (_, Self::Signed(bits)) => Self::Array(Element::Signed(bits)),
            (_, Self::Unsigned(bits)) => Self::Array(Element::Unsigned(bits)),
            (_, Self::Guid) => Self::Array(Element::Guid),
            _ => Self::Field,
        }
    }

    fn of_element(field: &Field) -> Self {
        match (field.wire, field.display) {
            (Wire::Scalar(scalar), display) => Self::of_scalar(scalar, display),
            (Wire::Text { .. }, _) => Self::Text,
            (Wire::Bytes { .. }, DisplayFormat::Guid) => Self::Guid,
            (Wire::Bytes { .. }, DisplayFormat::Ipv6) => Self::Ipv6,
            (Wire::Bytes { .. }, DisplayFormat::Ipv4) => Self::Ipv4,
            (Wire::Bytes { .. }, _) => Self::Bytes,
            (Wire::Sid { .. }, _) => Self::Sid,
            (Wire::Bits { count, .. }, _) => Self::Unsigned(count.div_ceil(8).next_power_of_two() * 8),
            _ => Self::Field,
        }
    }

    fn of_scalar(scalar: Scalar, display: DisplayFormat) -> Self {
        match (scalar, display) {
            (Scalar::F32, _) => Self::F32,
            (Scalar::F64, _) => Self::F64,
            (Scalar::Guid, _) => Self::Guid,
            (Scalar::SystemTime, _) => Self::SystemTime,
            (_, DisplayFormat::Bool) => Self::Bool,
            // Ids were as wide as pointers once; their values never were.
            (_, DisplayFormat::Pid | DisplayFormat::Tid) => Self::Unsigned(32),
            (Scalar::I64 | Scalar::U64, DisplayFormat::FileTime) => Self::FileTime,
            (Scalar::U32, DisplayFormat::Ipv4) => Self::Ipv4,
            (Scalar::I8, _) => Self::Signed(8),
            (Scalar::I16, _) => Self::Signed(16),
            (Scalar::I32, _) => Self::Signed(32),
            (Scalar::I64, _) => Self::Signed(64),
            (Scalar::U8, _) => Self::Unsigned(8),
            (Scalar::U16, _) => Self::Unsigned(16),
            (Scalar::U32, _) => Self::Unsigned(32),
            (Scalar::U64 | Scalar::Pointer, _) => Self::Unsigned(64),
            _ => Self::Field,
        }
    }

    /// Returns the type for the values of two versions.
    pub(super) fn join(self, other: Self) -> Self {
        match (self.min(other), self.max(other)) {
            (one, same) if one == same => one,
            (Self::Bool, number @ (Self::Signed(_) | Self::Unsigned(_))) => number,
            (Self::Signed(one), Self::Signed(other)) => Self::Signed(one.max(other)),
            (Self::Unsigned(one), Self::Unsigned(other)) => Self::Unsigned(one.max(other)),
            (Self::Signed(signed), Self::Unsigned(unsigned)) if unsigned < 64 => Self::Signed(signed.max(unsigned * 2)),
            (Self::F32, Self::F64) => Self::F64,
            (Self::Array(Element::Unsigned(one)), Self::Array(Element::Unsigned(other))) => {
                Self::Array(Element::Unsigned(one.max(other)))
            }
            _ => Self::Field,
        }
    }

    /// How Rust writes it.
    pub(super) fn rust(self) -> String {
        match self {
            Self::Bool => "bool".into(),
            Self::Signed(bits) => format!("i{bits}"),
            Self::Unsigned(bits) => format!("u{bits}"),
            Self::F32 => "f32".into(),
            Self::F64 => "f64".into(),
            Self::Sid => "Sid<'a>".into(),
            Self::Text => "&'a str".into(),
            Self::Bytes => "&'a [u8]".into(),
            Self::Array(Element::Signed(bits)) => format!("Array<'a, i{bits}>"),
            Self::Array(Element::Unsigned(bits)) => format!("Array<'a, u{bits}>"),
            Self::Array(Element::Guid) => "Array<'a, Guid>".into(),
            Self::Field => "FieldView<'a>".into(),
            Self::Guid | Self::SystemTime | Self::FileTime | Self::Ipv4 | Self::Ipv6 => {
                self.imports().first().map_or("", |(_, name)| name).into()
            }
        }
    }

    /// Module and name of the types to import.
    pub(super) const fn imports(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Guid => &[("etwkit::bytes", "Guid")],
            Self::Sid => &[("etwkit::bytes", "Sid")],
            Self::SystemTime => &[("etwkit::format", "SystemTime")],
            Self::FileTime => &[("etwkit::time", "FileTime")],
            Self::Ipv4 => &[("std::net", "Ipv4Addr")],
            Self::Ipv6 => &[("std::net", "Ipv6Addr")],
            Self::Array(Element::Guid) => &[("etwkit::decode", "Array"), ("etwkit::bytes", "Guid")],
            Self::Array(_) => &[("etwkit::decode", "Array")],
            Self::Field => &[("etwkit::decode", "FieldView")],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_join_to_what_holds_both() {
        let join = |one: Type, other: Type| [one.join(other).rust(), other.join(one).rust()];
        assert_eq!(join(Type::Signed(8), Type::Unsigned(8)), ["i16", "i16"]);
        assert_eq!(join(Type::Unsigned(32), Type::Unsigned(64)), ["u64", "u64"]);
        assert_eq!(join(Type::Signed(64), Type::Unsigned(32)), ["i64", "i64"]);
        assert_eq!(join(Type::Bool, Type::Unsigned(8)), ["u8", "u8"]);
        assert_eq!(join(Type::Signed(64), Type::Unsigned(64)), ["FieldView<'a>", "FieldView<'a>"]);
        assert_eq!(join(Type::Text, Type::Bytes), ["FieldView<'a>", "FieldView<'a>"]);
    }
}
