//! Payloads of neighbouring rows, until they become columns.

use etwkit::FileId;
use etwkit::bytes::PointerSize;
use etwkit::clock::Clock;
use etwkit::decode::PendingEvent;
use etwkit::event::EventTypeId;

use crate::array::Array;
use crate::memo::{MemoPlace, Memos};
use crate::program::Program;
use crate::routes::Routes;

/// Records of rows of one type, one row after the other.
#[derive(Debug)]
pub(crate) struct Payloads {
    of: Option<Of>,
    /// Tells them apart from others; [`NONE`] if there are none.
    id: u64,
    records: Vec<u8>,
    /// The first of the rows.
    first: usize,
}

/// What they have in common.
#[derive(Clone, Copy, Debug)]
struct Of {
    key: Option<EventTypeId>,
    pointer: PointerSize,
    /// Of the clock, if values depend on it.
    clock: Option<(FileId, Clock)>,
}

/// The number of no payloads.
const NONE: u64 = u64::MAX;

/// Returns a number that is the same for payloads that become columns together: of the type, the size of addresses, and the
/// file, if values depend on its clock.
#[inline]
fn id(key: Option<EventTypeId>, program: &Program, pending: &PendingEvent<'_>) -> u64 {
    let file = if program.has_clock { u64::from(pending.raw().place().file.0) << 40 } else { 0 };
    let key = key.map_or(1 << 33, |key| key.0.into());
    file | (program.pointer as u64) << 32 | key
}

impl Payloads {
    /// Makes room for records of so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { of: None, id: NONE, records: Vec::with_capacity(bytes), first: 0 }
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
        (key, program): (Option<EventTypeId>, &Program),
        pending: &PendingEvent<'_>,
        (routes, memos): (&Routes, &mut Memos),
        (arrays, row): (&mut [Array], usize),
    ) -> Option<usize> {
        let id = id(key, program, pending);
        if self.id != id {
            self.settle(routes, memos, arrays);
            self.begin(id, (key, program), pending, row);
        }
        program.push(pending.payload(), &mut self.records, (arrays, row))
    }

    #[inline(never)]
    fn begin(
        &mut self,
        id: u64,
        (key, program): (Option<EventTypeId>, &Program),
        pending: &PendingEvent<'_>,
        row: usize,
    ) {
        let clock = pending.clock().filter(|_| program.has_clock).map(|clock| (pending.raw().place().file, *clock));
        self.of = Some(Of { key, pointer: program.pointer, clock });
        (self.id, self.first) = (id, row);
    }

    /// Moves them into columns.
    pub(crate) fn settle(&mut self, routes: &Routes, memos: &mut Memos, arrays: &mut [Array]) {
        self.id = NONE;
        let Some(of) = self.of.take() else { return };
        if let Some((route, program)) = routes.of(of.key).and_then(|route| Some((route, route.program(of.pointer)?))) {
            for (column, values) in program.columns(&self.records) {
                let Some(op) = route.ops.get(column.op) else { continue };
                let Some(array) = arrays.get_mut(op.column()) else { continue };
                array.pad(self.first);
                // Texts of times depend on the clock.
                let file = of.clock.map(|(file, _)| file).filter(|_| op.has_clock());
                let place = MemoPlace { key: of.key, column: op.column(), pointer: of.pointer, file };
                let clock = of.clock.as_ref().map(|(_, clock)| clock);
                if let Some(memo) = op.push_all(values, (of.pointer, clock), || memos.take(place), array) {
                    memos.put(place, memo);
                }
            }
        }
        self.records.clear();
    }
}
