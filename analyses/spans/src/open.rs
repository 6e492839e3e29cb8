//! Spans that have begun and not ended.

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit_kernel_analyses::ProcessKey;
use hashbrown::HashMap;

use crate::activity::{is_path, is_task};
use crate::fact::{Match, SpanFact, Version};
use crate::family::FamilyId;
use crate::limits::{OPEN, OPEN_OF_KEY};
use crate::span::SpanId;

/// What start and stop of a span have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    family: FamilyId,
    by: By,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum By {
    /// Activity ids are unique, but for paths and tasks, which processes number for themselves.
    Activity(Guid, Option<ProcessKey>),
    Thread(ProcessKey, Option<u32>),
    Number(ProcessKey, u64),
    ThreadAndNumber(ProcessKey, Option<u32>, u64),
}

impl Key {
    pub(crate) fn of(fact: &SpanFact, family: FamilyId, found_by: Match) -> Self {
        let by = match (found_by, fact.activity) {
            (Match::Number(number) | Match::Task(number), _) => By::Number(fact.process, number),
            (Match::ThreadAndNumber(number), _) => By::ThreadAndNumber(fact.process, fact.tid, number),
            (Match::Usual, Some(id)) => By::Activity(id, scope(id, fact.process)),
            (Match::Usual, None) => By::Thread(fact.process, fact.tid),
        };
        Self { family, by }
    }
}

/// Returns the process within which an activity id is unique, or the machine, which has no process id here; `None` if
/// it is unique everywhere. Ids of tasks contain the process id.
pub(crate) fn scope(activity: Guid, process: ProcessKey) -> Option<ProcessKey> {
    if is_path(activity, process.pid) {
        return Some(process);
    }
    is_task(activity).then_some(ProcessKey { pid: None, start: None, ..process })
}

/// A start without its stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun {
    pub(crate) family: FamilyId,
    pub(crate) time: FileTime,
    /// The span, if spans are kept.
    pub(crate) span: Option<SpanId>,
    /// Of its first start event.
    pub(crate) version: Option<Version>,
    /// Whether another version of that event came, too.
    pub(crate) is_repeated: bool,
}

/// The open spans of a key, the newest last.
#[derive(Clone, Debug, Default)]
struct Stack {
    list: Vec<Begun>,
    /// Newer ones that are not kept.
    beyond: u64,
}

/// What a stop ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ended {
    Span(Begun),
    /// One that is not kept.
    Beyond,
    /// None: its start is not in the trace.
    None,
}

/// The open spans of all keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenSpans {
    stacks: HashMap<Key, Stack>,
    count: usize,
    /// Starts of other keys that are not kept, by family.
    beyond: HashMap<FamilyId, u64>,
}

impl OpenSpans {
    /// Returns whether a start repeats that the newest one of a key began: runtimes write several versions of an event
    /// at once.
    pub(crate) fn is_repetition(&mut self, key: Key, version: Option<Version>) -> bool {
        let stack = self.stacks.get_mut(&key).filter(|stack| stack.beyond == 0);
        let Some(newest) = stack.and_then(|stack| stack.list.last_mut()) else { return false };
        let is_other = |(own, other): (Version, Version)| own.id == other.id && own.version != other.version;
        let is_repetition = !newest.is_repeated && newest.version.zip(version).is_some_and(is_other);
        newest.is_repeated |= is_repetition;
        is_repetition
    }

    /// Returns whether one more of a key is kept, and counts it if not.
    pub(crate) fn has_room(&mut self, key: Key) -> bool {
        let is_full = self.count >= OPEN;
        match self.stacks.get_mut(&key) {
            Some(stack) if is_full || stack.beyond > 0 || stack.list.len() >= OPEN_OF_KEY => {
                stack.beyond += 1;
                false
            }
            None if is_full => {
                *self.beyond.entry(key.family).or_default() += 1;
                false
            }
            _ => true,
        }
    }

    pub(crate) fn push(&mut self, key: Key, begun: Begun) {
        self.count += 1;
        self.stacks.entry(key).or_default().list.push(begun);
    }

    /// Ends the newest one of a key. A stop of an unknown key ends a start that is not kept, as long as its family has
    /// such: keys are not kept beyond the limit, so which one it ends is not known.
    pub(crate) fn pop(&mut self, key: Key) -> Ended {
        let Some(stack) = self.stacks.get_mut(&key) else { return self.pop_beyond(key.family) };
        if stack.beyond > 0 {
            stack.beyond -= 1;
            return Ended::Beyond;
        }
        let begun = stack.list.pop();
        if stack.list.is_empty() {
            self.stacks.remove(&key);
        }
        self.count -= usize::from(begun.is_some());
        begun.map_or(Ended::None, Ended::Span)
    }

    fn pop_beyond(&mut self, family: FamilyId) -> Ended {
        let Some(beyond) = self.beyond.get_mut(&family).filter(|beyond| **beyond > 0) else { return Ended::None };
        *beyond -= 1;
        Ended::Beyond
    }

    /// Returns the open ones.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Begun> {
        self.stacks.values().flat_map(|stack| &stack.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_two_machines_have_nothing_in_common() {
        let task = "00000006-0001-0000-940f-0000ffdcd7b5".parse().unwrap();
        let of = |machine, pid| scope(task, ProcessKey { machine, pid: Some(pid), start: None });
        assert_ne!(of(0, 4), of(1, 4));
        // One that was handed on to another process.
        assert_eq!(of(0, 4), of(0, 8));
        assert_eq!(scope(Guid::from_bytes([7; 16]), ProcessKey { machine: 0, pid: Some(4), start: None }), None);
    }

    #[test]
    fn starts_beyond_the_limit_take_their_own_stops() {
        let process = ProcessKey { machine: 0, pid: Some(1), start: None };
        let key = Key { family: FamilyId(0), by: By::Thread(process, Some(2)) };
        let mut open = OpenSpans::default();
        let begun =
            |time| Begun { family: FamilyId(0), time: FileTime(time), span: None, version: None, is_repeated: false };
        for time in 0..i64::try_from(OPEN_OF_KEY).unwrap() {
            assert!(open.has_room(key));
            open.push(key, begun(time));
        }
        assert!(!open.has_room(key) && !open.has_room(key));
        assert!(matches!((open.pop(key), open.pop(key)), (Ended::Beyond, Ended::Beyond)));
        let newest = FileTime(i64::try_from(OPEN_OF_KEY).unwrap() - 1);
        assert!(matches!(open.pop(key), Ended::Span(begun) if begun.time == newest));
        assert_eq!(open.iter().count(), OPEN_OF_KEY - 1);
    }

    #[test]
    fn starts_beyond_the_limit_of_all_keys_take_their_own_stops() {
        let process = ProcessKey { machine: 0, pid: Some(1), start: None };
        let key = |family, number| Key { family: FamilyId(family), by: By::Number(process, number) };
        let mut open = OpenSpans { count: OPEN, ..OpenSpans::default() };
        assert!(!open.has_room(key(0, 1)) && !open.has_room(key(0, 2)));
        // A stop of another family, and one more than there are starts.
        let ends = [key(1, 1), key(0, 2), key(0, 1), key(0, 3)].map(|key| open.pop(key));
        assert!(matches!(ends, [Ended::None, Ended::Beyond, Ended::Beyond, Ended::None]), "{ends:?}");
    }
}
