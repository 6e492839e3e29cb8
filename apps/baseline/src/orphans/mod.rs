//! Microsoft's baselines whose traces are not at hand, line by line.
//!
//! A line tells much of the event that it was made of: from its values and from the schemas here an event is made that
//! gives them, of the length that the line tells; what the line does not tell is filled in. All go into a trace, with the
//! events that name their processes, threads and files, and the whole way from trace to text must give the line again.

mod candidate;
mod encode;
mod given;
mod line;
mod told;
mod world;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use etwkit::source::Source;
use etwkit::trace::Trace;

use crate::view::Source as From;
use crate::{Options, write_baseline};
use candidate::{Candidate, Known};
use line::Line;
use world::World;

#[test]
fn lines_of_traces_that_are_not_at_hand() {
    let Some(folder) = etwkit_corpus::path("perfview/baselines-without-trace") else { return };
    let known = Known::new();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut total: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        check(&known, &file, &mut total);
    }
    println!("{total:?}");
}

fn check(known: &Known, file: &Path, total: &mut BTreeMap<&'static str, usize>) {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines: Vec<Line> = text.trim_start_matches('\u{feff}').lines().filter_map(Line::parse).collect();
    assert_eq!(lines.len(), text.lines().filter(|line| line.contains("EVENT ")).count(), "{}", file.display());
    lines.sort_by_key(|line| line.micros);
    let build = lines.iter().flat_map(Line::pairs).find(|(name, _)| name == "ProviderVersion").unwrap().1;
    let build = build.replace(',', "").parse().unwrap();
    known.signed.set(lines.iter().any(|line| line.name == "PerfView/ClrEnableParameters" && !line.text.contains("=0x")));
    let tries: Vec<_> = lines.iter().map(|line| known.candidates(line, world::now(line))).collect();
    // First with payloads that tell what headers do not; then the lines that are left with the ids in the header.
    let mut left: Vec<(&Line, &[Candidate])> = lines.iter().zip(tries.iter().map(Vec::as_slice)).collect();
    for (strength, nobodys) in [("whole, nobody's header", true), ("whole", false)] {
        let mut world = World::new(build);
        for (line, candidates) in &left {
            let some: Vec<Candidate> =
                candidates.iter().filter(|candidate| candidate.is_nobodys() == nobodys).cloned().collect();
            world.add(line, &some);
        }
        let ours = ours(world.trace());
        let before = left.len();
        left = unmade(known, left, &ours);
        *total.entry(strength).or_default() += before - left.len();
        if !nobodys {
            report(&left, &ours);
        }
    }
    *total.entry("differ").or_default() += left.len();
}

/// The lines that are not among ours.
fn unmade<'l>(
    known: &Known,
    lines: Vec<(&'l Line, &'l [Candidate])>,
    ours: &str,
) -> Vec<(&'l Line, &'l [Candidate])> {
    let mut left: HashMap<String, usize> = HashMap::new();
    for line in ours.lines() {
        *left.entry(masked(known, line)).or_default() += 1;
    }
    let is_made = |line: &Line| {
        let count = left.get_mut(&masked(known, &line.text)).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    };
    let mut is_made = is_made;
    lines.into_iter().filter(|(line, _)| !is_made(line)).collect()
}

fn report(left: &[(&Line, &[Candidate])], ours: &str) {
    for (line, candidates) in left {
        println!("THEIRS {} {}", candidates.len(), line.text);
        let pieces: HashSet<&str> = line.text.split("; ").collect();
        let at = format!("{}: ", line.text.split(": ").next().unwrap());
        let alike = |ours: &&str| ours.split("; ").filter(|piece| pieces.contains(piece)).count();
        let nearest = ours.lines().filter(|ours| ours.starts_with(&at)).max_by_key(alike);
        println!("  OURS   {nearest:?}");
    }
}

/// The line without the values of fields that other events tell which the baseline does not have.
fn masked(known: &Known, text: &str) -> String {
    const LEFT_OUT: [&str; 2] = ["disk_service", "type_name"];
    let Some(line) = Line::parse(text) else { return text.to_owned() };
    let mut masked = text.to_owned();
    let columns = known.seen_as(&line.name).into_iter().flat_map(|(_, columns)| columns);
    for column in columns {
        if matches!(&column.source, From::Call(name, _) if LEFT_OUT.contains(&&**name))
            && let Some(from) = masked.find(&format!("; {}=", column.name)).map(|at| at + 3 + column.name.len())
            && let Some(len) = masked.get(from..).and_then(|rest| rest.find("; "))
        {
            masked.replace_range(from..from + len, "*");
        }
    }
    masked
}

fn ours(bytes: Vec<u8>) -> String {
    let source = Source::bytes("made", bytes);
    let census = Trace::open(source, etwkit_parsers::standard()).unwrap().census().unwrap();
    let mut out = Vec::new();
    write_baseline(&census, &Options { per_type: u64::MAX, compat: true }, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
