//! An event's stack, wherever it came.

use crate::event::RawEvent;
use crate::system::{MissingFrames, System};

use super::{Attribution, Event, EventType};

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
        stack_of(&self.raw, self.row, self.system(), || self.attribution(), frames)
    }

    /// Returns whether [`Event::stack`] finds a stack.
    pub fn has_stack(&self) -> bool {
        let (raw, stacks) = (&self.raw, &self.system().stacks);
        let has_keys = !stacks.is_empty();
        if raw.extended().any(|item| item.stack().is_some() || has_keys && item.stack_key().is_some()) {
            return true;
        }
        if stacks.is_empty() || is_stack(raw, self.row, self.system()) {
            return false;
        }
        stacks.parts(self.system().timeline.of(raw), self.attribution().tid, raw.processor()).is_some()
    }

    /// As [`Event::stack`], but the stack of a thread that the event names otherwise than as its own: the stack of a
    /// context switch is that of the thread that it switches to (`NewThreadId`).
    pub fn stack_of_thread(&self, tid: u32, frames: &mut Vec<u64>) -> Option<StackFound> {
        let whose = Attribution { pid: None, tid: Some(tid) };
        stack_of(&self.raw, self.row, self.system(), || whose.with_process(&self.raw, self.system()), frames)
    }
}

/// Returns whether an event is a stack of another one, by its type if that is known.
#[inline]
fn is_stack(raw: &RawEvent<'_>, row: Option<&EventType>, state: &System) -> bool {
    row.map_or_else(|| state.stacks.is_carrier(&raw.key()), |row| row.is_stack)
}

/// As [`Event::stack`], for an event that `whose` attributes.
#[inline]
pub(crate) fn stack_of(
    raw: &RawEvent<'_>,
    row: Option<&EventType>,
    state: &System,
    whose: impl FnOnce() -> Attribution,
    frames: &mut Vec<u64>,
) -> Option<StackFound> {
    frames.clear();
    let stacks = &state.stacks;
    if !raw.has_extended() && stacks.is_empty() {
        return None;
    }
    let (is_inline, missing) = inline(raw, state, frames);
    if is_inline {
        return Some(StackFound { inline: true, pid: whose().pid, missing });
    }
    if stacks.is_empty() || is_stack(raw, row, state) {
        return None;
    }
    let whose = whose();
    let tick = state.timeline.of(raw);
    let (pid, missing) = stacks.of_event(tick, whose.tid, raw.processor(), |frame| frames.push(frame))?;
    let pid = Some(pid).filter(|pid| *pid != u32::MAX).or(whose.pid);
    Some(StackFound { inline: false, pid, missing })
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
