//! Which input file of a trace.

/// An input file of a trace: its place in the order in which the files were given, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u16);

impl FileId {
    /// The first file.
    pub const FIRST: Self = Self(0);

    /// How many files a trace may have.
    pub const COUNT: usize = 1 << 16;

    /// Returns the files of a trace in order, to be zipped with what is known of each.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u16::MAX).map(Self)
    }

    /// Returns its place in lists of what is known of each file.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
