//! How much text a form may have.

use crate::Profile;

/// Bytes that a form may have whatever the profile is.
const LEAST: usize = 64 << 20;
/// Bytes that it may have for each sample: most paths are shorter.
const EACH_SAMPLE: usize = 4 << 10;
/// Bytes of a frame's name, where it is written with each node.
const MOST_NAME: usize = 1 << 10;

/// The bytes of text that a form has room for: a few keys of stacks with long names may stand for any number of paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextRoom(usize);

impl TextRoom {
    /// Returns the room for the text of a profile.
    pub(super) fn of(profile: &Profile) -> Self {
        let samples = usize::try_from(profile.total().samples).unwrap_or(usize::MAX);
        Self(LEAST.saturating_add(samples.saturating_mul(EACH_SAMPLE)))
    }

    /// Takes bytes of it. False if there are not as many: then shorter texts still have room.
    pub(super) const fn take(&mut self, bytes: usize) -> bool {
        let rest = self.0.checked_sub(bytes);
        if let Some(rest) = rest {
            self.0 = rest;
        }
        rest.is_some()
    }
}

/// Returns the beginning of a name that is written with each node.
pub(super) fn name_of_node(name: &str) -> &str {
    etwkit::bytes::cut_text(name, MOST_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_taken_until_none_is_left() {
        let mut room = TextRoom::of(&Profile::default());
        assert!(room.take(LEAST - 10) && !room.take(11) && room.take(10) && !room.take(1));
    }
}
