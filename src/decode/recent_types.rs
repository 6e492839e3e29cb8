//! The event types that were found last.

use crate::event::{EventTypeId, Header, RawEvent};
use crate::format::{HeaderType, LossEvent};

use super::short_key::ShortKey;

/// Events of one type with one header, counted since the last time that somebody asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    /// The type.
    pub(crate) id: EventTypeId,
    pub(crate) header: HeaderType,
    /// Hook of kernel events.
    pub(crate) hook: Option<u16>,
    /// What the events state that was lost.
    pub(crate) loss: Option<LossEvent>,
    pub(crate) events: u64,
    /// Bytes of their payloads.
    pub(crate) payload: u64,
}

impl Tally {
    /// One event.
    pub(crate) fn of(event: &RawEvent<'_>, id: EventTypeId) -> Self {
        let payload = event.payload().len() as u64;
        let loss = match event.header() {
            Header::Classic(header) => LossEvent::of(header.class, header.opcode),
            _ => None,
        };
        Self { id, header: event.header_type(), hook: event.hook(), loss, events: 1, payload }
    }
}

/// A type that was found, and its events that were counted.
#[derive(Clone, Copy, Debug)]
struct Recent {
    key: ShortKey,
    tally: Tally,
    /// Bytes before the payload.
    head: u32,
    seen: Seen,
}

/// What the first pass notes of a segment with events of some types: their marks, and in the last bit whether a part of
/// the first pass wants one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen(u64);

impl Seen {
    const OBSERVED: u64 = 1 << Self::MARKS;
    /// How many marks there are.
    pub(crate) const MARKS: u32 = u64::BITS - 1;

    /// An event of a type with a mark.
    pub(crate) const fn new(mark: u64, is_observed: bool) -> Self {
        Self(if is_observed { mark | Self::OBSERVED } else { mark })
    }

    /// Adds what another event has.
    #[inline]
    pub(crate) const fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Returns whether a part of the first pass wants one of the events.
    #[inline]
    pub(crate) const fn is_observed(self) -> bool {
        self.0 & Self::OBSERVED != 0
    }

    /// Returns its bits, the lower half first.
    pub(crate) const fn words(self) -> [u32; 2] {
        [self.0 as u32, (self.0 >> u32::BITS) as u32]
    }

    /// Returns what has these bits.
    pub(crate) const fn of_words([low, high]: [u32; 2]) -> Self {
        Self((high as u64) << u32::BITS | low as u64)
    }

    /// Returns whether one of the types has one of these marks.
    #[inline]
    pub(crate) const fn has(self, marks: u64) -> bool {
        self.0 & marks & !Self::OBSERVED != 0
    }
}

impl Recent {
    /// No event has the key, which is all zeros.
    const NONE: Self = {
        let (id, header, hook, loss) = (EventTypeId(0), HeaderType::Error, None, None);
        let tally = Tally { id, header, hook, loss, events: 0, payload: 0 };
        Self { key: ShortKey::NONE, tally, head: 0, seen: Seen(0) }
    };
}

const SLOTS: usize = 2048;

/// One type for each of some hashes.
#[derive(Debug)]
pub(crate) struct RecentTypes(Box<[Recent; SLOTS]>);

impl Default for RecentTypes {
    #[expect(clippy::large_stack_arrays, reason = "never made: the slice has the length of the array")]
    fn default() -> Self {
        // By way of a vector, because an array would be made on the stack. Its length is that of the array.
        let slots = vec![Recent::NONE; SLOTS].into_boxed_slice();
        Self(slots.try_into().unwrap_or_else(|_| Box::new([Recent::NONE; SLOTS])))
    }
}

impl RecentTypes {
    #[inline]
    pub(super) fn find(&self, key: ShortKey) -> Option<EventTypeId> {
        let recent = self.0.get(key.hash(SLOTS))?;
        (recent.key == key).then_some(recent.tally.id)
    }

    /// Counts an event of some bytes, if its type is among these.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `census`")]
    #[inline(always)]
    pub(crate) fn count(&mut self, key: ShortKey, bytes: usize) -> Option<Seen> {
        let recent = self.0.get_mut(key.hash(SLOTS)).filter(|recent| recent.key == key)?;
        recent.tally.events += 1;
        recent.tally.payload += bytes.saturating_sub(recent.head as usize) as u64;
        Some(recent.seen)
    }

    /// Adds the type of an event, in place of another one, whose count it returns.
    pub(super) fn add(&mut self, event: &RawEvent<'_>, id: EventTypeId, seen: Seen) -> Option<Tally> {
        let key = ShortKey::of(event)?;
        let slot = self.0.get_mut(key.hash(SLOTS))?;
        let tally = Tally { events: 0, payload: 0, ..Tally::of(event, id) };
        let recent = Recent { key, tally, head: event.header().payload_offset() as u32, seen };
        Some(std::mem::replace(slot, recent).tally)
    }

    /// Takes over all types of another list; `id` returns what a type's number is here. What was counted is not taken
    /// over.
    pub(super) fn take_over(&mut self, other: &Self, id: impl Fn(EventTypeId) -> Option<EventTypeId>) {
        for (slot, later) in self.0.iter_mut().zip(other.0.iter()).filter(|(_, later)| later.key != Recent::NONE.key) {
            if let Some(id) = id(later.tally.id) {
                let tally = Tally { id, events: 0, payload: 0, ..later.tally };
                *slot = Recent { tally, ..*later };
            }
        }
    }

    /// Hands over what was counted.
    pub(super) fn drain(&mut self, mut take: impl FnMut(&Tally)) {
        for recent in self.0.iter_mut().filter(|recent| recent.tally.events > 0) {
            take(&recent.tally);
            (recent.tally.events, recent.tally.payload) = (0, 0);
        }
    }
}
