//! The table of instructions per event: counted, recorded, and the bounds that the project set itself.

use super::callgrind;
use super::recorded::Recorded;
use super::traces::{made, real};
use crate::Done;

/// Sizes of the traces, MB.
const SIZES: [u64; 2] = [16, 32];

/// Counts every stage on every shape and prints the figures.
pub(super) fn run() -> Done {
    if !callgrind::is_there() {
        println!("\nSKIPPED: valgrind is not installed, no instructions were counted");
        return Ok(());
    }
    println!("\nshape        stage           counted  recorded     bound   instructions per event");
    let recorded = Recorded::read().unwrap_or_default();
    for source in made().into_iter().chain(real()) {
        for stage in callgrind::STAGES {
            for (shape, stage, each) in callgrind::each(&source, &[stage], SIZES)?.iter() {
                let figure = |known: Option<u64>| known.map_or_else(|| "-".to_owned(), |known| known.to_string());
                let (before, bound) = (figure(recorded.get(shape, stage)), figure(bound(shape, stage)));
                println!("{shape:12} {stage:12} {each:10} {before:>9} {bound:>9}");
            }
        }
    }
    Ok(())
}

/// Returns the bound of a stage on a shape of real traces.
fn bound(shape: &str, stage: &str) -> Option<u64> {
    let column = ["mixed", "rundown", "kernel", "classic"].iter().position(|name| *name == shape)?;
    let (_, bounds) = BOUNDS.iter().find(|(name, _)| *name == stage)?;
    bounds.get(column).copied()
}

/// Bounds for mixed events, rundowns of the runtime, kernel events and classic events.
const BOUNDS: [(&str, [u64; 4]); 7] = [
    ("walk", [65, 65, 65, 65]),
    ("by-time", [190, 120, 120, 120]),
    ("census", [170, 170, 170, 170]),
    ("open", [200, 200, 400, 200]),
    ("ordered", [280, 280, 280, 280]),
    ("decode", [700, 1_200, 1_000, 600]),
    ("json", [1_600, 2_500, 2_200, 1_500]),
];
