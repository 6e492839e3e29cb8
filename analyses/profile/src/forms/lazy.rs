//! Lists in JSON that are made while they are written.

use serde::{Serialize, Serializer};

/// A list that is made each time it is written, one element after the other.
pub(super) struct Lazy<F>(pub(super) F);

impl<F, I> Serialize for Lazy<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
