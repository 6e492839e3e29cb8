//! The process and thread that an event is about, found once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::Attribution;

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
    pub(super) fn get_or_find(&self, find: impl FnOnce() -> Attribution) -> Attribution {
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

/// An id that is not known is all ones, which no process or thread has.
#[inline]
fn packed(Attribution { pid, tid }: Attribution) -> u64 {
    u64::from(pid.unwrap_or(u32::MAX)) << 32 | u64::from(tid.unwrap_or(u32::MAX))
}

#[inline]
fn unpacked(ids: u64) -> Attribution {
    Attribution::of_ids((ids as u32, (ids >> 32) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_once_until_they_are_forgotten() {
        let mut once = IdsOnce::default();
        let of = |pid, tid| Attribution { pid, tid };
        for ids in [of(Some(4), Some(8)), of(None, Some(0)), of(Some(0), None), of(None, None)] {
            assert_eq!(once.get_or_find(|| ids), ids);
            assert_eq!(once.get_or_find(|| of(Some(1), Some(1))), ids);
            once.clear();
        }
    }
}
