//! Frames of stacks as text.

use std::ops::RangeInclusive;

use crate::decode::PendingEvent;
use crate::render::members::{MemberValue, NO_ROOM, NameRoom, bytes_of, frame_value, push_member_value};
use crate::render::pen::{Literal, Pen};
use crate::system::{FrameKey, FrameSlots};

/// Frames that were written before.
#[derive(Debug, Default)]
pub(super) struct FrameTexts(FrameSlots<Known>);

/// Maximum number of bytes of texts that are kept: all that are may be long.
const MAX_KEPT: usize = 1 << 10;

/// The texts of an address.
#[derive(Debug)]
struct Known {
    name: Text,
    /// The functions that are inlined there, and the one that has them; `None` if no symbols name them.
    functions: Option<Text>,
    /// Bytes of the name and of the functions' names, as [`NameRoom`] counts them.
    bytes: usize,
    bytes_of_functions: usize,
}

/// Text in blocks that most names fit.
type Text = Literal<64>;

impl FrameTexts {
    /// Writes the members with the names and, if symbols have some, the functions of the addresses of an event's stack.
    pub(super) fn write(&mut self, pen: &mut Pen, event: &PendingEvent<'_>, pid: u32, addresses: &[u64]) {
        let machine = event.system().machine.number;
        let tick = event.system().timeline.of(event.raw());
        let place =
            |(number, address): (usize, &u64)| FrameKey { machine, pid, is_innermost: number == 0, address: *address };
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
        at: FrameKey,
        tick: i64,
        event: &PendingEvent<'_>,
        room: &mut NameRoom,
        bytes: impl Fn(&Known) -> usize,
    ) -> Option<&Known> {
        if room.is_full() {
            return None;
        }
        let known = self.0.of(at, tick, || Known::find(at, tick, event), |known| known.len() <= MAX_KEPT);
        known.filter(|known| room.admits(bytes(known)))
    }
}

impl Known {
    /// Finds the texts of an address, and the ticks for which they hold.
    #[cold]
    fn find(at: FrameKey, tick: i64, event: &PendingEvent<'_>) -> (Self, RangeInclusive<i64>) {
        let system = event.system();
        let (frame, ticks) = system.frame_span(at.pid, at.address, usize::from(!at.is_innermost), tick);
        let functions = system.functions_at(&frame);
        let name = frame_value(&frame, functions.as_deref());
        let functions = functions.as_deref().map(MemberValue::Functions);
        let (bytes, bytes_of_functions) = (bytes_of(name), functions.map_or(0, bytes_of));
        (Self { name: text(name), functions: functions.map(text), bytes, bytes_of_functions }, ticks)
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
