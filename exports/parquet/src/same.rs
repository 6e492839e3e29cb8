//! Runs of one value.

/// Returns whether all of some values are equal to one. They are compared all together, which takes fewer instructions
/// than to stop at the first other one.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "without branches, so that the compiler compares several at once")]
pub(crate) fn all_are<T: Copy + PartialEq>(some: &[T], value: T) -> bool {
    some.iter().fold(true, |is_same, one| is_same & (*one == value))
}
