//! Payloads of neighbouring rows, until they become columns.

use etwkit::bytes::PointerSize;
use etwkit::clock::Clock;
use etwkit::decode::PendingEvent;
use etwkit::event::KeyId;

use crate::array::Array;
use crate::memo::Memos;
use crate::program::Program;
use crate::routes::{Route, Routes};

/// Records of rows of one type, one row after the other.
#[derive(Debug)]
pub(crate) struct Payloads {
    of: Option<Of>,
    records: Vec<u8>,
    /// The first of the rows.
    first: usize,
}

/// What they have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Of {
    key: Option<KeyId>,
    pointer: PointerSize,
    /// Of the clock, if values depend on it.
    clock: Option<(u16, Clock)>,
}

impl Of {
    #[inline]
    fn is(&self, route: &Route, program: &Program, file: u16) -> bool {
        self.key == route.key
            && self.pointer == program.pointer
            && (!program.has_clock || self.clock.is_some_and(|(known, _)| known == file))
    }
}

impl Payloads {
    /// Makes room for records of so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { of: None, records: Vec::with_capacity(bytes), first: 0 }
    }

    /// Returns the bytes of the records.
    pub(crate) const fn len(&self) -> usize {
        self.records.len()
    }

    /// Appends the payload of the next row; `None`, and nothing, unless it fits exactly. Returns the bytes of texts and
    /// lists.
    #[inline]
    pub(crate) fn push(
        &mut self,
        (route, program): (&Route, &Program),
        pending: &PendingEvent<'_>,
        (routes, memos): (&Routes, &mut Memos),
        (arrays, row): (&mut [Array], usize),
    ) -> Option<usize> {
        let file = pending.raw().place().file;
        if !self.of.as_ref().is_some_and(|of| of.is(route, program, file)) {
            self.settle(routes, memos, arrays);
            let clock = pending.clock().filter(|_| program.has_clock).map(|clock| (file, *clock));
            self.of = Some(Of { key: route.key, pointer: program.pointer, clock });
            self.first = row;
        }
        program.push(pending.payload(), &mut self.records, (arrays, row))
    }

    /// Moves them into columns.
    pub(crate) fn settle(&mut self, routes: &Routes, memos: &mut Memos, arrays: &mut [Array]) {
        let Some(of) = self.of.take() else { return };
        let route = routes.of(of.key).map(|(_, route)| route);
        if let Some((route, program)) = route.and_then(|route| Some((route, route.program(of.pointer)?))) {
            for (column, values) in program.columns(&self.records) {
                let Some(op) = route.ops.get(column.op) else { continue };
                let Some(array) = arrays.get_mut(op.column()) else { continue };
                array.pad(self.first);
                // Texts of times depend on the clock.
                let file = of.clock.map(|(file, _)| file).filter(|_| op.has_clock());
                let place = (of.key, op.column(), file);
                let clock = of.clock.as_ref().map(|(_, clock)| clock);
                if let Some(memo) = op.push_all(values, (of.pointer, clock), || memos.take(place), array) {
                    memos.put(place, memo);
                }
            }
        }
        self.records.clear();
    }
}
