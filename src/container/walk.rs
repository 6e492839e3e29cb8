//! The events of one buffer.
//!
//! Damage handled here: bytes between events. A walk goes on with the next event that leads to another one, to fill or
//! to the end; what it passed is an [`UnreadBytes`].

use crate::event::{BufferContext, Place, RawEvent};
use crate::format::{BufferHeader, Framing, Marker};
use crate::time::RawTime;

use super::BufferInfo;
use super::timed_marker::timed_marker;

/// The next item of a buffer.
#[derive(Clone, Copy, Debug)]
pub enum Step<'d> {
    /// An event.
    Event(RawEvent<'d>),
    /// Bytes that are not an event.
    UnreadBytes(UnreadBytes),
}

/// The least that is known of an event: enough to put events in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// From the start of the (unpacked) buffer.
    pub offset: u32,
    /// Header type and length.
    pub marker: Marker,
    /// Raw time stamp; that of the event before it for headers without one.
    pub time: RawTime,
}

/// Bytes of a buffer that are not an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnreadBytes {
    /// From the start of the (unpacked) buffer.
    pub start: u32,
    /// How many.
    pub len: u32,
    /// Whether all of them are the fill byte 0xFF: then nothing is lost.
    pub fill: bool,
}

/// Iterates the events of a loaded buffer. Ends at the used length; after damage it goes on with the next event that
/// is followed by another one or by the end.
#[derive(Clone, Debug)]
pub struct Walk<'d> {
    /// The bytes of the walk, from `base` of the buffer on.
    bytes: &'d [u8],
    base: usize,
    /// From the start of `bytes`.
    at: usize,
    context: BufferContext,
    /// Whether other bytes follow that no event leads to.
    before_gap: bool,
}

impl<'d> Walk<'d> {
    /// Walks `bytes`, a buffer from its header to its used length, the `number`-th of the trace.
    pub fn new(bytes: &'d [u8], info: &BufferInfo, number: u32) -> Self {
        let context = info.context(number);
        let mut walk = Self { bytes, base: 0, at: BufferHeader::SIZE, context, before_gap: false };
        // Messages without a time stamp take that of the event before them (section 8.4). The first ones have none
        // before them and take the next.
        walk.context.fallback_time = walk.first_time();
        walk
    }

    /// Walks a part of a buffer: `bytes` begin where an event does. `context` has the place of that event and the
    /// time of the one before it.
    pub const fn part(bytes: &'d [u8], context: BufferContext) -> Self {
        Self { bytes, base: context.place.offset as usize, at: 0, context, before_gap: false }
    }

    /// Sets whether a gap follows the part in its buffer. Then the last bytes of the part are not an event, unless
    /// events lead there.
    #[must_use]
    pub const fn before_gap(mut self, before_gap: bool) -> Self {
        self.before_gap = before_gap;
        self
    }

    /// Goes on from a place, from the start of the bytes that are walked.
    pub(super) const fn from(mut self, at: usize) -> Self {
        self.at = at;
        self
    }

    /// Returns where the next event begins, from the start of the buffer.
    pub const fn offset(&self) -> u32 {
        (self.base + self.at) as u32
    }

    /// Returns where the next event begins, from the start of the bytes that are walked.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Returns the time of the last event that had one.
    pub const fn last_time(&self) -> RawTime {
        self.context.fallback_time
    }

