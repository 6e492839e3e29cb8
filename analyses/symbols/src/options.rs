//! How names are written.

/// How names are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether functions have the types of their arguments, `f(int, char*)`. Without them, which is the default, a name is
    /// as short as other tools show it.
    pub arguments: bool,
}

impl Options {
    /// Sets whether functions have the types of their arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: bool) -> Self {
        self.arguments = arguments;
        self
    }
}
