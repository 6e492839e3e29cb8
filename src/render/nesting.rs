//! Which brackets are open.

use crate::limits;

/// Whether each open bracket is that of an array, whose elements have no names. The innermost one is the lowest bit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nesting(u128);

/// Each level of structs may be an array of them, and the innermost struct may have an array.
const _: () = assert!(2 * limits::MAX_DEPTH < u128::BITS as usize);

impl Nesting {
    /// Goes into an array or a struct.
    #[inline]
    pub(crate) fn open(&mut self, is_array: bool) {
        self.0 = self.0 << 1 | u128::from(is_array);
    }

    /// Goes back to what is around it.
    #[inline]
    pub(crate) const fn close(&mut self) {
        self.0 >>= 1;
    }

    /// Returns whether what comes next is an element of an array.
    #[inline]
    pub(crate) const fn is_in_array(self) -> bool {
        self.0 & 1 == 1
    }
}
