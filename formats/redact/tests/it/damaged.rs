//! Buffers without a readable event.

use etwkit::Trace;
use etwkit_redact::Error;
use etwkit_synth::payload::Payload;
use etwkit_synth::{Buffer, Compression, Guid, LogfileHeader, ModernEvent, TraceBuilder};

use crate::run::{has_text, open, redact};

/// Bytes of the header of a buffer, and where its used length is in it.
const HEADER: usize = 72;
const USED: usize = 0x30;
const SECRET: &str = r"C:\Users\Marguerite\x";

fn event(seconds: i64) -> ModernEvent {
    let payload = Payload::new().utf16z(SECRET);
    ModernEvent::new(Guid::new(0x77)).at(LogfileHeader::default().after(seconds)).by(7, 8).payload(payload)
}

/// Makes a trace of a header and three buffers, and returns where the buffers begin.
fn trace(wrap: impl Fn(Buffer) -> Buffer) -> (Vec<u8>, Vec<usize>) {
    let buffers = (0..3).map(|number| wrap(Buffer::on(0).events((1..4).map(|at| event(10 * number + at)))));
    let bytes = buffers.fold(TraceBuilder::new(LogfileHeader::default()), TraceBuilder::buffer).build().bytes;
    let starts = open(&bytes).buffers().map(|buffer| buffer.offset as usize).collect();
    (bytes, starts)
}

/// Redacts a trace and states how many buffers were lost.
fn redacted(bytes: &[u8]) -> (Trace, u64) {
    let old = open(bytes);
    let redacted = redact(&old, &[]).unwrap();
    assert!(!has_text(&redacted.bytes, "marguerite"));
    let new = open(&redacted.bytes);
    assert_eq!(old.events_total(), new.events_total());
    (old, redacted.report.lost_buffers)
}

#[test]
fn a_file_that_ends_inside_of_the_first_event_of_a_buffer_is_redacted() {
    let (bytes, starts) = trace(|buffer| buffer);
    for more in [8, 9, 16, 40, 79, 80, 100] {
        let (old, lost) = redacted(&bytes[..starts[3] + HEADER + more]);
        assert_eq!((old.events_total(), lost), (7, 1), "{more}");
    }
}

#[test]
fn buffers_with_a_wrong_used_length_are_redacted() {
    let (bytes, starts) = trace(|buffer| buffer);
    for (places, events) in [(&[2][..], 7), (&[1, 2], 4), (&[3], 7), (&[1, 2, 3], 1)] {
        let mut bytes = bytes.clone();
        for place in places {
            let used = starts[*place] + USED;
            bytes[used..used + 4].copy_from_slice(&80_u32.to_le_bytes());
        }
        let (old, lost) = redacted(&bytes);
        assert_eq!((old.events_total(), lost), (events, places.len() as u64), "{places:?}");
    }
}

#[test]
fn compressed_buffers_that_cannot_be_unpacked_are_redacted() {
    for packing in [Compression::Xpress, Compression::XpressHuffman, Compression::Lznt1] {
        let (mut bytes, starts) = trace(|buffer| buffer.compress(packing));
        let body = starts[2] + HEADER;
        bytes[body..body + 64].fill(0);
        let (_, lost) = redacted(&bytes);
        assert_eq!(lost, 1, "{packing:?}");
    }
}

/// The engine reads a header whose event states a wrong length; in the output it would be overwritten.
#[test]
fn a_trace_that_would_lose_its_clock_is_refused() {
    let (mut bytes, _) = trace(|buffer| buffer);
    for length in [506_u16, u16::MAX] {
        bytes[HEADER + 4..HEADER + 6].copy_from_slice(&length.to_le_bytes());
        let old = open(&bytes);
        assert!(!old.files()[0].head.is_missing());
        let refused = redact(&old, &[]);
        assert!(matches!(refused, Err(Error::Damaged { .. })), "{length}: {refused:?}");
    }
}
