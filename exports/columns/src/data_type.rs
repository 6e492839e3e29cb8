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
    /// A value of each of several types: at least one.
    Struct(Vec<Member>),
}

/// A part of [`DataType::Struct`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Member {
    /// Its name: no other member of the struct has it, with regard to ASCII case or not.
    pub name: String,
    /// The type of its values.
    pub data_type: DataType,
}

impl Member {
    /// Returns a member.
    pub fn new(name: impl Into<String>, data_type: DataType) -> Self {
        Self { name: name.into(), data_type }
    }
}

impl DataType {
    /// Returns the type that holds the values of both: the narrowest number, or [`DataType::Text`]. Structs of the same
    /// names stay one.
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
            (Self::List(a), Self::List(b)) => a.unified_part(b).map_or(Self::Text, |of| Self::List(Box::new(of))),
            (Self::Struct(a), Self::Struct(b)) => unified_members(a, b).map_or(Self::Text, Self::Struct),
            _ => Self::Text,
        }
    }

    /// Returns text in the place of a time: what is not a date would have no value.
    pub(crate) fn without_time(self) -> Self {
        if self == Self::Time { Self::Text } else { self }
    }

    /// As [`DataType::unified`], of a part; `None` if a list or struct would become text, which only the whole can be.
    fn unified_part(&self, other: &Self) -> Option<Self> {
        let both = self.unified(other);
        (both != Self::Text || !(self.has_parts() || other.has_parts())).then_some(both)
    }

    const fn has_parts(&self) -> bool {
        matches!(self, Self::List(_) | Self::Struct(_))
    }
}

fn unified_members(a: &[Member], b: &[Member]) -> Option<Vec<Member>> {
    let both = |(a, b): (&Member, &Member)| {
        let data_type = a.data_type.unified_part(&b.data_type)?;
        a.name.eq_ignore_ascii_case(&b.name).then(|| Member::new(a.name.as_str(), data_type))
    };
    if a.len() == b.len() { a.iter().zip(b).map(both).collect() } else { None }
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
            Self::Struct(members) => {
                f.write_str("struct of ")?;
                members.iter().enumerate().try_for_each(|(place, Member { name, data_type })| {
                    write!(f, "{}{name} {data_type}", if place == 0 { "(" } else { ", " })
                })?;
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DataType::{self, F32, F64, List, Signed, Struct, Text, Time, Unsigned};
    use super::Member;

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

    #[test]
    fn structs_are_unified_by_member_or_are_text() {
        let list = |of: &DataType| List(Box::new(of.clone()));
        let of = |name: &str, of: DataType| Struct(vec![Member::new("x", Signed(32)), Member::new(name, of)]);
        let (narrow, wide, other) = (of("y", Unsigned(8)), of("Y", Unsigned(16)), of("z", Unsigned(8)));
        let deep = of("y", narrow.clone());
        assert_eq!(narrow.unified(&wide).to_string(), "struct of (x i32, y u16)");
        assert_eq!(list(&narrow).unified(&list(&wide)).to_string(), "list of struct of (x i32, y u16)");
        assert_eq!(deep.unified(&of("y", wide)).to_string(), "struct of (x i32, y struct of (x i32, y u16))");
        for (a, b) in
            [(&narrow, &other), (&list(&narrow), &list(&other)), (&deep, &of("y", other.clone())), (&deep, &narrow)]
        {
            assert_eq!((a.unified(b), b.unified(a)), (Text, Text), "{a} and {b}");
        }
        // Numbers that no number holds are text within a struct.
        assert_eq!(of("y", Unsigned(64)).unified(&of("y", Signed(8))).to_string(), "struct of (x i32, y text)");
    }
}
