//! Line for line against Microsoft's own baselines, over their traces.
//!
//! The corpus lies in `ETWKIT_SHARED`, or in `shared` beside the repository; without it there is nothing to compare.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::collections::HashMap;
use std::path::PathBuf;

use etwkit::input::Input;
use etwkit::trace::Trace;
use etwkit_baseline::{Options, write_baseline};

/// A trace, the EVENT and the COUNT lines of its baseline, and how many must be equal without the schemas that lie in
/// the trace (manifests, `TRACE_EVENT_INFO`).
const BASELINES: [(&str, [usize; 2], [usize; 2]); 3] =
    [("primitive-types", [6, 2], [6, 2]), ("gcevents", [52, 21], [52, 21]), ("net.4.5.2.x64", [480, 152], [457, 147])];

#[test]
fn microsofts_baselines_are_reproduced() {
    let Some(folder) = corpus() else { return };
    let is_full = etwkit_parsers::standard().iter().any(|parser| parser.name() == "trace-event-info");
    for (name, lines, without) in BASELINES {
        let (trace, baseline) = (folder.join(format!("{name}.etl")), folder.join(format!("{name}.baseline.txt")));
        let ours = ours(Input::open(&trace).unwrap());
        let baseline = std::fs::read_to_string(&baseline).unwrap();
        for (at, word) in ["EVENT ", "COUNT "].iter().enumerate() {
            let (equal, all) = equal(&baseline, &ours, word);
            println!("{name}: {equal} of {all} {word}lines equal");
            assert_eq!(all, lines[at], "{name}");
            let least = if is_full { lines[at] } else { without[at] };
            assert!(equal >= least, "{name}: {equal} of {all} {word}lines equal, expected {least}");
        }
    }
}

/// TraceEvent's lines of a `.btl` file: all events instead of the first of each kind, and no counts. The file of lines
/// was never finished: it ends inside a line.
#[test]
fn microsofts_lines_of_a_block_file_are_reproduced() {
    let Some(folder) = corpus() else { return };
    let name = "BPerfProfiles.2019-05-04-00-34-17_2019-05-04-09-58-26";
    let source = Input::open(folder.join(format!("{name}.btl"))).unwrap();
    let ours = lines(source, u64::MAX);
    let ours: Vec<&str> = ours.lines().filter(|line| line.starts_with("EVENT ")).collect();
    let baseline = std::fs::read_to_string(folder.join(format!("{name}.baseline.txt"))).unwrap();
    let mut theirs: Vec<&str> = baseline.trim_start_matches('\u{feff}').split('\n').collect();
    let cut = theirs.pop().unwrap();
    let differing = theirs.iter().zip(&ours).filter(|(theirs, ours)| theirs != ours);
    let differing: Vec<_> =
        differing.inspect(|(theirs, ours)| println!("  theirs {theirs}\n  ours   {ours}")).collect();
    println!("{name}: {} of {} lines equal", theirs.len() - differing.len(), theirs.len());
    assert_eq!((theirs.len(), differing.len()), (4_260, 0));
    let next = ours.get(theirs.len()).copied().unwrap_or_default();
    assert!(!cut.is_empty() && next.starts_with(cut), "{cut} is the start of {next}");
}

/// TraceEvent's test `MultiFileMergeAll`: 95,506 events of the four files of a collection read as one trace. `TraceLog`
/// removes 5,247 of the 100,753; what only the baseline test skips is among those that it keeps.
#[test]
fn a_collection_has_as_many_events_as_trace_event_counts() {
    let Some(folder) = etwkit_corpus::path("diaghub") else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let trace = Trace::open_all(files, etwkit_parsers::standard()).unwrap();
    let mut out = Vec::new();
    let totals = write_baseline(&trace, &Options::default().per_type(0).compat(true), &mut out).unwrap();
    assert_eq!(trace.events_total(), 100_753);
    assert_eq!((totals.left_out - totals.skipped, totals.skipped), (5_247, 15));
    assert_eq!(totals.events + totals.skipped, 95_506);
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("\nCOUNT Microsoft-Diagnostics-DiagnosticSource/Activity2Stop/Stop:55\n"), "{text}");
}

#[test]
fn nothing_is_left_out_by_default() {
    let Some(folder) = corpus() else { return };
    let source = Input::open(folder.join("net.4.5.2.x64.etl")).unwrap();
    let trace = Trace::open(source, etwkit_parsers::standard()).unwrap();
    let totals = write_baseline(&trace, &Options::default().per_type(0), &mut std::io::sink()).unwrap();
    assert_eq!((totals.events, totals.left_out), (trace.events_total(), 0));
}

fn ours(source: Input) -> String {
    lines(source, 5)
}

fn lines(source: Input, per_type: u64) -> String {
    let trace = Trace::open(source, etwkit_parsers::standard()).unwrap();
    let mut out = Vec::new();
    write_baseline(&trace, &Options::default().per_type(per_type).compat(true), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// (lines that both have, all lines of the baseline), each line as often as it is there.
fn equal(baseline: &str, ours: &str, word: &str) -> (usize, usize) {
    let mut left: HashMap<&str, usize> = HashMap::new();
    ours.lines().for_each(|line| *left.entry(line).or_default() += 1);
    let lines = baseline.lines().map(|line| line.trim_start_matches('\u{feff}')).filter(|line| line.starts_with(word));
    let (mut equal, mut all) = (0, 0);
    for line in lines {
        all += 1;
        if let Some(count) = left.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            equal += 1;
        } else {
            println!("  only theirs: {line}");
        }
    }
    (equal, all)
}

/// The folder with the baselines.
fn corpus() -> Option<PathBuf> {
    etwkit_corpus::path("perfview")
}
