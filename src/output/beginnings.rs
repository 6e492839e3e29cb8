//! Texts that lines of one type share whose events name the same processes and threads.

use std::ops::RangeInclusive;

use crate::FileId;
use crate::decode::{Attribution, PendingEvent, SubjectIds};
use crate::schema::SubjectPlaces;

/// Keeps texts that follow from the type of an event and from its process and thread: neighbouring events are of few
/// threads, which write few types of events each.
#[derive(Debug)]
pub(super) struct Beginnings {
    slots: Box<[Option<Known>]>,
    /// A text that is too long to be kept.
    long: Vec<u8>,
}

/// Bits of a slot's number.
const SLOT_BITS: u32 = 9;
/// Bytes of a text that is kept: crafted schemas have long names.
const MOST: usize = 4096;

/// A text, and the events that have it.
#[derive(Debug)]
struct Known {
    texts: u64,
    file: FileId,
    ids: SubjectIds,
    ticks: RangeInclusive<i64>,
    found: Attribution,
    text: Vec<u8>,
}

/// What a beginning follows from, in addition to the ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeginningOf {
    /// The number of the texts of the type.
    pub(super) texts: u64,
    /// Where the payload has ids.
    pub(super) subject: SubjectPlaces,
}

impl Default for Beginnings {
    fn default() -> Self {
        Self { slots: (0..1 << SLOT_BITS).map(|_| None).collect(), long: Vec::new() }
    }
}

impl Beginnings {
    /// Returns the process and thread of an event, and its text, which `make` appends; `make` returns the ticks for which the
    /// text holds. `None` if the fields must be located to find the process.
    #[inline]
    pub(super) fn of(
        &mut self,
        event: &PendingEvent<'_>,
        of: BeginningOf,
        writer: Attribution,
        make: impl FnOnce(&mut Vec<u8>, Attribution) -> RangeInclusive<i64>,
    ) -> Option<(Attribution, &[u8])> {
        let ids = SubjectIds::of(writer, of.subject, event.payload())?;
        let file = event.raw().place().file;
        let tick = event.system().timeline.of(event.raw());
        let slot = self.slots.get_mut(place(of.texts, ids))?;
        let is_known = |known: &Known| {
            known.texts == of.texts && known.ids == ids && known.file == file && known.ticks.contains(&tick)
        };
        if !slot.as_ref().is_some_and(is_known) {
            let (found, ticks) = event.attribution_with_ticks(writer)?;
            let mut text = slot.take().map(|known| known.text).unwrap_or_default();
            text.clear();
            let of_text = make(&mut text, found);
            if text.len() > MOST {
                self.long = text;
                return Some((found, &self.long));
            }
            let ticks = *ticks.start().max(of_text.start())..=*ticks.end().min(of_text.end());
            *slot = Some(Known { texts: of.texts, file, ids, ticks, found, text });
        }
        slot.as_ref().map(|known| (known.found, &*known.text))
    }
}

/// Returns the number of a slot.
#[inline]
const fn place(texts: u64, ids: SubjectIds) -> usize {
    let mixed = (texts as u32).wrapping_mul(0x9E37_79B1).wrapping_add(ids.hash());
    (mixed >> (u32::BITS - SLOT_BITS)) as usize
}
