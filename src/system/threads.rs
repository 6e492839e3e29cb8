//! Threads over time.

#[cfg(feature = "output")]
use std::ops::RangeInclusive;

use hashbrown::HashMap;
use smallvec::SmallVec;

use crate::event::known_id;

use super::budget::entry_size;
use super::lifetime::Lifetime;
use super::timeline::Rundown;
use super::{StateBudget, Unknown};

/// The process of a thread id in a span of ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    pid: u32,
    start: i64,
    end: i64,
    /// When the last event stated it.
    stated: i64,
}

/// The spans of a thread id. Most ids are not used again.
type SpansOfId = SmallVec<[Span; 1]>;

/// All threads.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    /// Spans by thread id; in order of time once frozen.
    by_tid: HashMap<u32, SpansOfId>,
    /// Names by thread id, with the tick from which they hold; empty, once frozen, where the next thread of the id begins.
    names: HashMap<u32, Vec<(i64, Box<str>)>>,
    /// Whether any came from a rundown.
    rundown: bool,
}

impl Threads {
    /// Adds the start of a thread.
    pub(super) fn start(&mut self, time: i64, tid: u32, pid: u32, budget: &mut StateBudget) {
        if let Some(before) = self.last_mut(tid).filter(|span| span.end == i64::MAX) {
            if before.start == time {
                return;
            }
            before.end = time.saturating_sub(1);
        }
        self.add(tid, Span { pid, start: time, end: i64::MAX, stated: time }, budget);
    }

    /// Adds the end of a thread.
    pub(super) fn stop(&mut self, at: Rundown, tid: u32, pid: u32, budget: &mut StateBudget) {
        let time = at.event.tick;
        if let Some(open) = self.open_of(at, tid, pid) {
            open.end = time;
            return;
        }
        let start = self.free_from(tid).min(time);
        self.add(tid, Span { pid, start, end: time, stated: time }, budget);
    }

    /// Adds a thread of a rundown.
    pub(super) fn exists(&mut self, at: Rundown, tid: u32, pid: u32, budget: &mut StateBudget) {
        self.rundown = true;
        let stated = at.event.tick;
        if let Some(open) = self.open_of(at, tid, pid) {
            open.stated = stated;
            return;
        }
        let start = self.free_from(tid);
        self.add(tid, Span { pid, start, end: i64::MAX, stated }, budget);
    }

    /// Adds a name that a thread has from a tick on.
    pub(super) fn name(&mut self, time: i64, tid: u32, name: &str, budget: &mut StateBudget) {
        let name = budget.shortened(name);
        if budget.take(ENTRY, name.len()) {
            self.names.entry(tid).or_default().push((time, name.into()));
        }
    }

    /// Returns the id of the process whose thread had this id at a tick, or was the last to have it.
    pub(crate) fn process(&self, tid: u32, time: i64) -> Option<u32> {
        self.span_at(tid, time).map(|span| span.pid)
    }

    /// The span that had begun last.
    fn span_at(&self, tid: u32, time: i64) -> Option<&Span> {
        let spans = self.by_tid.get(&tid)?;
        let started = spans.partition_point(|span| span.start <= time);
        spans.get(started.checked_sub(1)?)
    }

    /// Returns the tick at which the thread began that had this id at a tick, or was the last to have it; the first one if
    /// no event states it.
    pub(crate) fn start_at(&self, tid: u32, time: i64) -> i64 {
        self.span_at(tid, time).map_or(i64::MIN, |span| span.start)
    }

    /// Returns ticks around `time` at which [`Threads::process`] returns the same.
    #[cfg(feature = "output")]
    pub(crate) fn ticks_of_process(&self, tid: u32, time: i64) -> RangeInclusive<i64> {
        let spans = self.by_tid.get(&tid).map_or(&[][..], |spans| spans);
        let started = spans.partition_point(|span| span.start <= time);
        let start_of = |place: Option<usize>| place.and_then(|place| spans.get(place)).map(|span| span.start);
        let first = start_of(started.checked_sub(1)).unwrap_or(i64::MIN);
        // The next one begins after `time`, so there is a tick before it.
        first..=start_of(Some(started)).map_or(i64::MAX, |next| next.saturating_sub(1))
    }

