//! Microsoft's baselines whose traces are not at hand, line by line.
//!
//! A line has many values of its event. From them and from the schemas here this test makes an event with these values
//! and the length that the line states; what the line does not state is filled in. All events go into a trace, with
//! those that name their processes, threads and files, and with schemas where the real trace had its own. The baseline
//! of that trace must have the same lines.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, reason = "a test")]

mod candidate;
mod candidate_trace;
mod encode;
mod field_values;
mod in_trace_schema;
mod known_events;
mod line;
mod line_evidence;
// The views are not part of the public interface of the crate.
#[allow(unreachable_pub, dead_code, reason = "only the library uses all of it")]
#[path = "../../src/release.rs"]
mod release;
#[allow(dead_code, reason = "only the library uses all of it")]
#[path = "../../src/view.rs"]
mod view;
mod view_lookup;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use etwkit::input::Input;
use etwkit::trace::Trace;

use etwkit_baseline::{Options, write_baseline};

use candidate::Candidate;
use candidate_trace::CandidateTrace;
use known_events::KnownEvents;
use line::Line;
use view::ColumnSource;

/// Lines that are not made again, and why.
const REASONS: &str = include_str!("reasons.txt");

/// A computed field that depends on events which these baselines do not have: the runtime's name of a type. It is
/// shown, and not compared.
const LEFT_OUT: [&str; 1] = ["type_name"];

/// The baselines of net.4.0 are those of a release before generation 4 of heaps: no test of TraceEvent made them again.
const OLD: (&str, &str) = ("net.4.0.", "2020-04");

#[test]
fn lines_of_traces_that_are_not_at_hand() {
    let Some(files) = files() else { return };
    let mut tally = Tally::default();
    for file in &files {
        let is_old = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(OLD.0));
        check(&KnownEvents::new(if is_old { OLD.1 } else { "newest" }), file, &mut tally);
    }
    println!("{tally:?}");
    assert_eq!(tally.lines, 4720);
    let unexplained: Vec<_> =
        tally.others.iter().filter(|(event, count)| reasons().get(event.as_str()) != Some(count)).collect();
    assert!(unexplained.is_empty(), "lines that no reason explains: {unexplained:?}");
    let idle: Vec<_> = reasons().into_keys().filter(|event| !tally.others.contains_key(*event)).collect();
    assert!(idle.is_empty(), "reasons that nothing needs: {idle:?}");
}

#[test]
fn counts_are_of_the_events_that_have_lines() {
    let Some(files) = files() else { return };
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let mut shown: BTreeMap<String, u64> = BTreeMap::new();
        for line in text.lines().filter_map(|line| Line::parse(line.trim_start_matches('\u{feff}'))) {
            *shown.entry(line.name).or_default() += 1;
        }
        let counts = text.lines().filter_map(|line| line.strip_prefix("COUNT ")?.rsplit_once(':'));
        let counts: Vec<(String, u64)> = counts.map(|(name, count)| (name.to_owned(), number(count))).collect();
        // Ordinal order, which is that of our map; the first five of each kind.
        let five: Vec<(String, u64)> = counts.into_iter().map(|(name, count)| (name, count.min(5))).collect();
        assert_eq!(five, shown.into_iter().collect::<Vec<_>>(), "{}", file.display());
    }
}

/// A count, without what somebody added to lines of one event by hand.
fn number(count: &str) -> u64 {
    count.trim_end_matches("; ObjectSize=0").parse().unwrap()
}

/// How many lines were made again, and how.
#[derive(Debug, Default)]
struct Tally {
    lines: usize,
    /// With nothing in the header that the payload or other events contain.
    without_header: usize,
    /// With process and thread in the header.
    with_header: usize,
    /// The others by event.
    others: BTreeMap<String, usize>,
}

fn files() -> Option<Vec<PathBuf>> {
    let folder = etwkit_corpus::path("perfview/baselines-without-trace")?;
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    Some(files)
}

