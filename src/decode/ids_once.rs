//! The process and thread that an event is about, found once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::event::{NO_ID, known_id};

/// Ids of a process and of a thread, as far as they are known.
pub(super) type Ids = (Option<u32>, Option<u32>);

/// Ids that are found when they are first asked for. Threads that ask at once may each find them: they find the same.
///
/// A `OnceLock` would do, but its first use costs as much as finding the ids.
#[derive(Debug, Default)]
pub(super) struct IdsOnce {
    is_known: AtomicBool,
    /// The process in the upper half, the thread in the lower one.
    ids: AtomicU64,
}

impl IdsOnce {
    /// Returns the ids; finds them if nobody has asked before.
    #[inline]
    pub(super) fn get_or_find(&self, find: impl FnOnce() -> Ids) -> Ids {
        if !self.is_known.load(Ordering::Acquire) {
            self.ids.store(packed(find()), Ordering::Relaxed);
            self.is_known.store(true, Ordering::Release);
        }
        unpacked(self.ids.load(Ordering::Relaxed))
    }

    /// Forgets them.
    #[inline]
    pub(super) fn clear(&mut self) {
        *self.is_known.get_mut() = false;
    }
}

#[inline]
fn packed((pid, tid): Ids) -> u64 {
    u64::from(pid.unwrap_or(NO_ID)) << 32 | u64::from(tid.unwrap_or(NO_ID))
}

#[inline]
fn unpacked(ids: u64) -> Ids {
    (known_id((ids >> 32) as u32), known_id(ids as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_once_until_they_are_forgotten() {
        let mut once = IdsOnce::default();
        for ids in [(Some(4), Some(8)), (None, Some(0)), (Some(0), None), (None, None)] {
            assert_eq!(once.get_or_find(|| ids), ids);
            assert_eq!(once.get_or_find(|| (Some(1), Some(1))), ids);
            once.clear();
        }
    }
}