    /// Returns why the thread has no known process at a tick; `None` if it has one.
    pub(super) fn why_unknown(&self, tid: Option<u32>, time: i64) -> Option<Unknown> {
        let Some(tid) = tid.and_then(known_id) else { return Some(Unknown::NoId) };
        if self.process(tid, time).is_some() {
            return None;
        }
        Some(match tid {
            _ if self.by_tid.contains_key(&tid) => Unknown::Later,
            0 => Unknown::Idle,
            _ => Unknown::never(self.by_tid.is_empty(), self.rundown),
        })
    }

    /// Returns the name that the thread had at a tick.
    pub(super) fn name_at(&self, tid: u32, time: i64) -> Option<&str> {
        let names = self.names.get(&tid)?;
        let given = names.partition_point(|(since, _)| *since <= time);
        names.get(given.checked_sub(1)?).map(|(_, name)| &**name).filter(|name| !name.is_empty())
    }

    /// Sorts by time, for lookups: a crafted trace may have very many threads of one id, in any order.
    pub(super) fn freeze(&mut self) {
        self.by_tid.values_mut().for_each(|spans| spans.sort_by_key(|span| span.start));
        for (tid, names) in &mut self.names {
            let spans = self.by_tid.get(tid).map_or(&[][..], |spans| spans);
            end_names(names, spans);
        }
    }

    /// Returns the number of thread ids that are known.
    pub fn len(&self) -> usize {
        self.by_tid.len()
    }

    /// Returns whether no thread is known.
    pub fn is_empty(&self) -> bool {
        self.by_tid.is_empty()
    }

    /// Returns the thread that has an id, if it is of a process. One of another process ends: its own end is in no session,
    /// or was lost, and the id is in use again.
    fn open_of(&mut self, at: Rundown, tid: u32, pid: u32) -> Option<&mut Span> {
        let open = self.last_mut(tid).filter(|span| span.end == i64::MAX)?;
        if open.pid == pid {
            return Some(open);
        }
        open.end = at.since(open.stated).tick.saturating_sub(1);
        None
    }

    /// Returns the tick from which nobody has the id.
    fn free_from(&mut self, tid: u32) -> i64 {
        let ended = self.last_mut(tid).map(|span| span.end);
        Lifetime::start_after(ended).unwrap_or(i64::MIN)
    }

    fn last_mut(&mut self, tid: u32) -> Option<&mut Span> {
        self.by_tid.get_mut(&tid)?.last_mut()
    }

    fn add(&mut self, tid: u32, span: Span, budget: &mut StateBudget) {
        if budget.take(ENTRY, 0) {
            self.by_tid.entry(tid).or_default().push(span);
        }
    }
}

/// Sorts the names of a thread id by time, and lets those of a thread end where the next one with the id begins.
fn end_names(names: &mut Vec<(i64, Box<str>)>, spans: &[Span]) {
    let Some(first) = names.iter().map(|(since, _)| *since).min() else { return };
    let next = spans.iter().map(|span| span.start).filter(|start| *start > first);
    // Before the names: that of a thread's start has the same tick.
    names.splice(..0, next.map(|start| (start, Box::default())));
    names.sort_by_key(|(since, _)| *since);
}

/// Bytes of a span or a name of a thread: a list for each thread, which has room for four when it has two.
const ENTRY: usize = entry_size::<(u32, SpansOfId)>(0) + 2 * size_of::<Span>();

#[cfg(test)]
mod tests {
    use super::super::timeline::Moment;
    use super::*;

    fn rundown(tick: i64, session: i64) -> Rundown {
        let at = |tick| Moment { tick, time: None };
        Rundown { event: at(tick), session: at(session) }
    }

