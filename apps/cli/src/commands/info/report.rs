//! The facts of one file, or of several read as one trace, for both forms of output.

use std::collections::{BTreeMap, HashMap};

use etwkit::FileId;
use etwkit::bytes::{Guid, Hex};
use etwkit::clock::Clock;
use etwkit::container::Head;
use etwkit::format::LogFileHeader;
use etwkit::input::Input;
use etwkit::system::{MachineFacts, StackJoins};
use etwkit::trace::{Counts, Trace, UndecodedTypes};
use etwkit::{FileTime, RawTime};
use etwkit::{Problem, Severity};
use etwkit_parsers::pdh::Counters;
use etwkit_parsers::wpp::{ReferencedPdb, ReferencedPdbs};
use etwkit_windows_analyses::machine_facts;
use sha2::{Digest, Sha256};

use crate::failure::Failure;
use crate::time_text::rfc3339;

use super::machines::{TracedMachine, machines};

/// What was read, after the first pass.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) trace: Trace,
    pub(super) sha256: Option<String>,
    counts: Counts,
    problems: Vec<Problem>,
    missing_symbols: Vec<ReferencedPdb>,
    undecoded_types: Vec<UndecodedTypes>,
    siblings: Vec<String>,
    stacks: Option<StackJoins>,
    counters: Counters,
    machine: MachineFacts,
    machines: Vec<TracedMachine>,
}

/// Kernel events of one group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HookGroup {
    pub(super) events: u64,
    /// Names of its events, those without a name by their hooks.
    pub(super) names: Vec<String>,
}

impl Report {
    /// The facts of a census; `damage` is what is wrong with the archives that its files came from.
    pub(super) fn new(trace: Trace, damage: impl IntoIterator<Item = Problem>) -> Self {
        let counts = match trace.files() {
            [_] => trace.counts(FileId::FIRST).cloned().unwrap_or_default(),
            _ => trace.counts_of_all(),
        };
        let problems = damage.into_iter().chain(trace.problems().iter().cloned()).chain(trace.changes()).collect();
        let missing_symbols = trace.finding().map(ReferencedPdbs::missing).unwrap_or_default();
        let counters = trace.finding::<Counters>().cloned().unwrap_or_default();
        let (undecoded_types, machine, machines) = (trace.undecoded_types(), machine_facts(&trace), machines(&trace));
        let (sha256, siblings, stacks) = <_>::default();
        Self {
            trace,
            sha256,
            counts,
            problems,
            missing_symbols,
            undecoded_types,
            siblings,
            stacks,
            counters,
            machine,
            machines,
        }
    }

    /// With the SHA-256 of the file, if that was asked.
    pub(super) fn with_hash(self, sha256: Option<String>) -> Self {
        Self { sha256, ..self }
    }

    /// With other files that seem to be of the same collection.
    pub(super) fn with_siblings(self, siblings: Vec<String>) -> Self {
        Self { siblings, ..self }
    }

    /// With how stacks and events were joined.
    pub(super) fn with_stacks(self, stacks: Option<StackJoins>) -> Self {
        Self { stacks, ..self }
    }

    /// How stacks and events were joined, if that was asked.
    pub(super) const fn stacks(&self) -> Option<&StackJoins> {
        self.stacks.as_ref()
    }

    /// The name of the file, or how many there are.
    pub(super) fn name(&self) -> String {
        match self.trace.files() {
            [file] => file.source.name().to_owned(),
            files => format!("{} files as one trace", files.len()),
        }
    }

