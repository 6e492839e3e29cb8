//! Measures the engine on big traces that it makes itself.
//!
//! Figures are ratios to `copy`, a plain read of the same file in the same process: absolute times state more about the
//! machine than about the code.

mod callgrind;
mod check;
mod columns;
mod measure;
mod memory;
mod peers;
mod recorded;
mod stage;
mod table;
mod traces;
mod xpress;

use crate::Done;

use measure::{Measured, measured};
pub(crate) use stage::stage;

/// Makes the traces, runs every stage on each, and prints a table.
pub(crate) fn run(arguments: &[&str]) -> Done {
    let (mut size, mut instructions) = (1 << 10, false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--size" => size = rest.next().ok_or("--size needs a number of MB")?.parse()?,
            "--callgrind" => instructions = true,
            "--check" => return check::run(),
            "--record" => return check::record(),
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    for trace in traces::make(size)? {
        println!("\n{}: {} MB\n{HEAD}", trace.name, trace.bytes >> 20);
        for (stage, rounds) in STAGES {
            println!("{}", row(stage, &measured(stage, &trace.path, rounds)?));
        }
    }
    xpress::compare()?;
    peers::compare()?;
    if instructions {
        table::run()?;
    }
    Ok(())
}

/// A stage and how often it is run; the best round counts.
const STAGES: [(&str, u32); 9] = [
    ("copy", 5),
    ("walk", 5),
    ("walk-mapped", 5),
    ("by-time", 5),
    ("census", 2),
    ("ordered", 2),
    ("decode", 2),
    ("tracefmt", 2),
    ("json", 1),
];

const HEAD: &str = "stage           seconds  x copy   M events/s    GB/s   anonymous MB";

#[expect(clippy::cast_precision_loss, reason = "three digits are printed")]
fn row(stage: &str, m: &Measured) -> String {
    let (seconds, copy) = (m.nanos as f64 / 1e9, m.copy as f64 / 1e9);
    let events = m.events as f64 / 1e6 / seconds;
    let rate = m.bytes as f64 / 1e9 / seconds;
    let memory = m.anonymous as f64 / 1024.0;
    format!("{stage:14} {seconds:8.3} {:7.2} {events:12.2} {rate:7.2} {memory:14.1}", seconds / copy)
}
