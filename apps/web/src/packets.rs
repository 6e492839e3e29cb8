//! The packets of a list as a file of pcapng, piece by piece.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use etwkit::Trace;
use etwkit::trace::TracePart;
use etwkit_packets::{Converter, Names, Options};

use etwkit_browse::EventList;

/// An export that has begun. Fragments of a packet may be in several parts of the trace, so it keeps its state.
#[derive(Debug)]
pub(crate) struct PacketExport {
    converter: Converter<Piece>,
    written: Piece,
}

/// What was written since it was last taken.
#[derive(Clone, Debug, Default)]
struct Piece(Rc<RefCell<Vec<u8>>>);

impl Piece {
    fn take(&self) -> Vec<u8> {
        self.0.take()
    }
}

impl Write for Piece {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl PacketExport {
    /// Begins: reads the names of interfaces.
    pub(crate) fn begin(trace: &Trace) -> etwkit::Result<Self> {
        let written = Piece::default();
        Ok(Self { converter: Converter::new(Options::default(), Names::read(trace)?, written.clone())?, written })
    }

    /// Returns the bytes of the packets of one part of the trace; after the last one those that were left, and ends.
    pub(crate) fn part(
        export: &mut Option<Self>,
        trace: &Trace,
        parts: &[TracePart],
        list: &EventList,
        part: usize,
    ) -> etwkit::Result<Option<Vec<u8>>> {
        if part == 0 {
            *export = Some(Self::begin(trace)?);
        }
        let Some(begun) = export else { return Ok(None) };
        let Some(mut events) = list.part(trace, parts, part) else {
            let written = begun.written.clone();
            if let Some(last) = export.take() {
                last.converter.finish()?;
            }
            return Ok(Some(written.take()));
        };
        while let Some(event) = events.next()? {
            begun.converter.event(&event)?;
        }
        Ok(Some(begun.written.take()))
    }
}
