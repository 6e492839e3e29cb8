//! Images of addresses as text.

use std::ops::RangeInclusive;

use crate::decode::PendingEvent;
use crate::render::escape::push_str;
use crate::render::pen::{Literal, Mark, Pen};

/// Images that were written before: samples and stacks are of few images.
#[derive(Debug)]
pub(super) struct ImageTexts {
    slots: Box<[Option<Known>]>,
}

const QUOTE: Mark = Mark::new(b"\"");

const SLOTS: usize = 512;
/// Images begin at multiples of 64 KiB.
const GRANULARITY: u32 = 16;

/// What is at some addresses of a process, at some ticks.
#[derive(Debug)]
struct Known {
    pid: u32,
    file: u16,
    addresses: RangeInclusive<u64>,
    ticks: RangeInclusive<i64>,
    /// The image's first address, and its name between a quote and a plus sign. `None` if there is none.
    image: Option<(u64, Literal)>,
}

impl Default for ImageTexts {
    fn default() -> Self {
        Self { slots: (0..SLOTS).map(|_| None).collect() }
    }
}

impl ImageTexts {
    /// Writes `key` and the image and offset of an address as a string. Returns false, and writes nothing, if no image
    /// is there.
    #[inline]
    pub(super) fn write<const N: usize>(
        &mut self,
        pen: &mut Pen,
        key: &[u8; N],
        pid: u32,
        address: u64,
        event: &PendingEvent<'_>,
    ) -> bool {
        let tick = event.system().timeline.of(event.raw());
        let file = event.raw().place().file;
        let place = (address >> GRANULARITY) as usize ^ (pid as usize >> 2).wrapping_mul(0x35);
        let Some(slot) = self.slots.get_mut(place % SLOTS) else { return false };
        let is_known = |known: &Known| {
            known.pid == pid && known.file == file && known.addresses.contains(&address) && known.ticks.contains(&tick)
        };
        if !slot.as_ref().is_some_and(is_known) {
            *slot = Some(Known::new(pid, address, tick, event));
        }
        let Some((base, name)) = slot.as_ref().and_then(|known| known.image.as_ref()) else { return false };
        pen.block(key, N);
        pen.literal(name);
        pen.marked_hex(Mark::NONE, address - base, QUOTE);
        true
    }
}

impl Known {
    #[cold]
    fn new(pid: u32, address: u64, tick: i64, event: &PendingEvent<'_>) -> Self {
        let span = event.system().images.span(pid, address, tick);
        let image = span.image.map(|image| {
            let mut text = vec![b'"'];
            push_str(&mut text, image.file_name());
            text.push(b'+');
            (image.base, Literal::new(&text))
        });
        Self { pid, file: event.raw().place().file, addresses: span.addresses, ticks: span.ticks, image }
    }
}
