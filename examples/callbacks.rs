//! Callbacks with typed events, in the manner of TraceEvent: `cargo run --example callbacks [FILE]`.

#![allow(elided_lifetimes_in_paths, reason = "views are named without their lifetime, as in programs of users")]

use std::io::Write;

use etwkit::Trace;
use etwkit::typed::Dispatcher;
use etwkit_clr::events::GcStart;
use etwkit_kernel::events::{ImageDcStart, ProcessDcStart};

/// Writes a line for each process and image that the trace lists, and counts garbage collections.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    let trace = Trace::open(file, etwkit_parsers::standard())?;
    let out = std::cell::RefCell::new(out);
    let mut collections = 0;
    Dispatcher::new()
        .try_on::<ProcessDcStart>(|_, process| {
            let (name, id) = (process.image_file_name().unwrap_or("?"), process.process_id());
            writeln!(out.borrow_mut(), "{name} was running as {id:?}").map_err(etwkit::Error::caller)?;
            Ok(std::ops::ControlFlow::Continue(()))
        })
        .try_on::<ImageDcStart>(|event, image| {
            let (name, process) = (image.file_name().unwrap_or("?"), event.process_name().unwrap_or("-"));
            writeln!(out.borrow_mut(), "{process} had loaded {name}").map_err(etwkit::Error::caller)?;
            Ok(std::ops::ControlFlow::Continue(()))
        })
        .on::<GcStart>(|_, _| collections += 1)
        .run(&trace)?;
    writeln!(out.into_inner(), "{collections} garbage collections").map_err(Into::into)
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/kernel-stacks.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
