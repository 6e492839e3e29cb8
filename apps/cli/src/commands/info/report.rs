//! The facts of one file, for both forms of output.

use std::collections::BTreeMap;

use etwkit::bytes::Hex;
use etwkit::clock::Clock;
use etwkit::container::Head;
use etwkit::format::LogFileHeader;
use etwkit::source::Source;
use etwkit::state::StackJoins;
use etwkit::trace::{Census, Counts};
use etwkit::{Problem, Severity};
use etwkit_parsers::Asked;
use etwkit_parsers::pdh::Counters;
use etwkit_parsers::wpp::WantedPdb;
use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// One file after the first pass.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) census: Census,
    pub(super) sha256: Option<String>,
    counts: Counts,
    problems: Vec<Problem>,
    missing_symbols: Vec<WantedPdb>,
    stacks: Option<StackJoins>,
    counters: Counters,
}

/// Kernel events of one group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) events: u64,
    /// Opcodes of its hooks.
    pub(super) hooks: Vec<u16>,
}

impl Report {
    /// The facts of the census' only file; `damage` is what is wrong with the archive it came from.
    pub(super) fn new(census: Census, damage: Option<&Problem>, sha256: Option<String>, asked: &Asked) -> Self {
        let counts = census.counts(0).cloned().unwrap_or_default();
        let problems = damage.into_iter().chain(census.problems()).cloned().collect();
        let (missing_symbols, counters) = (asked.symbols.missing(), asked.counters.clone());
        Self { census, sha256, counts, problems, missing_symbols, stacks: None, counters }
    }

    /// With how stacks and events were joined.
    pub(super) fn with_stacks(self, stacks: Option<StackJoins>) -> Self {
        Self { stacks, ..self }
    }

    /// How stacks and events were joined, if that was asked.
    pub(super) const fn stacks(&self) -> Option<&StackJoins> {
        self.stacks.as_ref()
    }

    pub(super) fn name(&self) -> &str {
        self.census.files().first().map_or("", |file| file.source.name())
    }

    pub(super) fn bytes(&self) -> u64 {
        self.census.files().first().map_or(0, |file| file.source.len())
    }

    pub(super) const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// PDB files that WPP providers of the trace were built with, and that were not given.
    pub(super) fn missing_symbols(&self) -> &[WantedPdb] {
        &self.missing_symbols
    }

    /// What a performance log records.
    pub(super) const fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(super) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The trace's header, unless it is damaged.
    pub(super) fn log(&self) -> Option<&LogFileHeader> {
        self.head().map(|head| &head.log)
    }

    pub(super) fn clock(&self) -> Option<&Clock> {
        self.head().map(|head| &head.clock)
    }

    /// FILETIME of the session's start.
    pub(super) fn start(&self) -> Option<i64> {
        let clock = self.clock()?;
        clock.filetime(clock.zero())
    }

    /// FILETIME at which the session was stopped; of its last event if that is not told.
    pub(super) fn end(&self) -> Option<i64> {
        match self.log()?.end_time {
            0 => self.clock()?.filetime(self.counts.last_time?),
            end => Some(end),
        }
    }

    /// FILETIMEs of the earliest and the latest event.
    pub(super) fn span(&self) -> Option<(i64, i64)> {
        let clock = self.clock()?;
        Some((clock.filetime(self.counts.first_time?)?, clock.filetime(self.counts.last_time?)?))
    }

    /// Units of 100 ns from start to end.
    pub(super) fn duration(&self) -> Option<i64> {
        self.end()?.checked_sub(self.start()?).filter(|units| *units >= 0)
    }

    /// Events and buffers that the session lost while it recorded.
    pub(super) fn lost(&self) -> (u32, u32) {
        self.log().map_or((0, 0), |log| (log.events_lost, log.buffers_lost))
    }

    /// How many ranges could not be read, and their bytes.
    pub(super) fn damage(&self) -> (u64, u64) {
        let damage = self.problems.iter().filter(|problem| problem.severity == Severity::Damage);
        let (ranges, bytes) = damage.fold((0, 0_u64), |(n, bytes), p| (n + 1, bytes.saturating_add(p.len)));
        (ranges + self.census.unlisted_problems(), bytes)
    }

    /// Kernel events by group.
    pub(super) fn groups(&self) -> BTreeMap<u8, Group> {
        let mut groups: BTreeMap<u8, Group> = BTreeMap::new();
        for (hook, events) in &self.counts.by_hook {
            let [group, _] = hook.to_be_bytes();
            let entry = groups.entry(group).or_default();
            entry.events += events;
            entry.hooks.push(*hook);
        }
        groups
    }

    fn head(&self) -> Option<&Head> {
        self.census.files().first().map(|file| &file.head).filter(|head| !head.is_missing())
    }
}

/// SHA-256 of all bytes, in hexadecimal digits.
pub(super) fn sha256(source: &Source) -> Result<String, Failure> {
    const WINDOW: usize = 1 << 20;
    let mut hash = Sha256::new();
    let mut scratch = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let bytes = source.window(at, WINDOW, &mut scratch)?;
        if bytes.is_empty() {
            break;
        }
        hash.update(bytes);
        at += bytes.len() as u64;
    }
    Ok(Hex(&hash.finalize()).to_string())
}
