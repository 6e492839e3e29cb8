//! A file that changes between the passes: the events that are lost by that are reported, with their place.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::sync::{Arc, Mutex};

use etwkit::input::{Input, ReadAt};
use etwkit::parser::Parsers;
use etwkit::trace::Trace;
use etwkit::{ProblemKind, Severity};
use etwkit_synth::{Buffer, Compression, Guid, LogfileHeader, ModernEvent, TraceBuilder};

/// A file to which somebody else writes.
#[derive(Clone)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl ReadAt for Shared {
    fn read_at(&self, offset: u64, room: &mut [u8]) -> std::io::Result<usize> {
        let bytes = self.0.lock().unwrap();
        let rest = bytes.get(offset as usize..).unwrap_or_default();
        let len = rest.len().min(room.len());
        room[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }
}

const STRIDE: usize = 16 << 10;
const BUFFERS: u16 = 12;

fn made(compressed: bool) -> Vec<u8> {
    let header = LogfileHeader { buffer_size: STRIDE as u32, ..LogfileHeader::default() };
    let header = if compressed { header.compressed() } else { header };
    let t0 = header.t0;
    let buffers = (0..BUFFERS).map(|number| {
        let event =
            |n: i64| ModernEvent::new(Guid::new(7)).id(1).at(t0 + 1_000 * i64::from(number) + n).payload([n as u8; 24]);
        let buffer = (0..140).fold(Buffer::on(number % 2), |buffer, n| buffer.event(event(n)));
        if compressed { buffer.compress(Compression::Xpress) } else { buffer }
    });
    TraceBuilder::new(header).buffers(buffers).build().bytes
}

/// Makes the first pass over the whole file, changes it, and makes the second.
fn after(bytes: Vec<u8>, change: impl FnOnce(&mut Vec<u8>)) -> (Trace, u64) {
    let (len, shared) = (bytes.len() as u64, Shared(Arc::new(Mutex::new(bytes))));
    let trace = Trace::open(Input::positioned("shared", len, shared.clone()), Parsers::none()).unwrap();
    assert_eq!(trace.events_total(), 1 + 140 * u64::from(BUFFERS));
    change(&mut shared.0.lock().unwrap());
    let (mut read, mut events) = (0, trace.events());
    while events.next().unwrap().is_some() {
        read += 1;
    }
    drop(events);
    (trace, read)
}

#[test]
fn a_file_that_stays_as_it_is_has_no_change() {
    for compressed in [false, true] {
        let (trace, read) = after(made(compressed), |_| {});
        assert_eq!((read, trace.changes().len(), trace.is_damaged()), (trace.events_total(), 0, false));
    }
}

type Change = Box<dyn Fn(&mut Vec<u8>)>;

#[test]
fn what_is_lost_by_a_change_is_reported_with_its_place() {
    let len = made(false).len();
    let third = 3 * STRIDE;
    let changes: [(&str, usize, Change); 5] = [
        ("truncated", len - STRIDE, Box::new(move |bytes| bytes.truncate(len - STRIDE + 200))),
        ("zeroed", third, Box::new(move |bytes| bytes[third + 1024..third + 1536].fill(0))),
        ("filled", third, Box::new(move |bytes| bytes[third + 1024..third + 1536].fill(0xFF))),
        ("moved", third, Box::new(move |bytes| bytes.copy_within(2 * STRIDE + 72..3 * STRIDE, third + 72))),
        ("emptied", STRIDE, Box::new(move |bytes| bytes.truncate(STRIDE))),
    ];
    for (what, at, change) in changes {
        let (trace, read) = after(made(false), change);
        let changes = trace.changes();
        let first = changes.first().unwrap_or_else(|| panic!("{what}: {read} of {} events", trace.events_total()));
        assert_eq!(
            (first.kind, first.severity, first.offset),
            (ProblemKind::Changed, Severity::Damage, at as u64),
            "{what}"
        );
        assert!(trace.is_damaged(), "{what}");
        let whole = 1 + u64::from(BUFFERS - changes.len() as u16) * 140;
        assert!(read >= whole, "{what}: {read} of {whole} events of unchanged buffers");
    }
}

#[test]
fn a_compressed_buffer_of_a_large_file_that_changes_is_reported_once() {
    let mut bytes = made(true);
    let at = bytes.len() - 40;
    // Unpacked buffers of a file of this size are not kept; what is not written yet is zeros.
    bytes.resize(9 << 20, 0);
    let (trace, _) = after(bytes, |bytes| bytes[at..].fill(0));
    let [change] = &*trace.changes() else { panic!("{:?}", trace.changes()) };
    assert!(change.offset < at as u64 && change.offset + change.len > at as u64, "{change}");
}

#[test]
fn compressed_buffers_of_a_small_file_are_read_once() {
    let bytes = made(true);
    let at = bytes.len() - 40;
    let (trace, read) = after(bytes, |bytes| bytes[at..].fill(0));
    assert_eq!((read, trace.changes().len(), trace.is_damaged()), (trace.events_total(), 0, false));
}

#[test]
fn a_file_that_shrinks_during_the_first_pass_is_cut_off() {
    let bytes = made(false);
    let len = bytes.len() as u64;
    let shared = Shared(Arc::new(Mutex::new(bytes)));
    shared.0.lock().unwrap().truncate(len as usize - STRIDE + 500);
    let trace = Trace::open(Input::positioned("shared", len, shared), Parsers::none()).unwrap();
    assert!(trace.is_damaged(), "{:?}", trace.problems());
}
