//! What the tests share: walking a trace with the public API, and the real traces if they are there.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "each test uses a part of it"
)]

use std::path::PathBuf;

use etwkit::FileId;
use etwkit::error::ErrorKind;
use etwkit::event::RawEvent;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, Order, Trace};

/// An event as it was delivered, copied out of the trace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    /// Raw time; first, so that events compare by time, processor and place like the engine's order.
    pub time: i64,
    pub processor: u16,
    /// The input file.
    pub file: FileId,
    /// Where its buffer begins in the file.
    pub buffer: u64,
    /// Where it begins in its (unpacked) buffer.
    pub offset: u32,
    pub utc: Option<i64>,
    /// Header and payload.
    pub bytes: Vec<u8>,
}

impl Seen {
    pub fn of(event: &RawEvent<'_>, utc: Option<i64>, trace: &Trace) -> Self {
        let place = event.place();
        let buffer = trace.buffer(place.buffer).expect("events lie in buffers").offset;
        Self {
            time: event.time().0,
            processor: event.processor(),
            file: place.file,
            buffer,
            offset: place.offset,
            utc,
            bytes: event.bytes().to_vec(),
        }
    }
}

/// Returns the first pass without parsers, or the engine's error.
pub fn census(source: Input) -> etwkit::Result<Trace> {
    Trace::open(source, Parsers::none())
}

/// Returns the same of bytes in memory.
pub fn census_of(bytes: &[u8]) -> etwkit::Result<Trace> {
    census(Input::bytes("memory", bytes))
}

/// Returns all events, pulled one by one.
pub fn events(trace: &Trace, order: Order, filter: &Filter) -> Vec<Seen> {
    let mut events = trace.events_in(order, filter);
    let mut all = Vec::new();
    while let Some(event) = events.next().expect("memory can be read") {
        all.push(Seen::of(event.raw(), event.time().map(|time| time.0), trace));
    }
    all
}

/// Returns whether the engine states that a file is not a trace.
pub fn is_no_trace(error: &etwkit::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotATrace(_))
}

/// Returns the folder of the committed fixtures.
pub fn fixtures_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Real traces of at most `most` bytes, sorted by name: (name, path).
pub fn corpus_files(most: u64) -> Vec<(String, PathBuf)> {
    let mut files = etwkit_corpus::traces();
    files.retain(|(_, path)| path.metadata().expect("a file").len() <= most);
    files
}

/// A small random number generator (`SplitMix64`): the same numbers at every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.next() % end }
    }
}
