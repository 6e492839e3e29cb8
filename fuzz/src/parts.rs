//! Copies of traces in several files.

use std::io::Cursor;
use std::time::Duration;

use etwkit::trace::Filter;
use etwkit_relog::{CopyOptions, Error, Parts, Split, copy};

use crate::relog::{events, open};

/// Opens the bytes after the first one, which chooses how the trace is split. Each part must have the events of its
/// filter, and all parts together each event but those that are reported as left out.
pub fn parts(data: &[u8]) {
    let Some((choice, bytes)) = data.split_first() else { return };
    let Some(trace) = open(bytes) else { return };
    let split = match choice & 3 {
        0 => Split::Time(Duration::from_micros(u64::from(*choice) + 1)),
        1 => Split::Size(u64::from(*choice) << 10),
        2 => Split::Process,
        _ => Split::Provider,
    };
    let parts = match Parts::new(&trace, &CopyOptions::default(), split) {
        Ok(parts) => parts,
        Err(Error::Refused { .. } | Error::TooSmall { .. }) => return,
        Err(error) => panic!("memory can be read: {error}"),
    };
    let mut held = 0;
    for part in parts.list.iter().take(MOST) {
        let options = CopyOptions::default().filter(part.filter.clone(), "");
        let bytes = match copy(&trace, &options, Cursor::new(Vec::new())) {
            Ok((out, _)) => out.into_inner(),
            Err(Error::Refused { .. }) => return,
            Err(error) => panic!("memory can be read and written: {error}"),
        };
        let Some(copied) = open(&bytes) else { panic!("a part is a trace") };
        let wanted = events(&trace, &part.filter);
        held += wanted.len() as u64;
        assert_eq!(wanted, events(&copied, &part.filter), "a part has the events of its filter");
    }
    let all = events(&trace, &Filter::default()).len() as u64;
    assert!(parts.list.len() > MOST || held + parts.left_out >= all, "{held} of {all} events are in parts");
}

/// Parts that are written: each reads the whole trace.
const MOST: usize = 16;
