//! How a payload and its schema fit together.

/// The result of locating a schema's fields in a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fit {
    /// Every byte is in a field.
    Exact,
    /// All fields fit and bytes are left: a newer payload under an old version number, or an under-declared array.
    Surplus,
    /// A field does not fit; the ones before it do.
    Misfit,
    /// All fields fit, but their names and labels are far longer than the payload (see [`crate::limits::shown`]): the
    /// fields from the first one that is too much are left out.
    Cut,
}

impl Fit {
    /// Returns whether all fields were found.
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::Exact | Self::Surplus)
    }
}
