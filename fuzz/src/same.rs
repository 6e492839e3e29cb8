//! One trace, read in several ways.

use std::io;

use etwkit::event::RawEvent;
use etwkit::input::{Input, ReadAt};
use etwkit::output::JsonFormat;
use etwkit::trace::{Order, RawTrace, RunOptions, Trace};

use crate::sinks::{written, written_with};
use crate::traces;

/// Prints a trace (see `traces::file`) and reads it in another way, which two bits of the first byte choose: by several
/// threads, by pieces of a reader, in the order of the file, or without parsers, by time and by processor. Both must
/// state the same.
pub fn same(data: &[u8]) {
    let Some(file) = traces::file(data) else { return };
    let Some(trace) = traces::open(&file) else { return };
    match data.first().map_or(0, |kind| (kind >> 1) & 3) {
        0 => without_parsers(&file, &trace),
        1 => {
            let threads = RunOptions::default().threads(3);
            let by_threads = written_with(&trace, JsonFormat::default(), &threads);
            assert_same(&written(&trace, JsonFormat::default()), &by_threads, "threads change nothing");
        }
        2 => by_pieces(file, &trace),
        _ => in_the_order_of_the_file(&trace),
    }
}

/// Where the bytes come from changes no line.
fn by_pieces(file: Vec<u8>, trace: &Trace) {
    let Some(by_pieces) = traces::open_input(Input::positioned("fuzz", file.len() as u64, Pieces(file))) else {
        panic!("a reader has the same bytes")
    };
    let (whole, by_pieces) = (written(trace, JsonFormat::default()), written(&by_pieces, JsonFormat::default()));
    assert_same(&whole, &by_pieces, "pieces change nothing");
}

/// The same lines come in the order of the file.
fn in_the_order_of_the_file(trace: &Trace) {
    let text = written(trace, JsonFormat::default());
    let by_place = written_with(trace, JsonFormat::default(), &RunOptions::default().order(Order::File).threads(2));
    assert_eq!(sorted(&by_place), sorted(&text), "an order changes no line");
}

/// Fails with the first line that differs: whole texts would be too long to be read.
fn assert_same(expected: &str, found: &str, why: &str) {
    if expected == found {
        return;
    }
    let (expected, found): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let most = expected.len().max(found.len());
    let differs = (0..most).find(|number| expected.get(*number) != found.get(*number)).unwrap_or(most);
    panic!(
        "{why}: of {} lines, {} were found; line {differs} differs:\n  {:?}\n  {:?}",
        expected.len(),
        found.len(),
        expected.get(differs),
        found.get(differs),
    );
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// The raw walks have the events of the trace, each processor's in the order of its buffers.
fn without_parsers(file: &[u8], trace: &Trace) {
    let Ok(raw) = RawTrace::open(Input::bytes("fuzz", file)) else { panic!("it was opened before") };
    let Ok(mut by_time) = raw.raw_by_time() else { panic!("memory can be read") };
    let mut walked = Vec::new();
    while let Ok(Some(event)) = by_time.next() {
        walked.push(event_bytes(&event));
    }
    let Ok(processors) = raw.processors() else { panic!("memory can be read") };
    let mut by_processor = Vec::new();
    for processor in &processors {
        let mut buffers = processor.buffers();
        while let Ok(Some(buffer)) = buffers.next() {
            by_processor.extend(buffer.map(|event| event_bytes(&event)));
        }
    }
    assert_eq!(walked.len() as u64, trace.events_total(), "the raw walk has all events");
    walked.sort_unstable();
    by_processor.sort_unstable();
    assert!(walked == by_processor, "processors have all events");
}

fn event_bytes(event: &RawEvent<'_>) -> Vec<u8> {
    event.bytes().to_vec()
}

/// Bytes that come in short pieces, as a pipe or a network would give them.
#[derive(Debug)]
struct Pieces(Vec<u8>);

impl ReadAt for Pieces {
    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        let from = usize::try_from(offset).map_or(self.0.len(), |offset| offset.min(self.0.len()));
        let rest = self.0.get(from..).unwrap_or_default();
        let len = rest.len().min(room.len()).min(1000 + from % 7);
        room.iter_mut().zip(rest).take(len).for_each(|(to, byte)| *to = *byte);
        Ok(len)
    }
}
