//! Zeros up to the end of a file.
//!
//! Damage handled here: a file that was preallocated, or whose session never closed it, ends in zeros.

use crate::error::Result;
use crate::input::Input;

use super::scan::scan;

/// Finds out whether only zeros follow. Examines each byte once, regardless of the number of calls.
#[derive(Debug)]
pub(super) struct ZeroTail<'s> {
    source: &'s Input,
    /// The place of a nonzero byte after all examined bytes.
    other: Option<u64>,
}

impl<'s> ZeroTail<'s> {
    /// Creates the state for a file that has not been examined.
    pub(super) const fn new(source: &'s Input) -> Self {
        Self { source, other: None }
    }

    /// Returns whether all bytes from `at` to the end of the file are zero. `at` does not decrease from call to call.
    pub(super) fn includes(&mut self, at: u64) -> Result<bool> {
        if self.other.is_some_and(|other| at <= other) {
            return Ok(false);
        }
        self.other = scan(self.source, at..self.source.len(), 0, |start, bytes, _| {
            Ok(bytes.iter().position(|&byte| byte != 0).map(|other| start + other as u64))
        })?;
        Ok(self.other.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_looked_at_once() {
        // In logs of before Vista each stride is examined on its own.
        let mut bytes = vec![0; 4 << 20];
        bytes.push(1);
        let source = Input::bytes("made", bytes);
        let mut tail = ZeroTail::new(&source);
        assert!(!tail.includes(72).unwrap());
        assert_eq!(tail.other, Some(source.len() - 1), "what lies before is not looked at again");
        assert!(!tail.includes(source.len() - 1).unwrap());
        assert!(tail.includes(source.len()).unwrap());
    }
}