/// How many lines of an event have a reason.
fn reasons() -> HashMap<&'static str, usize> {
    let lines = REASONS.lines().filter(|line| !line.starts_with('#'));
    let reason = |line: &'static str| {
        let (count, rest) = line.split_once(' ')?;
        Some((rest.split_once(": ")?.0, count.parse().ok()?))
    };
    lines.map(|line| reason(line).unwrap()).collect()
}

type Tried<'l> = Vec<(&'l Line, &'l [Candidate])>;

fn check(known: &KnownEvents, file: &Path, tally: &mut Tally) {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines: Vec<Line> = text.trim_start_matches('\u{feff}').lines().filter_map(Line::parse).collect();
    assert_eq!(lines.len(), text.lines().filter(|line| line.contains("EVENT ")).count(), "{}", file.display());
    lines.sort_by_key(|line| line.micros);
    let build = lines.iter().flat_map(Line::pairs).find(|(name, _)| name == "ProviderVersion").unwrap().1;
    let build = build.replace(',', "").parse().unwrap();
    known
        .signed
        .set(lines.iter().any(|line| line.name == "PerfView/ClrEnableParameters" && !line.text.contains("=0x")));
    let tries: Vec<_> = lines.iter().map(|line| known.candidates(line, candidate_trace::now(line))).collect();
    let all: Tried<'_> = lines.iter().zip(tries.iter().map(Vec::as_slice)).collect();
    tally.lines += all.len();
    let (left, _) = again(known, build, &all, true);
    tally.without_header += all.len() - left.len();
    let (rest, ours) = again(known, build, &left, false);
    tally.with_header += left.len() - rest.len();
    for (line, candidates) in rest {
        report(line, candidates.len(), &ours);
        *tally.others.entry(line.name.clone()).or_default() += 1;
    }
}

/// The lines that are not made again by a trace of candidates without ids in the header, or of the others; and its
/// text.
fn again<'l>(known: &KnownEvents, build: u32, lines: &Tried<'l>, nobodys: bool) -> (Tried<'l>, String) {
    let mut trace = CandidateTrace::new(build);
    for (line, candidates) in lines {
        let some = candidates.iter().filter(|candidate| candidate.is_nobodys() == nobodys);
        trace.add(line, &some.cloned().collect::<Vec<_>>());
    }
    let ours = ours(trace.build(), known.release);
    let mut left: HashMap<String, usize> = HashMap::new();
    for line in ours.lines() {
        *left.entry(masked(known, line)).or_default() += 1;
    }
    let is_missing = |(line, _): &(&Line, _)| match left.get_mut(&masked(known, &line.text)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    (lines.iter().copied().filter(is_missing).collect(), ours)
}

/// A line and what is most like it.
fn report(line: &Line, candidates: usize, ours: &str) {
    println!("THEIRS, of {candidates} candidates: {}", line.text);
    let pieces: HashSet<&str> = line.text.split("; ").collect();
    let at = format!("{}: ", line.text.split(": ").next().unwrap_or_default());
    let alike = |ours: &&str| ours.split("; ").filter(|piece| pieces.contains(piece)).count();
    let nearest = ours.lines().filter(|ours| ours.starts_with(&at)).max_by_key(alike);
    println!("  OURS   {nearest:?}");
}

/// The line without the values that are not compared.
fn masked(known: &KnownEvents, text: &str) -> String {
    let Some(line) = Line::parse(text) else { return text.to_owned() };
    let mut masked = line.text;
    let columns = known.seen_as(&line.name).into_iter().flat_map(|(_, columns)| columns);
    for column in columns {
        if matches!(&column.source, ColumnSource::Call(name, _) if LEFT_OUT.contains(&&**name))
            && let Some(from) = masked.find(&format!("; {}=", column.name)).map(|at| at + 3 + column.name.len())
            && let Some(len) = masked.get(from..).and_then(|rest| rest.find("; "))
        {
            masked.replace_range(from..from + len, "*");
        }
    }
    masked
}

fn ours(bytes: Vec<u8>, release: &str) -> String {
    let trace = Trace::open(Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap();
    let mut out = Vec::new();
    let options = Options::default().per_type(u64::MAX).compat(true).release(release.parse().unwrap());
    write_baseline(&trace, &options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