    /// Returns the next event or gap; `None` at the end.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stages `walk` and `census`")]
    #[inline(always)]
    pub fn step(&mut self) -> Option<Step<'d>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        if let Some((marker, time)) = timed_marker(self.context.framing, rest)
            && let Some(bytes) = rest.get(..marker.len)
        {
            let BufferContext { processor, place, .. } = self.context;
            let place = Place { offset: self.offset(), ..place };
            self.at += Framing::next_marker(marker.len);
            self.context.fallback_time = time;
            return Some(Step::Event(RawEvent::timed(bytes, marker, time, processor, place)));
        }
        Some(self.odd_step(rest))
    }

    /// Returns the bytes from the next event on, its marker and its time, if these are found at once.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `census`")]
    #[inline(always)]
    pub(crate) fn peek_timed(&self) -> Option<(&'d [u8], Marker, RawTime)> {
        let rest = self.bytes.get(self.at..)?;
        let (marker, time) = timed_marker(self.context.framing, rest)?;
        Some((rest, marker, time))
    }

    /// Passes over the event that [`Walk::peek_timed`] found.
    #[inline]
    pub(crate) const fn pass(&mut self, marker: Marker, time: RawTime) {
        self.at += Framing::next_marker(marker.len);
        self.context.fallback_time = time;
    }

    /// Takes an event whose header must be read to be timed, or a gap.
    #[inline(never)]
    fn odd_step(&mut self, rest: &'d [u8]) -> Step<'d> {
        if let Some(event) = self.event(rest) {
            self.at += self.context.framing.step(event.bytes().len());
            self.context.fallback_time = event.time();
            return Step::Event(event);
        }
        self.gap(rest)
    }

    /// Returns the next event; gaps are skipped.
    #[inline]
    pub fn next_event(&mut self) -> Option<RawEvent<'d>> {
        loop {
            if let Step::Event(event) = self.step()? {
                return Some(event);
            }
        }
    }

    /// Returns the next event's length and time, without looking at the rest of its header; gaps are skipped.
    #[inline]
    pub fn next_stamp(&mut self) -> Option<Stamp> {
        let rest = self.bytes.get(self.at..)?;
        if let Some((marker, time)) = timed_marker(self.context.framing, rest) {
            let offset = self.offset();
            self.at += Framing::next_marker(marker.len);
            self.context.fallback_time = time;
            return Some(Stamp { offset, marker, time });
        }
        self.next_odd_stamp()
    }

    /// Returns the same for headers that must be read to be timed, and after gaps.
    #[cold]
    fn next_odd_stamp(&mut self) -> Option<Stamp> {
        let event = self.next_event()?;
        let marker = Marker { header: event.header_type(), len: event.bytes().len() };
        Some(Stamp { offset: event.place().offset, marker, time: event.time() })
    }

    fn event(&self, rest: &'d [u8]) -> Option<RawEvent<'d>> {
        let marker = self.context.framing.marker(rest)?;
        let bytes = rest.get(..marker.len)?;
        let mut context = self.context;
        context.place.offset = (self.base + self.at) as u32;
        RawEvent::new(bytes, marker, context)
    }

    /// Time of the first event that has one, for messages without a stamp that come before it.
    fn first_time(&self) -> RawTime {
        let mut probe = self.clone();
        while let Some(event) = probe.next_event() {
            if event.has_time() {
                return event.time();
            }
        }
        RawTime(0)
    }

    #[cold]
    #[inline(never)]
    fn gap(&mut self, rest: &[u8]) -> Step<'d> {
        let start = self.at;
        let len = rest.len();
        let framing = self.context.framing;
        let skip = if framing.is_fill(rest) && rest.iter().all(|&b| b == 0xFF) {
            len
        } else {
            let mut places = (framing.align()..len).step_by(framing.align());
            // A marker alone proves nothing, because padding and payloads contain old markers (trap 5).
            let resumes = |next: &[u8]| resumes(next, framing, self.before_gap);
            places.find(|&at| rest.get(at..).is_some_and(resumes)).unwrap_or(len)
        };
        self.at = start + skip;
        let all_fill = |gap: &[u8]| gap.iter().all(|&b| b == 0xFF);
        // Blocks of records have no fill (section 17).
        let fill = framing != Framing::Records && rest.get(..skip).is_some_and(all_fill);
        Step::UnreadBytes(UnreadBytes { start: (self.base + start) as u32, len: skip as u32, fill })
    }
}

/// Returns whether an event begins here and is followed by another one, by fill or by the end, which may precede a gap.
fn resumes(bytes: &[u8], framing: Framing, before_gap: bool) -> bool {
    let Some(marker) = framing.marker(bytes).filter(|marker| marker.len <= bytes.len()) else { return false };
    match bytes.get(framing.step(marker.len)..) {
        None | Some([]) => !before_gap,
        Some(next) => leads_on(next, framing),
    }
}

/// Returns whether an event may end where `next` begins: with another one or with fill.
pub(crate) fn leads_on(next: &[u8], framing: Framing) -> bool {
    framing.is_fill(next) || framing.marker(next).is_some_and(|marker| marker.len <= next.len())
}
