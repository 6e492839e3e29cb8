//! The boundary around crates that may panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns what `work` returns; `None` if it panics.
///
/// `pdb2`, `pdb-addr2line` and the crates that unpack files index and unwrap in places where a damaged file can have
/// anything, and promise nothing. A damaged symbol file must cost its names, not the program that reads a trace. Nothing
/// that `work` changes may be used after a panic but for what it returns. The panic's message goes where the program's
/// panic hook sends it; with `panic = "abort"` the process ends.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
