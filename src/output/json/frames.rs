//! Frames of stacks as text.

use std::ops::RangeInclusive;

use crate::FileId;
use crate::decode::PendingEvent;
use crate::render::members::{MemberValue, NO_ROOM, NameRoom, bytes_of, frame_value, push_member_value};
use crate::render::pen::{Literal, Pen};

/// Frames that were written before: stacks have few different ones.
#[derive(Debug, Default)]
pub(super) struct FrameTexts {
    /// Empty until there is a frame.
    slots: Vec<Option<Known>>,
    /// The last one with long texts, which would take too much memory if all were kept.
    long: Option<Known>,
}

/// A power of two.
const SLOTS: usize = 1 << 12;
/// Maximum number of bytes of texts that are kept in a slot.
const MAX_KEPT: usize = 1 << 10;

/// The texts of an address of a process, at some ticks.
#[derive(Debug)]
struct Known {
    at: Place,
    ticks: RangeInclusive<i64>,
    name: Text,
    /// The functions that are inlined there, and the one that has them; `None` if no symbols name them.
    functions: Option<Text>,
    /// Bytes of the name and of the functions' names, as [`NameRoom`] counts them.
    bytes: usize,
    bytes_of_functions: usize,
}

/// Text in blocks that most names fit.
type Text = Literal<64>;

/// An address in a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    pid: u32,
    file: FileId,
    /// Whether it is that of the next instruction, and not the one to which a call returns.
    is_innermost: bool,
    address: u64,
}

impl FrameTexts {
    /// Writes the members with the names and, if symbols have some, the functions of the addresses of an event's stack.
    pub(super) fn write(&mut self, pen: &mut Pen, event: &PendingEvent<'_>, pid: u32, addresses: &[u64]) {
        let file = event.raw().place().file;
        let tick = event.system().timeline.of(event.raw());
        let place =
            |(number, address): (usize, &u64)| Place { pid, file, is_innermost: number == 0, address: *address };
        let mut has_functions = false;
        let mut room = NameRoom::of(addresses.len());
        let mut of_functions = room;
        pen.bytes(b",\"frames\":[");
        for at in addresses.iter().enumerate().map(place) {
            match self.admitted(at, tick, event, &mut room, |known| known.bytes) {
                Some(known) => {
                    has_functions |= known.functions.is_some();
                    pen.literal(&known.name);
                }
                None => pen.with_vec(|out| push_member_value(out, NO_ROOM)),
            }
            pen.byte(b',');
        }
        pen.replace_last(b',', b']');
        if has_functions {
            pen.bytes(b",\"functions\":[");
            for at in addresses.iter().enumerate().map(place) {
                let known = self.admitted(at, tick, event, &mut of_functions, |known| known.bytes_of_functions);
                match known.and_then(|known| known.functions.as_ref()) {
                    Some(functions) => pen.literal(functions),
                    None => pen.bytes(b"null"),
                }
                pen.byte(b',');
            }
            pen.replace_last(b',', b']');
        }
    }

    /// Returns the texts of an address if those that are wanted have room.
    #[inline]
    fn admitted(
        &mut self,
        at: Place,
        tick: i64,
        event: &PendingEvent<'_>,
        room: &mut NameRoom,
        bytes: impl Fn(&Known) -> usize,
    ) -> Option<&Known> {
        if room.is_full() {
            return None;
        }
        self.of(at, tick, event).filter(|known| room.admits(bytes(known)))
    }

    /// Returns the texts of an address.
    #[inline]
    fn of(&mut self, at: Place, tick: i64, event: &PendingEvent<'_>) -> Option<&Known> {
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        let mixed = (at.address ^ u64::from(at.pid) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = self.slots.get_mut((mixed >> 48) as usize % SLOTS)?;
        if !slot.as_ref().is_some_and(|known| known.at == at && known.ticks.contains(&tick)) {
            let known = Known::new(at, tick, event);
            if known.len() > MAX_KEPT {
                self.long = Some(known);
                return self.long.as_ref();
            }
            *slot = Some(known);
        }
        slot.as_ref()
    }
}

impl Known {
    #[cold]
    fn new(at: Place, tick: i64, event: &PendingEvent<'_>) -> Self {
        let system = event.system();
        let (frame, ticks) = system.frame_span(at.pid, at.address, usize::from(!at.is_innermost), tick);
        let functions = system.functions_at(&frame);
        let name = frame_value(&frame, functions.as_deref());
        let functions = functions.as_deref().map(MemberValue::Functions);
        let (bytes, bytes_of_functions) = (bytes_of(name), functions.map_or(0, bytes_of));
        Self { at, ticks, name: text(name), functions: functions.map(text), bytes, bytes_of_functions }
    }

    /// Returns the number of bytes of both texts.
    fn len(&self) -> usize {
        self.name.len() + self.functions.as_ref().map_or(0, Text::len)
    }
}

fn text(value: MemberValue<'_>) -> Text {
    let mut text = Vec::new();
    push_member_value(&mut text, value);
    Text::new(&text)
}
