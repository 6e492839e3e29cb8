//! A walk over part of a buffer whose bytes are kept elsewhere.

use crate::event::BufferContext;
use crate::format::{BufferHeader, Framing};
use crate::time::RawTime;

use super::timed_marker::timed_marker;
use super::{Stamp, Walk};

/// A [`Walk`] without its bytes, which are passed to each step: so that a list of walks and the memory they go through
/// can have one owner.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PartWalk {
    /// From the start of the part.
    at: usize,
    /// The place of the part, and the time of the event before the next one.
    context: BufferContext,
    /// Whether other bytes follow the part that no event leads to.
    before_gap: bool,
}

impl PartWalk {
    /// A walk over a part that begins where an event does: at the place of `context`, which has the time of the event
    /// before it.
    pub(crate) const fn new(context: BufferContext, before_gap: bool) -> Self {
        Self { at: 0, context, before_gap }
    }

    /// A walk over a whole buffer, from its first event on. `context` is that of the buffer, with the time of the first
    /// event that has one.
    pub(crate) const fn whole(context: BufferContext) -> Self {
        Self { at: BufferHeader::SIZE, context, before_gap: false }
    }

    /// Returns the context of the part.
    #[inline]
    pub(crate) const fn context(&self) -> &BufferContext {
        &self.context
    }

    /// Goes on where a copy has come to.
    #[inline]
    pub(crate) const fn resume(&mut self, copy: &Self) {
        self.at = copy.at;
        self.context.fallback_time = copy.context.fallback_time;
    }

    /// Returns the next event's length and time as [`Walk::next_stamp`] does; `part` is the same at each call.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `by-time`")]
    #[inline(always)]
    pub(crate) fn next_stamp(&mut self, part: &[u8]) -> Option<Stamp> {
        self.next_timed(part).or_else(|| self.next_odd_stamp(part))
    }

    /// Returns the same, and `None` not only at the end but also where the time is not found at once. Calls nothing, so
    /// that the walk can stay in registers.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `ordered`")]
    #[inline(always)]
    pub(crate) fn next_timed(&mut self, part: &[u8]) -> Option<Stamp> {
        let (marker, time) = timed_marker(self.context.framing, part.get(self.at..)?)?;
        let offset = self.context.place.offset + self.at as u32;
        self.at += Framing::next_marker(marker.len);
        self.context.fallback_time = time;
        Some(Stamp { offset, marker, time })
    }

    /// Returns the same for headers that must be read to be timed, and after gaps.
    #[cold]
    #[inline(never)]
    fn next_odd_stamp(&mut self, part: &[u8]) -> Option<Stamp> {
        let mut walk = Walk::part(part, self.context).before_gap(self.before_gap).from(self.at);
        let stamp = walk.next_stamp();
        self.at = walk.position();
        self.context.fallback_time = walk.last_time();
        stamp
    }

    /// Passes over the events before a time, up to one whose time is not found at once.
    pub(crate) fn pass_before(&mut self, part: &[u8], time: RawTime) {
        // Copies, which stay in registers.
        let (framing, mut at, mut last) = (self.context.framing, self.at, self.context.fallback_time);
        while let Some((marker, found)) = part.get(at..).and_then(|rest| timed_marker(framing, rest))
            && found < time
        {
            at += Framing::next_marker(marker.len);
            last = found;
        }
        (self.at, self.context.fallback_time) = (at, last);
    }
}