    #[test]
    fn a_later_session_lists_the_next_thread_of_an_id() {
        let (mut all, mut budget) = (Threads::default(), StateBudget::default());
        for (tick, session, pid) in [(11, 10, 100), (19, 10, 100), (51, 50, 200), (59, 50, 200), (60, 50, 300)] {
            all.exists(rundown(tick, session), 3, pid, &mut budget);
        }
        let owners: Vec<_> = [0, 49, 50, 59, 60].iter().map(|tick| all.process(3, *tick)).collect();
        assert_eq!(owners, [Some(100), Some(100), Some(200), Some(200), Some(300)]);
    }

    #[test]
    fn a_thread_belongs_to_a_process_for_a_time() {
        let (mut all, mut budget) = (Threads::default(), StateBudget::default());
        all.exists(rundown(0, 0), 3, 100, &mut budget);
        all.stop(rundown(10, 0), 3, 100, &mut budget);
        all.start(20, 3, 200, &mut budget);
        let owners: Vec<_> = [i64::MIN, 10, 15, 20, 99].iter().map(|t| all.process(3, *t)).collect();
        assert_eq!(owners, [Some(100), Some(100), Some(100), Some(200), Some(200)]);
        assert_eq!(all.process(4, 0), None);
    }

    /// Its own end is in no session, or was lost.
    #[test]
    fn an_end_of_another_thread_is_not_of_the_one_that_runs() {
        for (session, first_of_other) in [(0, 20), (10, 10)] {
            let (mut all, mut budget) = (Threads::default(), StateBudget::default());
            all.start(1, 3, 100, &mut budget);
            all.stop(rundown(20, session), 3, 200, &mut budget);
            let owners = [1, first_of_other - 1, first_of_other, 20].map(|tick| all.process(3, tick));
            assert_eq!(owners, [Some(100), Some(100), Some(200), Some(200)]);
        }
    }

    #[test]
    fn the_process_is_the_same_at_all_ticks_that_are_stated() {
        let (mut all, mut budget) = (Threads::default(), StateBudget::default());
        all.start(10, 3, 100, &mut budget);
        all.stop(rundown(12, 0), 3, 100, &mut budget);
        all.start(20, 3, 200, &mut budget);
        for time in [i64::MIN, 9, 10, 12, 15, 19, 20, i64::MAX] {
            let ticks = all.ticks_of_process(3, time);
            assert!(ticks.contains(&time));
            for other in [*ticks.start(), *ticks.end()] {
                assert_eq!(all.process(3, other), all.process(3, time), "{time} {other}");
            }
        }
        assert_eq!([9, 10, 20].map(|time| all.ticks_of_process(3, time)), [i64::MIN..=9, 10..=19, 20..=i64::MAX]);
        assert_eq!(all.ticks_of_process(4, 0), i64::MIN..=i64::MAX);
    }

    #[test]
    fn a_name_is_not_that_of_the_next_thread_with_the_id() {
        let (mut all, mut budget) = (Threads::default(), StateBudget::default());
        all.start(10, 3, 100, &mut budget);
        all.name(12, 3, "first", &mut budget);
        all.stop(rundown(20, 0), 3, 100, &mut budget);
        all.start(30, 3, 200, &mut budget);
        all.start(40, 3, 300, &mut budget);
        all.name(40, 3, "third", &mut budget);
        all.freeze();
        let names = [11, 12, 25, 30, 39, 40].map(|tick| all.name_at(3, tick));
        assert_eq!(names, [None, Some("first"), Some("first"), None, None, Some("third")]);
    }

    #[test]
    fn an_end_alone_holds_for_all_the_time_before() {
        let (mut all, mut budget) = (Threads::default(), StateBudget::default());
        all.stop(rundown(10, 0), 3, 100, &mut budget);
        assert_eq!(all.process(3, -1), Some(100));
    }
}
