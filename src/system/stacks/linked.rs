//! Stacks in parts that lie in events themselves.

use hashbrown::HashMap;

use crate::limits;

use super::{MissingFrames, StackCaps, StackPart};

/// Parts by the number that joins them: thread, part, and number of the interned frames.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkedParts(HashMap<u64, Vec<(u32, StackPart, u32)>>);

impl LinkedParts {
    /// Adds a part of a thread. Returns false if it is not kept.
    pub(super) fn add(
        &mut self,
        number: u64,
        (tid, part): (u32, StackPart),
        frames: Option<u32>,
        caps: StackCaps,
    ) -> bool {
        let full = self.0.len() >= caps.stacks && !self.0.contains_key(&number);
        let Some(frames) = frames.filter(|_| !full) else { return false };
        let parts = self.0.entry(number).or_default();
        if parts.contains(&(tid, part, frames)) {
            return true;
        }
        let has_room = parts.len() < limits::MAX_LINKED;
        if has_room {
            parts.push((tid, part, frames));
        }
        has_room
    }

    /// Hands the number of the frames of each part with this number and thread to `each`, the kernel's first. Returns
    /// whether a part is missing.
    pub(super) fn each(&self, number: u64, tid: Option<u32>, mut each: impl FnMut(u32)) -> Option<MissingFrames> {
        let parts = self.0.get(&number).map_or(&[][..], Vec::as_slice);
        let (mut kernel, mut user) = (false, false);
        for wanted in [StackPart::Kernel, StackPart::Whole, StackPart::User] {
            let mine = parts.iter().filter(|(of, part, _)| *part == wanted && tid.is_none_or(|tid| tid == *of));
            for (_, part, frames) in mine {
                kernel |= *part != StackPart::User;
                user |= *part != StackPart::Kernel;
                each(*frames);
            }
        }
        (!kernel || !user).then_some(MissingFrames::OtherPart)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
