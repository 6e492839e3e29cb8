//! Images of addresses as text.

use std::ops::RangeInclusive;

use crate::FileId;
use crate::decode::{Attribution, PendingEvent};
use crate::render::pen::{Literal, Mark, Pen};
use crate::select::{Placed, Role};

/// Images that were written before: samples and stacks are of few images.
#[derive(Debug)]
pub(super) struct ImageTexts {
    slots: Box<[Option<Known>]>,
}

const SLOTS: usize = 512;
/// Images begin at multiples of 64 KiB.
const GRANULARITY: u32 = 16;

/// What is at some addresses of a process, at some ticks.
#[derive(Debug)]
struct Known {
    pid: u32,
    file: FileId,
    addresses: RangeInclusive<u64>,
    ticks: RangeInclusive<i64>,
    /// The image's first address, and the text before an offset. `None` if there is none.
    image: Option<(u64, Literal)>,
}

impl Default for ImageTexts {
    fn default() -> Self {
        Self { slots: (0..SLOTS).map(|_| None).collect() }
    }
}

impl ImageTexts {
    /// Writes the image at the address that an event states, and the offset in it. `push` appends what is before the offset,
    /// given the name of the image; `after` is what is after it. Writes nothing if no image is there.
    #[inline]
    pub(super) fn write(
        &mut self,
        pen: &mut Pen,
        (event, placed, found): (&PendingEvent<'_>, &Placed, Attribution),
        push: impl FnOnce(&mut Vec<u8>, &str),
        after: Mark,
    ) {
        let Some(address) = placed.find(Role::Address, event.payload(), Some) else { return };
        let pid = found.pid.unwrap_or(0);
        let tick = event.system().timeline.of(event.raw());
        let file = event.raw().place().file;
        let place = (address >> GRANULARITY) as usize ^ (pid as usize >> 2).wrapping_mul(0x35);
        let Some(slot) = self.slots.get_mut(place % SLOTS) else { return };
        let is_known = |known: &Known| {
            known.pid == pid && known.file == file && known.addresses.contains(&address) && known.ticks.contains(&tick)
        };
        if !slot.as_ref().is_some_and(is_known) {
            *slot = Some(Known::new(pid, address, tick, event, push));
        }
        if let Some((base, before)) = slot.as_ref().and_then(|known| known.image.as_ref()) {
            pen.literal(before);
            pen.marked_hex(Mark::NONE, address - base, after);
        }
    }
}

impl Known {
    #[cold]
    fn new(pid: u32, address: u64, tick: i64, event: &PendingEvent<'_>, push: impl FnOnce(&mut Vec<u8>, &str)) -> Self {
        let span = event.system().images.span(pid, address, tick);
        let image = span.image.map(|image| {
            let mut text = Vec::new();
            push(&mut text, image.file_name());
            (image.base, Literal::new(&text))
        });
        Self { pid, file: event.raw().place().file, addresses: span.addresses, ticks: span.ticks, image }
    }
}
