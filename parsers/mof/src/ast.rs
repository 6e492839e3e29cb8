//! The syntax tree of a MOF text, restricted to event tracing.

/// A class with its own qualifiers and properties, without those of its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    /// Byte offset of its name in the text.
    pub(crate) at: usize,
    pub(crate) name: Box<str>,
    pub(crate) base: Option<Box<str>>,
    pub(crate) qualifiers: Qualifiers,
    pub(crate) properties: Vec<Property>,
}

/// A property of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    /// Byte offset of its name in the text.
    pub(crate) at: usize,
    /// The type's name, as it is written.
    pub(crate) kind: Box<str>,
    pub(crate) name: Box<str>,
    pub(crate) qualifiers: Qualifiers,
    pub(crate) array: Array,
}

/// The suffix of a property's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Array {
    /// Nothing: a single value.
    None,
    /// `[]`
    Open,
    /// `[n]`
    Fixed(u64),
}

/// Qualifiers in the order of the text. Their names are not case-sensitive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Qualifiers(pub(crate) Vec<Qualifier>);

/// A qualifier. Its flavour (`: amended` and the like) states nothing about events and is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Qualifier {
    pub(crate) name: Box<str>,
    pub(crate) value: Value,
}

/// The value of a qualifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// None is given, which means true; or `true`, or `false`.
    Flag(bool),
    Number(i128),
    Text(Box<str>),
    List(Vec<Value>),
    /// Something that no qualifier of event tracing has: a real number, `null`, an alias.
    Other,
}

impl Qualifiers {
    /// Returns the value of a qualifier.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|qualifier| qualifier.name.eq_ignore_ascii_case(name)).map(|qualifier| &qualifier.value)
    }

    /// Returns whether it is there and not `false`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| *value != Value::Flag(false))
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::text)
    }

    pub(crate) fn number(&self, name: &str) -> Option<i128> {
        self.get(name).and_then(Value::number)
    }

    /// Returns the elements of a list, or a single value as a list of one.
    pub(crate) fn list(&self, name: &str) -> Option<&[Value]> {
        self.get(name).map(Value::elements)
    }
}

impl Value {
    /// Returns a text; of a list of one the text in it.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::List(list) => match list.as_slice() {
                [Self::Text(text)] => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a number; of a list of one the number in it.
    pub(crate) fn number(&self) -> Option<i128> {
        match self {
            Self::Number(number) => Some(*number),
            Self::List(list) => match list.as_slice() {
                [Self::Number(number)] => Some(*number),
                _ => None,
            },
            _ => None,
        }
    }

    fn elements(&self) -> &[Self] {
        match self {
            Self::List(list) => list,
            single => std::slice::from_ref(single),
        }
    }
}
