//! An event's stack, wherever it came.

use crate::event::RawEvent;
use crate::system::{MissingFrames, System};

use super::Event;

/// Where an event's stack came, and what is missing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StackFound {
    /// Whether the event itself carries it, or its key.
    pub inline: bool,
    /// The process in which the frames lie; `None` if it is not known.
    pub pid: Option<u32>,
    /// What is missing of it.
    pub missing: Option<MissingFrames>,
}

impl Event<'_> {
    /// Puts the frames of the event's stack into `frames`, innermost first, the kernel's before those of the process.
    /// `None` if it has no stack.
    ///
    /// A stack in the event itself counts more than one that came in an event of its own. The latter, and parts that lie
    /// in other events, are known only if the parsers were asked to keep them.
    pub fn stack(&self, frames: &mut Vec<u64>) -> Option<StackFound> {
        frames.clear();
        let state = self.system();
        let stacks = &state.stacks;
        if !self.raw.has_extended() && stacks.is_empty() {
            return None;
        }
        let (is_inline, missing) = inline(&self.raw, state, frames);
        if is_inline {
            return Some(StackFound { inline: true, pid: self.pid(), missing });
        }
        if stacks.is_empty() || stacks.is_carrier(&self.raw.key()) {
            return None;
        }
        let whose = self.attribution();
        let tick = state.timeline.of(&self.raw);
        let (pid, missing) = stacks.of_event(tick, whose.tid, self.raw.processor(), |frame| frames.push(frame))?;
        let pid = Some(pid).filter(|pid| *pid != u32::MAX).or(whose.pid);
        Some(StackFound { inline: false, pid, missing })
    }
}

/// Returns the frames that the event carries, or refers to by a key: whether there are any, and what is missing of
/// them.
fn inline(raw: &RawEvent<'_>, state: &System, frames: &mut Vec<u64>) -> (bool, Option<MissingFrames>) {
    let (mut found, mut missing) = (false, None);
    for item in raw.extended() {
        if let Some(stack) = item.stack() {
            found = true;
            let own = frames.len();
            if stack.match_id != 0 {
                missing = state.stacks.linked(stack.match_id, raw.tid(), |frame| frames.push(frame));
            }
            if frames.len() == own {
                frames.extend(stack.addresses());
            }
        } else if let Some(key) = item.stack_key().filter(|_| !state.stacks.is_empty()) {
            found = true;
            missing = state.stacks.of_key(key, state.timeline.of(raw), |frame| frames.push(frame)).or(missing);
        }
    }
    (found, missing)
}
