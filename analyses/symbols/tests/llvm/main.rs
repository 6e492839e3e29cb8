//! Names, files and lines of the PDB files of the corpus are those that `llvm-symbolizer` finds.
//!
//! Expectations are made at test time, for addresses in all functions of the files. Versions 14 and 19 of
//! `llvm-symbolizer` are wrong in some cases. Where it differs, `llvm-pdbutil dump`, which prints the records of the file,
//! must agree with us. The cases:
//!
//! * Inlined functions of MSVC are missing, or have the line of another range; it crashes if they are of other modules.
//! * A line of an inlined function counts from the code before it.
//! * Of functions that were folded, or have lines of several files, it takes lines of another function or file.
//! * C functions of x86 lose an underscore that is part of their name.
//! * Anonymous namespaces stay decorated in names of inlined functions.
//! * Code of a hidden line has the number that marks it, 15,732,480.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

mod case;
mod dump;
#[path = "../common/pe.rs"]
mod pe;
mod symbolizer;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use case::{CASES, Case, Line};
use dump::{Dump, Site};
use etwkit::bytes::Guid;
use etwkit_symbols::{Module, PdbId, Provenance, SearchPath, Symbolizer};

#[test]
fn frames_are_those_of_llvm() {
    let Some(folder) = etwkit_corpus::path("symbols") else { return };
    let Some(program) = symbolizer::program() else {
        return etwkit_corpus::skipped("no llvm-symbolizer (Debian package llvm)");
    };
    let mut counts = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in &CASES {
        check(program, &folder, case, &mut counts, &mut wrong);
    }
    eprintln!("{program}: {counts:#?}");
    wrong.iter().take(20).for_each(|text| eprintln!("{text}"));
    assert!(wrong.is_empty(), "{} addresses", wrong.len());
    let (all, same) = (counts.values().sum::<u32>(), counts["the same"]);
    assert!(all >= 10_000 && same * 100 >= all * 85, "{same} of {all} are the same");
}

fn check(program: &str, folder: &Path, case: &Case, counts: &mut BTreeMap<&str, u32>, wrong: &mut Vec<String>) {
    let dump = Dump::of(&folder.join(case.pdb));
    let spread = |(start, size): &(u32, u32)| (*start..start + size).step_by((size / case.each).max(1) as usize);
    let mut rvas: Vec<u32> = dump.functions.iter().flat_map(spread).collect();
    rvas.sort_unstable();
    rvas.dedup();
    let expected = symbolizer::frames(program, folder, case, &rvas, &[]);
    let outermost = symbolizer::frames(program, folder, case, &rvas, &["--no-inlines"]);
    let mut ours = Symbolizer::new(SearchPath::new().folder(folder));
    let module = ours.module(&Module::new("x").pdb(PdbId::new(case.pdb, Guid::from_u128(case.guid), 1)));
    let mut found = Vec::new();
    for rva in &rvas {
        let frames = ours.frames(module, *rva);
        assert_eq!(frames.provenance, Provenance::Pdb, "{rva:#x}");
        found.push(frames.frames.iter().map(Line::from).collect::<Vec<_>>());
    }
    let opinion = SecondOpinion::new(&dump, &rvas, &found);
    for (number, rva) in rvas.iter().enumerate() {
        let (found, expected) = (&found[number], &expected[number]);
        let crashed = expected.is_empty();
        let expected = if crashed { &outermost[number] } else { expected };
        let verdict = if found == expected { Some("the same") } else { opinion.judge(*rva, found, expected) };
        let verdict = verdict.map(|verdict| if crashed { "inlined: llvm-symbolizer crashes" } else { verdict });
        match verdict {
            Some(verdict) => *counts.entry(verdict).or_default() += 1,
            None => wrong.push(format!("{} {rva:#x}: ours {found:#?}, llvm {expected:#?}", case.pdb)),
        }
    }
}

