//! Runs of one value.

use std::borrow::Cow;

use etwkit_columns::{Array, Values};

/// Returns the array that determines the type of a column: one with a value, if there is one.
pub(crate) fn typical<'a>(arrays: &[&'a Array]) -> Option<&'a Array> {
    let has_value = |array: &&&Array| array.validity().nulls() < array.len();
    arrays.iter().find(has_value).or(arrays.first()).copied()
}

/// Returns an array with a value for each row.
pub(crate) fn expanded(array: &Array) -> Cow<'_, Array> {
    if let Values::Repeated { .. } = array.values() {
        Cow::Owned(array.clone().expanded())
    } else {
        Cow::Borrowed(array)
    }
}

/// Returns the bits of the value that all rows of an array have, and how many rows; no rows if all are null.
pub(crate) fn repeated(array: &Array) -> Option<(u64, usize)> {
    let Values::Repeated { bits, .. } = array.values() else { return None };
    Some((*bits, array.len() - array.validity().nulls()))
}

/// Returns whether all of some values are equal to one. They are compared all together, which takes fewer instructions
/// than to stop at the first other one.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "without branches, so that the compiler compares several at once")]
pub(crate) fn all_are<T: Copy + PartialEq>(some: &[T], value: T) -> bool {
    some.iter().fold(true, |is_same, one| is_same & (*one == value))
}
