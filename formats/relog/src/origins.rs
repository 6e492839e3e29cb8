//! Files that are copies of one trace, as `--split` makes them: what they share is in a copy of them once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use etwkit::FileId;
use etwkit::event::RawEvent;
use etwkit::trace::{Filter, Glob, Losses, Order, TraceFile};
use etwkit::{FileTime, RawTime, Trace};

use crate::error::Result;
use crate::note::{PROVIDER, source};

/// Which files are copies of the same trace.
#[derive(Debug)]
pub(crate) struct Origins {
    /// The group of each file; `None` for one that is like no other.
    groups: Vec<Option<usize>>,
}

/// What copies of one trace have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Origin {
    source: Vec<u8>,
    session: String,
    start: FileTime,
    boot: FileTime,
    zero: RawTime,
    lost: (u32, u32),
}

impl Origins {
    /// Looks for the notes that files are copies. Files without one are like no other.
    pub(crate) fn new(trace: &Trace) -> Result<Self> {
        let mut sources: Vec<Option<Vec<u8>>> = vec![None; trace.files().len()];
        let has_notes = trace.types().iter().any(|row| row.key().provider == PROVIDER);
        if sources.len() > 1 && has_notes {
            let notes = Filter::default().providers([Glob::new(&PROVIDER.to_string())]);
            let mut events = trace.events_in(Order::Time, &notes);
            while let Some(event) = events.next_raw()? {
                // A copy of a copy has the older note after its own.
                if let Some(known @ None) = sources.get_mut(event.place().file.index()) {
                    *known = source(&event).map(<[u8]>::to_vec);
                }
            }
        }
        let origins = trace.files().iter().zip(sources).map(|(file, source)| source.and_then(|it| origin(file, it)));
        Ok(Self { groups: groups(origins.collect()) })
    }

    /// Returns the group of a file; `None` for one that is like no other.
    pub(crate) fn group(&self, file: FileId) -> Option<usize> {
        self.groups.get(file.index()).copied().flatten()
    }

    /// Adds up what was lost: of copies of one trace once.
    pub(crate) fn losses(&self, trace: &Trace) -> (u32, u32) {
        let sum = |lost: fn(Losses) -> u64| {
            let mut counted = BTreeSet::new();
            let files = trace.files_with_ids().zip(&self.groups);
            let first = files.filter(|(_, group)| group.is_none_or(|group| counted.insert(group)));
            let sum = first.fold(0, |sum: u64, ((id, _), _)| sum.saturating_add(lost(trace.losses(id))));
            u32::try_from(sum).unwrap_or(u32::MAX)
        };
        (sum(|losses| losses.events), sum(|losses| losses.buffers))
    }
}

fn origin(file: &TraceFile, source: Vec<u8>) -> Option<Origin> {
    let (log, clock) = (&file.head.log, &file.head.clock);
    let lost = (log.events_lost, log.buffers_lost);
    let (session, start, boot) = (log.session.clone(), log.start_time, log.boot_time);
    (!file.head.is_missing()).then(|| Origin { source, session, start, boot, zero: clock.zero(), lost })
}

/// Numbers the origins that several files have.
fn groups(origins: Vec<Option<Origin>>) -> Vec<Option<usize>> {
    let mut numbers: BTreeMap<Origin, (usize, usize)> = BTreeMap::new();
    for origin in origins.iter().flatten() {
        let next = numbers.len();
        numbers.entry(origin.clone()).or_insert((next, 0)).1 += 1;
    }
    let number =
        |origin: Option<Origin>| numbers.get(&origin?).filter(|(_, files)| *files > 1).map(|(number, _)| *number);
    origins.into_iter().map(number).collect()
}

/// Finds the events that several copies of one trace have. Those of one time and processor come file by file.
///
/// An event of the trace is the one of another copy if time, processor and all bytes are equal. What the trace has twice
/// is in each copy twice, as the bytes decide what is copied; so as many stay as the copy with most of them has.
#[derive(Debug)]
pub(crate) struct Repeats {
    origins: Origins,
    now: Option<(RawTime, u16)>,
    known: HashMap<(usize, Vec<u8>), Known>,
    /// Bytes of `known`.
    bytes: usize,
}

/// An event of this time.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// How often it was taken.
    taken: u32,
    /// The file that was read last, and how often it has it.
    file: FileId,
    times: u32,
}

/// Events of one time and processor that are compared, in bytes; what is beyond is taken.
const MOST_BYTES: usize = 64 << 20;

impl Repeats {
    pub(crate) fn new(origins: Origins) -> Self {
        Self { origins, now: None, known: HashMap::new(), bytes: 0 }
    }

    /// Returns whether the next event, in order of time, was taken from another copy.
    pub(crate) fn has(&mut self, event: &RawEvent<'_>) -> bool {
        let file = event.place().file;
        let Some(group) = self.origins.group(file) else { return false };
        let now = Some((event.time(), event.processor()));
        if self.now != now {
            self.now = now;
            self.known.clear();
            self.bytes = 0;
        }
        if self.bytes > MOST_BYTES {
            return false;
        }
        self.bytes += event.bytes().len();
        let known = self.known.entry((group, event.bytes().to_vec())).or_default();
        if known.file != file {
            (known.file, known.times) = (file, 0);
        }
        known.times += 1;
        let is_repeated = known.times <= known.taken;
        known.taken = known.taken.max(known.times);
        is_repeated
    }
}