    /// The names of all files.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.trace.files().iter().map(|file| file.source.name())
    }

    /// Whether several files are reported together.
    pub(super) fn is_together(&self) -> bool {
        self.trace.files().len() > 1
    }

    pub(super) fn bytes(&self) -> u64 {
        self.trace.files().iter().map(|file| file.source.len()).sum()
    }

    pub(super) const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// PDB files that WPP providers of the trace were built with, and that were not given.
    pub(super) fn missing_symbols(&self) -> &[ReferencedPdb] {
        &self.missing_symbols
    }

    /// What a performance log records.
    pub(super) const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The machine that recorded it.
    pub(super) const fn machine(&self) -> &MachineFacts {
        &self.machine
    }

    /// The machines that recorded the files, each from one boot to the next: one unless files are reported together.
    pub(super) fn machines(&self) -> &[TracedMachine] {
        &self.machines
    }

    /// What cannot be decoded.
    pub(super) fn undecoded_types(&self) -> &[UndecodedTypes] {
        &self.undecoded_types
    }

    /// Other files that seem to be of the same collection.
    pub(super) fn siblings(&self) -> &[String] {
        &self.siblings
    }

    pub(super) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The trace's header, unless it is damaged. Files that are reported together have one each: none is that of all.
    pub(super) fn log(&self) -> Option<&LogFileHeader> {
        self.head().map(|head| &head.log)
    }

    pub(super) fn clock(&self) -> Option<&Clock> {
        self.head().map(|head| &head.clock)
    }

    /// The session's start, or the first session's.
    pub(super) fn start(&self) -> Option<FileTime> {
        self.heads().filter_map(|(_, head)| head.clock.filetime(head.clock.zero())).min()
    }

    /// When the session, or the last session, was stopped; the time of the last event if the header does not state it.
    pub(super) fn end(&self) -> Option<FileTime> {
        self.trace.session_end()
    }

    /// Times of the earliest and the latest event.
    pub(super) fn span(&self) -> Option<(FileTime, FileTime)> {
        let time = |head: &Head, raw: Option<RawTime>| head.clock.filetime(raw?);
        let first = self.heads().filter_map(|(counts, head)| time(head, counts.first_time)).min()?;
        let last = self.heads().filter_map(|(counts, head)| time(head, counts.last_time)).max()?;
        Some((first, last))
    }

    /// Whether the events have the local time of the machine that recorded them: a performance log.
    pub(super) fn has_local_times(&self) -> bool {
        self.trace.has_local_times()
    }

    /// A time of [`Report::span`]: without a zone where it is local.
    pub(super) fn event_time(&self, time: FileTime) -> Option<String> {
        let text = rfc3339(time)?;
        Some(if self.has_local_times() { text.trim_end_matches('Z').to_owned() } else { text })
    }

    /// Units of 100 ns from start to end.
    pub(super) fn duration(&self) -> Option<i64> {
        self.end()?.0.checked_sub(self.start()?.0).filter(|units| *units >= 0)
    }

    /// Events and buffers that the sessions lost while they recorded.
    pub(super) fn lost(&self) -> (u64, u64) {
        (self.trace.events_lost(), self.trace.buffers_lost())
    }

    /// How many ranges could not be read, and their bytes: a byte that several problems are about counts once.
    pub(super) fn damage(&self) -> (u64, u64) {
        let damage = self.problems.iter().filter(|problem| problem.severity == Severity::Damage);
        let mut ranges: Vec<_> = damage.map(|p| (p.file, p.offset, p.offset.saturating_add(p.len))).collect();
        ranges.sort_unstable();
        (ranges.len() as u64 + self.trace.unlisted_damage(), covered(&ranges))
    }

    /// Why it is not known what the sessions lost: they write it down when they are stopped.
    pub(super) fn losses_unknown(&self) -> Option<&'static str> {
        if self.trace.files().iter().any(|file| file.head.is_missing()) {
            return Some("the session's header, which contains it, cannot be read");
        }
        let running = self.heads().any(|(_, head)| head.log.end_time.0 == 0);
        running.then_some("the session was not stopped, and reports it then")
    }

    /// Kernel events by group.
    pub(super) fn groups(&self) -> BTreeMap<u8, HookGroup> {
        let names = self.opcode_names();
        let mut groups: BTreeMap<u8, HookGroup> = BTreeMap::new();
        for (hook, events) in &self.counts.by_hook {
            let [group, opcode] = hook.to_be_bytes();
            let entry = groups.entry(group).or_default();
            entry.events += events;
            let name = names.get(&(etwkit::format::hook_guid(*hook), opcode));
            let name = name.map_or_else(|| format!("{hook:04x}"), |name| (*name).to_owned());
            if !entry.names.contains(&name) {
                entry.names.push(name);
            }
        }
        groups
    }

    /// The names of events by class and opcode, without that of their class. Of several versions the first one's.
    fn opcode_names(&self) -> HashMap<(Guid, u8), &str> {
        let mut names = HashMap::new();
        for row in self.trace.types() {
            if let Some(name) = row.name() {
                let name = name.rsplit('/').next().unwrap_or(name);
                names.entry((row.key().provider, row.key().opcode)).or_insert(name);
            }
        }
        names
    }

    /// The head of the only file.
    fn head(&self) -> Option<&Head> {
        self.heads().next().map(|(_, head)| head).filter(|_| !self.is_together())
    }

    /// Heads that are not damaged, with the counts of their files.
    fn heads(&self) -> impl Iterator<Item = (&Counts, &Head)> {
        let heads = self.trace.files_with_ids().filter(|(_, file)| !file.head.is_missing());
        heads.filter_map(|(number, file)| Some((self.trace.counts(number)?, &file.head)))
    }
}

/// Bytes in any of some ranges (file, start, end), which are sorted.
fn covered(ranges: &[(FileId, u64, u64)]) -> u64 {
    let (mut bytes, mut done) = (0, (FileId::FIRST, 0));
    for &(file, start, end) in ranges {
        let start = if done.0 == file { start.max(done.1) } else { start };
        if start < end {
            bytes += end - start;
            done = (file, end);
        }
    }
    bytes
}

/// SHA-256 of all bytes, in hexadecimal digits.
pub(super) fn sha256(source: &Input) -> Result<String, Failure> {
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

#[cfg(test)]
mod tests {
    use etwkit::FileId;

    #[test]
    fn a_byte_counts_once() {
        let covered = |ranges: &[(u16, u64, u64)]| {
            let of_files: Vec<_> = ranges.iter().map(|(file, start, end)| (FileId(*file), *start, *end)).collect();
            super::covered(&of_files)
        };
        assert_eq!(covered(&[]), 0);
        assert_eq!(covered(&[(0, 0, 10), (0, 0, 70), (0, 60, 80), (0, 61, 62), (0, 90, 91), (0, 91, 91)]), 81);
        assert_eq!(covered(&[(0, 0, 10), (1, 0, 10), (1, 5, 20)]), 30);
    }
}
