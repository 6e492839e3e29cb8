//! Values without the nulls among them.

use etwkit_columns::Validity;

/// Returns the values that are not null.
pub(crate) fn valid<T: Copy>(all: &[T], validity: &Validity) -> Vec<T> {
    let Some(bits) = validity.bits() else { return all.to_vec() };
    let mut values = Vec::with_capacity(all.len() - validity.nulls());
    for (some, bits) in all.chunks(8).zip(bits) {
        if *bits == 0xFF {
            values.extend_from_slice(some);
        } else if *bits != 0 {
            values.extend(some.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1).map(|(_, value)| *value));
        }
    }
    values
}