/// What `llvm-pdbutil` prints of the addresses.
struct SecondOpinion<'d> {
    dump: &'d Dump,
    /// The first line of inlined functions, as most addresses have it: annotations count from it.
    bases: HashMap<(&'d (String, String), String), i64>,
}

impl<'d> SecondOpinion<'d> {
    fn new(dump: &'d Dump, rvas: &[u32], found: &[Vec<Line>]) -> Self {
        let mut votes: HashMap<_, HashMap<i64, u32>> = HashMap::new();
        for (rva, found) in rvas.iter().zip(found) {
            for frame in found.iter().rev().skip(1).filter(|frame| frame.number != 0) {
                for (inlinee, line) in sites(dump, *rva, &frame.function) {
                    let votes = votes.entry((inlinee, frame.function.clone())).or_default();
                    *votes.entry(i64::from(frame.number) - line).or_default() += 1;
                }
            }
        }
        let most = |votes: HashMap<i64, u32>| votes.into_iter().max_by_key(|(base, count)| (*count, -base)).unwrap().0;
        Self { dump, bases: votes.into_iter().map(|(inlinee, votes)| (inlinee, most(votes))).collect() }
    }

    /// Returns why our frames are right and others are not; `None` if they are not right.
    fn judge(&self, rva: u32, found: &[Line], expected: &[Line]) -> Option<&'static str> {
        if found.iter().zip(expected).all(|(ours, theirs)| is_stripped(ours, theirs)) && found.len() == expected.len() {
            return Some("an underscore of a name is missing");
        }
        let (ours, inner) = found.split_last()?;
        let (theirs, expected_inner) = expected.split_last()?;
        let moved = Line { file: ours.file.clone(), number: ours.number, ..theirs.clone() };
        if !is_stripped(ours, &moved) || !inner.iter().all(|frame| self.is_inlined(rva, frame)) {
            return None;
        }
        if (&ours.file, ours.number) != (&theirs.file, theirs.number) {
            return self.dump.has_line(rva, ours.number).then_some("line of another function or file, or hidden");
        }
        let functions = |frames: &[Line]| frames.iter().map(|frame| frame.function.clone()).collect::<Vec<_>>();
        if inner.len() != expected_inner.len() {
            return Some("inlined functions are missing");
        }
        let same = functions(inner) == functions(expected_inner);
        Some(if same { "line of an inlined function" } else { "anonymous namespace" })
    }

    /// Whether a call of a function is inlined at an address, and its line is that of the annotations.
    fn is_inlined(&self, rva: u32, frame: &Line) -> bool {
        let line = |(inlinee, line): (&(String, String), i64)| {
            self.bases.get(&(inlinee, frame.function.clone())).map(|base| base + line)
        };
        let mut lines = sites(self.dump, rva, &frame.function).map(line);
        // Line 0 stands for itself.
        lines.any(|line| frame.number == 0 || line == Some(frame.number.into()))
    }
}

/// Whether frames are the same but for the underscore of a C function on x86.
fn is_stripped(ours: &Line, theirs: &Line) -> bool {
    let stripped = ours.function.strip_prefix('_').unwrap_or_default();
    let function = if stripped == theirs.function { theirs.function.clone() } else { ours.function.clone() };
    Line { function, ..ours.clone() } == *theirs
}

/// The inlined calls of a function at an address, and their lines from the function's first one.
fn sites<'d>(dump: &'d Dump, rva: u32, function: &str) -> impl Iterator<Item = (&'d (String, String), i64)> {
    // The dump has names without scopes, and cuts long ones.
    let function = function.to_owned();
    let names = move |site: &&Site| {
        let name = site.function.trim_end_matches("...");
        let name = name.trim_end_matches("{dtor}").trim_end_matches("{ctor}");
        function.contains(name)
    };
    dump.sites.iter().filter(names).flat_map(move |site| {
        let at = site.ranges.iter().filter(move |(start, end, _)| (*start..*end).contains(&rva));
        at.map(|(_, _, line)| (&site.inlinee, *line))
    })
}
