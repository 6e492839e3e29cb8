//! The compilations of one process.

use std::collections::{BTreeMap, HashMap};

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::ProcessKey;

use crate::origin::{NATIVE, Origin, RUNTIME, milliseconds};

const IDS: &[u16] = &[143, 145];
const EVENTS: &[(Guid, &[u16])] = &[(RUNTIME, IDS), (NATIVE, IDS)];

pub(super) const INTEREST: Interest = Interest {
    manifest: EVENTS,
    classic: &[],
    need: Need::Keywords("Microsoft-Windows-DotNETRuntime with the keyword Jit (0x10), level 5"),
};

/// Of the flags of a method: its code was compiled, not read from an image.
const JITTED: u32 = 8;

/// What an event says, and who wrote it.
#[derive(Clone, Debug)]
pub struct JitFact {
    pub(super) origin: Origin,
    method: u64,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Start { il_bytes: u32 },
    Loaded { name: Box<str>, native_bytes: u32 },
}

/// A compilation.
#[derive(Clone, Debug)]
pub(super) struct Compilation {
    pub(super) name: Box<str>,
    pub(super) tid: u32,
    /// When its code was there.
    pub(super) end: FileTime,
    /// Milliseconds that it took, with those of methods that were compiled for it; 0 if its start is not in the trace.
    pub(super) time: f64,
    pub(super) il_bytes: u32,
    pub(super) native_bytes: u32,
}

/// The compilations of one process.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) list: Vec<Compilation>,
    /// What was begun on each thread: method, time, bytes of its code.
    open: HashMap<u32, Vec<(u64, FileTime, u32)>>,
}

/// The state of each process, with its name.
pub(super) type Processes = BTreeMap<ProcessKey, (Option<Box<str>>, State)>;

/// Compilations of a process that are kept, and those that a thread may have begun.
const MOST: usize = 1 << 22;
const MOST_OPEN: usize = 256;

/// Takes what an event says.
pub(super) fn take(processes: &mut Processes, fact: JitFact) {
    let (name, state) = processes.entry(fact.origin.process).or_default();
    *name = name.take().or(fact.origin.name);
    let (tid, time) = (fact.origin.tid, fact.origin.time);
    match fact.what {
        What::Start { il_bytes } => state.start(fact.method, (tid, time), il_bytes),
        What::Loaded { name, native_bytes } => state.loaded(fact.method, (tid, time), name, native_bytes),
    }
}

impl State {
    fn start(&mut self, method: u64, (tid, time): (u32, FileTime), il_bytes: u32) {
        let open = self.open.entry(tid).or_default();
        if open.len() < MOST_OPEN {
            open.push((method, time, il_bytes));
        }
    }

    fn loaded(&mut self, method: u64, (tid, end): (u32, FileTime), name: Box<str>, native_bytes: u32) {
        if self.list.len() >= MOST {
            return;
        }
        let open = self.open.entry(tid).or_default();
        let place = open.iter().rposition(|(known, ..)| *known == method);
        // Those that were begun later on the thread and have no end were given up.
        let begun = place.and_then(|place| open.drain(place..).next());
        let (time, il_bytes) = begun.map_or((0.0, 0), |(_, start, il_bytes)| (milliseconds(start, end), il_bytes));
        self.list.push(Compilation { name, tid, end, time, il_bytes, native_bytes });
    }
}

impl JitFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let number = |name: &str| event.get::<u32>(name).ok();
        let what = if event.raw().id() == 145 {
            What::Start { il_bytes: number("MethodILSize")? }
        } else if number("MethodFlags")? & JITTED != 0 {
            let text = |name: &str| event.get::<String>(name).unwrap_or_default();
            let name = format!("{}.{}", text("MethodNamespace"), text("MethodName"));
            What::Loaded { name: name.into(), native_bytes: number("MethodSize")? }
        } else {
            return None;
        };
        Some(Self { origin: Origin::of(event)?, method: event.get("MethodID").ok()?, what })
    }
}
