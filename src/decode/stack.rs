//! An event's stack, wherever it came.

use std::ops::Range;

use crate::event::{RawEvent, known_id};
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
    /// The thread whose stack it is; `None` if it is not known.
    pub tid: Option<u32>,
    /// What is missing of it.
    pub missing: Option<MissingFrames>,
}

impl Event<'_> {
    /// Puts the frames of the event's stack into `frames`, innermost first, the kernel's before those of the process.
    /// `None` if it has no stack.
    ///
    /// A stack in the event itself counts more than one that came in an event of its own. The latter, and parts that
    /// lie in other events, are known only if the parsers were asked to keep them.
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
        let system = self.system();
        let at = stacks.at(system.timeline.of(raw));
        parts_of((raw, self.row), system, || self.attribution(), at).is_some()
    }

    /// Returns the stack, as [`Event::stack`] does, but of a thread that the event names otherwise than as its own: the
    /// stack of a context switch is that of the thread that it switches to (`NewThreadId`).
    pub fn stack_of_thread(&self, tid: u32, frames: &mut Vec<u64>) -> Option<StackFound> {
        let whose = Attribution { pid: None, tid: Some(tid) };
        stack_of(&self.raw, self.row, self.system(), || whose.with_process(&self.raw, self.system()), frames)
    }
}

/// As [`Event::stack`], for an event that `whose` attributes.
#[inline]
pub(crate) fn stack_of(
    raw: &RawEvent<'_>,
    row: Option<&EventType>,
    state: &System,
    whose: impl Fn() -> Attribution,
    frames: &mut Vec<u64>,
) -> Option<StackFound> {
    frames.clear();
    let at = || state.stacks.at(state.timeline.of(raw));
    find_stack((raw, row), state, whose, at, |frame| frames.push(frame)).map(|(found, _)| found)
}

/// Finds the stack of an event, which comes with its type if that is known. Hands the frames to `each`, and returns the
/// places of the stack's parts, if they came in events of their own. `at` returns the places of all parts of the
/// event's time.
#[inline]
pub(crate) fn find_stack(
    (raw, row): (&RawEvent<'_>, Option<&EventType>),
    state: &System,
    whose: impl Fn() -> Attribution,
    at: impl FnOnce() -> Range<usize>,
    mut each: impl FnMut(u64),
) -> Option<(StackFound, Range<usize>)> {
    let stacks = &state.stacks;
    if !raw.has_extended() && stacks.is_empty() {
        return None;
    }
    let (is_inline, missing) = inline(raw, state, &mut each);
    if is_inline {
        let Attribution { pid, tid } = whose();
        return Some((StackFound { inline: true, pid, tid, missing }, 0..0));
    }
    let parts = parts_of((raw, row), state, &whose, at())?;
    let (owner, missing) = stacks.of_parts(parts.clone(), each)?;
    let pid = known_id(owner.pid).or_else(|| whose().pid);
    Some((StackFound { inline: false, pid, tid: Some(owner.tid), missing }, parts))
}

/// Returns the places of the parts of an event's stack that came in events of their own. Nearly all events that have
/// none are recognized by their time alone.
#[inline]
fn parts_of(
    (raw, row): (&RawEvent<'_>, Option<&EventType>),
    state: &System,
    whose: impl Fn() -> Attribution,
    at: Range<usize>,
) -> Option<Range<usize>> {
    let stacks = &state.stacks;
    let is_stackless = || row.map_or_else(|| stacks.is_stackless(&raw.key()), |row| row.is_stackless);
    if at.is_empty() || is_stackless() {
        return None;
    }
    stacks.parts(at, whose().tid, raw.processor())
}

/// Returns the frames that the event carries, or refers to by a key: whether there are any, and what is missing of
/// them.
fn inline(raw: &RawEvent<'_>, state: &System, each: &mut impl FnMut(u64)) -> (bool, Option<MissingFrames>) {
    let (mut found, mut missing) = (false, None);
    for item in raw.extended() {
        if let Some(stack) = item.stack() {
            found = true;
            let mut is_linked = false;
            if stack.match_id != 0 {
                missing = state.stacks.linked(stack.match_id, raw.tid(), |frame| {
                    is_linked = true;
                    each(frame);
                });
            }
            if !is_linked {
                stack.addresses().for_each(&mut *each);
            }
        } else if let Some(key) = item.stack_key().filter(|_| !state.stacks.is_empty()) {
            found = true;
            missing = state.stacks.of_key(key, state.timeline.of(raw), &mut *each).or(missing);
        }
    }
    (found, missing)
}
