//! A parser that looks at events in the first pass: `cargo run --example observer`.

use std::io::Write;

use etwkit::parser::{Claims, Finding, FirstPass, Observer, Parser};
use etwkit::{Guid, Trace, event::RawEvent, system::System};

#[derive(Debug, Default)]
struct Threads(std::collections::BTreeSet<u32>);

impl Observer for Threads {
    fn interest(&self) -> Claims {
        Claims::provider(Guid::from_u128(0x5e7a_1000_0001_4b1d_9c0d_e7a5_1d0c_0001))
    }
    fn observe(&mut self, event: &RawEvent<'_>, _: &mut System) -> etwkit::Result<()> {
        self.0.extend(event.tid());
        Ok(())
    }
    fn finish(self: Box<Self>) -> Option<Finding> {
        Some(self)
    }
}
#[derive(Debug)]
struct ThreadParser;
impl Parser for ThreadParser {
    fn name(&self) -> &str {
        "threads"
    }
    fn begin(&self, pass: &mut FirstPass) {
        pass.add_observer(Threads::default());
    }
}
/// Returns the number of threads.
pub fn run(file: &str) -> etwkit::Result<usize> {
    let trace = Trace::open(file, etwkit_parsers::standard().with(ThreadParser))?;
    Ok(trace.finding().map_or(0, |Threads(threads)| threads.len()))
}
fn main() -> etwkit::Result<()> {
    Ok(writeln!(std::io::stdout(), "{} threads", run("fixtures/many-processors.etl")?)?)
}
