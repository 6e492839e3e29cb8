//! No panic leaves a callback: the host is C++.

use std::panic::{AssertUnwindSafe, catch_unwind};

use etwkit::sink::Panicked;

use crate::failure::Failure;

/// Runs the body of a callback; a panic becomes a failure. What was being changed then is not used again: the
/// statement has failed.
pub(crate) fn guarded<T>(body: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(bug(&Panicked::of(panic))))
}

/// Returns the failure of a panic.
pub(crate) fn bug(panicked: &Panicked) -> Failure {
    Failure::new(format_args!("a bug, please report it: {}", panicked.text()))
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a test")]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_failure() {
        assert_eq!(guarded(|| Ok(3)), Ok(3));
        assert_eq!(guarded::<()>(|| panic!("at {}", 7)), Err(Failure::new("a bug, please report it: at 7")));
    }
}
