//! The profile of a real trace has the numbers that others found. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::trace::{RunOptions, Trace};
use etwkit_profile::{Profile, Unit, folded, functions, profile, speedscope};

fn found(threads: usize) -> Option<Profile> {
    let file = etwkit_corpus::path("perfview/net.4.5.2.x64.etl")?;
    let trace = Trace::open(file, etwkit_parsers::with_stacks(etwkit_parsers::standard())).unwrap();
    Some(profile(&trace, &RunOptions::default().threads(threads)).unwrap())
}

#[test]
fn all_samples_are_there_with_their_stacks() {
    let Some(profile) = found(1) else { return };
    assert_eq!(profile.quality.samples, 6_320);
    let text = folded(&profile, Unit::Samples);
    let weight = |line: &str| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap();
    assert_eq!(text.lines().map(weight).sum::<u64>(), 6_320);
    let of_application = text.lines().filter(|line| line.starts_with("Test.x64.exe (3676);thread ("));
    assert_eq!(of_application.map(weight).sum::<u64>(), 5_129);
    // The interval is one millisecond.
    assert_eq!(folded(&profile, Unit::Microseconds), text);
    let list = functions(&profile, Unit::Samples);
    assert_eq!(list.iter().map(|function| function.exclusive).sum::<u64>(), 6_320);
    let viewer = speedscope(&profile, Unit::Samples, "net");
    let ends = viewer["profiles"].as_array().unwrap().iter().map(|profile| profile["endValue"].as_u64().unwrap());
    assert_eq!(ends.sum::<u64>(), 6_320);
    assert_eq!(folded(&found(2).unwrap(), Unit::Samples), text);
}
