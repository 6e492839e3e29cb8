//! Analyses of traces that were made for the tests, because no real trace at hand has such events. What they must find
//! follows from the times and sizes that are written.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod disk;
mod dns;
mod file;
mod hostile;
mod memory;
mod registry;
mod windows;

use std::fmt::Debug;

use etwkit::input::Input;
use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_synth::{Event, LogfileHeader, Payload, PointerSize, SystemEvent, TraceBuilder, kernel};

const EIGHT: PointerSize = PointerSize::Eight;
const PID: u32 = 400;
const TID: u32 = 404;

/// Events of one process, at microseconds after the begin of the trace.
struct Made {
    header: LogfileHeader,
    events: Vec<Event>,
}

impl Made {
    fn new() -> Self {
        let header = LogfileHeader::default();
        let process = kernel::process(EIGHT, 0x0303, PID, "tool.exe", "tool.exe -x").at(header.t0);
        let thread = Payload::new().u32(PID).u32(TID).zeros(64);
        let thread = SystemEvent::system(EIGHT, 0x0503).version(3).payload(thread).at(header.t0);
        Self { events: vec![process.into(), thread.into()], header }
    }

    /// Adds an event of the kernel by its hook.
    fn kernel(mut self, at: i64, hook: u16, version: u8, payload: Payload) -> Self {
        let event = SystemEvent::system(EIGHT, hook).version(version).payload(payload);
        let event = event.at(self.header.after(10 * at)).by(PID, TID);
        self.events.push(event.into());
        self
    }

    fn event(mut self, event: impl Into<Event>) -> Self {
        self.events.push(event.into());
        self
    }

    fn trace(self) -> Trace {
        let builder = TraceBuilder::new(self.header);
        let bytes = self.events.into_iter().fold(builder, |builder, event| builder.log(0, event)).build().bytes;
        Trace::open(Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap()
    }
}

fn found<A: Analysis<Row: PartialEq + Debug>>(trace: &Trace) -> Vec<A::Row> {
    let found = rows::<A>(trace, &RunOptions::default().threads(1)).unwrap();
    assert_eq!(rows::<A>(trace, &RunOptions::default().threads(2)).unwrap(), found);
    found
}

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9
}
