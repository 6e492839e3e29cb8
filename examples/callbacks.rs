//! Callbacks with typed events of the kernel and the .NET runtime: `cargo run --example callbacks [FILE]`.
#![allow(elided_lifetimes_in_paths, reason = "this workspace has the lint on; by default it is off")]

use std::io::Write;

use etwkit::Trace;
use etwkit::typed::Dispatcher;
use etwkit_clr::events::GcStart;
use etwkit_kernel::events::{PerfInfoSample, ProcessDcStart};

/// Writes the processes that ran when the trace began, and counts samples and garbage collections, to `out`.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    let trace = Trace::open(file, etwkit_parsers::standard())?;
    let (mut processes, mut samples, mut collections) = (Vec::new(), 0, [0; 3]);
    Dispatcher::new()
        .on::<ProcessDcStart>(|_, process| {
            processes.push((process.process_id().unwrap_or(0), process.image_file_name().unwrap_or("-").to_owned()));
        })
        .on::<PerfInfoSample>(|_, _| samples += 1)
        .on::<GcStart>(|_, gc| {
            if let Some(count) = gc.depth().and_then(|depth| collections.get_mut(depth as usize)) {
                *count += 1;
            }
        })
        .run(&trace)?;
    for (pid, image) in processes {
        writeln!(out, "{pid} {image}")?;
    }
    writeln!(out, "{samples} samples, collections of generations 0 to 2: {collections:?}")?;
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/kernel-stacks.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
