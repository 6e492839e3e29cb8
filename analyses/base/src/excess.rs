//! What has no room.

/// Counts what an analysis has no room for, because it keeps a limited number of things whatever the trace contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Excess(u64);

impl Excess {
    /// Returns whether there is room for one more thing where `len` are, and counts the thing if not.
    pub const fn admits(&mut self, len: usize, most: usize) -> bool {
        let has_room = len < most;
        if !has_room {
            self.add(1);
        }
        has_room
    }

    /// Counts things that have no room.
    pub const fn add(&mut self, things: u64) {
        self.0 = self.0.saturating_add(things);
    }

    /// Returns how many things had no room.
    pub const fn count(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_is_counted() {
        let mut excess = Excess::default();
        let admitted = (0..5).filter(|len| excess.admits(*len, 3)).count();
        assert_eq!((admitted, excess.count()), (3, 2));
        excess.add(u64::MAX);
        assert_eq!(excess.count(), u64::MAX);
    }
}
