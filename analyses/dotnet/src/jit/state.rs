//! The compilations of one process.

use std::collections::{BTreeMap, HashMap, HashSet};

use etwkit::FileTime;
use etwkit_analysis::Excess;
use etwkit_kernel_analyses::ProcessKey;

use crate::origin::milliseconds;

use super::fact::{JitFact, What};
use super::kind::{Kind, Tier};

/// A compilation.
#[derive(Clone, Debug)]
pub(super) struct Compilation {
    pub(super) name: Box<str>,
    pub(super) tid: u32,
    /// When its code was there.
    pub(super) end: FileTime,
    /// Milliseconds that it took, with those of methods that were compiled for it; `None` if its start is not in the
    /// trace.
    pub(super) time: Option<f64>,
    /// Bytes of intermediate language, which its start states.
    pub(super) il_bytes: Option<u32>,
    pub(super) native_bytes: u32,
    /// Bytes that were allocated for its code; `None` if no event states them.
    pub(super) allocated: Option<u64>,
    pub(super) kind: Kind,
    pub(super) tier: Tier,
}

/// A compilation that was begun.
#[derive(Clone, Copy, Debug)]
struct Begun {
    method: u64,
    start: FileTime,
    il_bytes: u32,
    allocated: Option<u64>,
    is_chosen: bool,
}

/// The compilations of one process.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Those that count.
    pub(super) list: Vec<Compilation>,
    /// What was begun on each thread.
    open: HashMap<u32, Vec<Begun>>,
    /// Methods that were compiled.
    known: HashSet<u64>,
    /// Threads that compile in advance.
    multicore: HashSet<u32>,
    excess: Excess,
}

/// The state of each process, with its name.
pub(super) type Processes = BTreeMap<ProcessKey, (Option<Box<str>>, State)>;

/// Compilations of a process that are kept.
const MOST: usize = 1 << 22;
/// Compilations that a thread may have begun and not ended.
const MOST_OPEN: usize = 256;

/// Returns how many things had no room.
pub(super) fn excess(processes: &Processes) -> u64 {
    processes.values().map(|(_, state)| state.excess.count()).sum()
}

/// Takes what an event states.
pub(super) fn take(processes: &mut Processes, fact: JitFact, is_chosen: bool) {
    let (name, state) = processes.entry(fact.origin.process).or_default();
    *name = name.take().or(fact.origin.name);
    let (tid, time) = (fact.origin.tid, fact.origin.time);
    match fact.what {
        What::Start { method, il_bytes } => {
            state.start(tid, Begun { method, start: time, il_bytes, allocated: None, is_chosen });
        }
        What::Allocated { method, bytes } => state.allocated(tid, method, bytes),
        What::Loaded { method, name, native_bytes, tier } => {
            state.loaded(method, (tid, time, is_chosen), (name, native_bytes, tier));
        }
        What::OfMulticore => {
            if state.multicore.contains(&tid) || state.excess.admits(state.multicore.len(), MOST) {
                state.multicore.insert(tid);
            }
        }
    }
}

impl State {
    fn start(&mut self, tid: u32, begun: Begun) {
        if !self.open.contains_key(&tid) && !self.excess.admits(self.open.len(), MOST) {
            return;
        }
        let open = self.open.entry(tid).or_default();
        if self.excess.admits(open.len(), MOST_OPEN) {
            open.push(begun);
        }
    }

    fn allocated(&mut self, tid: u32, method: u64, bytes: u64) {
        let open = self.open.get_mut(&tid).and_then(|open| open.iter_mut().rfind(|begun| begun.method == method));
        if let Some(begun) = open {
            begun.allocated = Some(begun.allocated.unwrap_or(0).saturating_add(bytes));
        }
    }

    fn loaded(
        &mut self,
        method: u64,
        (tid, end, is_chosen): (u32, FileTime, bool),
        (name, native_bytes, tier): (Box<str>, u32, Tier),
    ) {
        if !self.excess.admits(self.known.len(), MOST) {
            return;
        }
        // Those that were begun later on the thread and have no end were given up.
        let begun = self.open.get_mut(&tid).and_then(|open| {
            let place = open.iter().rposition(|begun| begun.method == method)?;
            open.drain(place..).next()
        });
        let kind = Kind::of(tier, (self.known.insert(method), self.multicore.contains(&tid)));
        let is_counted = begun.map_or(is_chosen, |begun| begun.is_chosen);
        if !is_counted || !self.excess.admits(self.list.len(), MOST) {
            return;
        }
        let time = begun.map(|begun| milliseconds(begun.start, end));
        let (il_bytes, allocated) = begun.map_or((None, None), |begun| (Some(begun.il_bytes), begun.allocated));
        self.list.push(Compilation { name, tid, end, time, il_bytes, native_bytes, allocated, kind, tier });
    }
}
