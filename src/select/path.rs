//! The path of a field in a payload.

/// A field, or a member of a struct by the names from the outside in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// All of it, for a field whose own name has a dot.
    pub(super) whole: Box<str>,
    /// The names between the dots; at least one.
    pub(super) steps: Box<[Box<str>]>,
}

impl Path {
    /// A path whose steps are separated by dots.
    pub(super) fn dotted(text: &str) -> Self {
        Self { whole: text.into(), steps: text.split('.').map(Into::into).collect() }
    }

    /// A single field; dots are part of its name.
    pub(super) fn single(name: &str) -> Self {
        Self { whole: name.into(), steps: Box::new([name.into()]) }
    }
}
