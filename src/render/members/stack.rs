//! The stack of an event.

use std::sync::Arc;

use crate::decode::Event;
use crate::event::RawEvent;
#[cfg(feature = "output")]
use crate::limits;
use crate::system::{FrameAt, Function, System};

use super::member::{MemberValue, MemberWriter};

/// Writes the stack, and the methods, functions and images that its addresses lie in, as far as their names have room.
pub(crate) fn write_stack<W: MemberWriter>(
    out: &mut W,
    event: &Event<'_>,
    addresses: &mut Vec<u64>,
    room: fn(usize) -> NameRoom,
) {
    let Some(found) = event.stack(addresses) else { return };
    out.list("stack", addresses.iter().copied().map(MemberValue::Hex));
    if let Some(missing) = found.missing {
        out.member("stack_missing", MemberValue::Text(missing.reason().as_bytes()));
    }
    let (system, pid, room) = (event.system(), found.pid.unwrap_or(0), room(addresses.len()));
    if addresses.is_empty() || !system.has_frames() {
        return;
    }
    if system.has_frame_namer() {
        write_named_frames(out, system, event.raw(), pid, (addresses, room));
    } else if let Some(at) = system.ticks(event.raw()) {
        let (mut room, frames) = (room, addresses.iter().enumerate());
        let value = |(place, address): (usize, &u64)| frame_value(&system.frame(pid, *address, place, at), None);
        out.list("frames", frames.map(|frame| room.admitted(value(frame)).unwrap_or(NO_ROOM)));
    }
}

/// Writes the methods, functions and images that the addresses of an event's stack lie in, where something names native
/// code; then the functions of all frames, if there are any.
fn write_named_frames<W: MemberWriter>(
    out: &mut W,
    system: &System,
    event: &RawEvent<'_>,
    pid: u32,
    (addresses, room): (&[u64], NameRoom),
) {
    let Some(at) = system.ticks(event) else { return };
    let named = |(place, address): (usize, &u64)| {
        let frame = system.frame(pid, *address, place, at);
        (frame, system.functions_at(&frame))
    };
    let frames: Vec<(FrameAt<'_>, Option<Arc<[Function]>>)> = addresses.iter().enumerate().map(named).collect();
    let (mut of_frames, mut of_functions, mut has_functions) = (room, room, false);
    let mut shown = Vec::with_capacity(frames.len());
    // Before anything is written: a writer that wants one member does not look at others.
    for (frame, functions) in &frames {
        let admitted = of_frames.admitted(frame_value(frame, functions.as_deref()));
        has_functions |= admitted.is_some() && functions.is_some();
        shown.push(admitted.unwrap_or(NO_ROOM));
    }
    out.list("frames", shown.into_iter());
    if has_functions {
        let lists = frames.iter().map(|(_, functions)| functions.as_deref());
        let value = |functions: Option<_>| functions.map_or(MemberValue::Null, MemberValue::Functions);
        out.list("functions", lists.map(|list| of_functions.admitted(value(list)).unwrap_or(MemberValue::Null)));
    }
}

/// What stands for a frame whose name has no room.
pub(crate) const NO_ROOM: MemberValue<'static> = MemberValue::Text(b"(no room)");

/// The bytes of names that the frames of an event's stack may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameRoom {
    left: usize,
    is_full: bool,
}

impl NameRoom {
    /// Returns the room of an output for a stack with so many frames.
    #[cfg(feature = "output")]
    pub(crate) const fn of(frames: usize) -> Self {
        Self { left: limits::shown_of_stack(frames), is_full: false }
    }

    /// Returns room for any names.
    pub(crate) const fn unlimited(_: usize) -> Self {
        Self { left: usize::MAX, is_full: false }
    }

    /// Takes bytes. False if there are not as many: then nothing has room any more.
    pub(crate) const fn admits(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) if !self.is_full => self.left = left,
            _ => self.is_full = true,
        }
        !self.is_full
    }

    /// Returns whether something had no room, so that names need not be looked for.
    #[cfg(feature = "output")]
    pub(crate) const fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the value if it has room.
    fn admitted<'a>(&mut self, value: MemberValue<'a>) -> Option<MemberValue<'a>> {
        self.admits(bytes_of(value)).then_some(value)
    }
}

/// Returns how many bytes the names of a frame, or of its functions, have.
pub(crate) fn bytes_of(value: MemberValue<'_>) -> usize {
    match value {
        MemberValue::Method { module, name } => module.map_or(0, str::len) + name.len(),
        MemberValue::Frame { image, .. } => image.len(),
        MemberValue::Functions(functions) => {
            functions.iter().map(|function| function.name.len() + function.file.as_deref().map_or(0, str::len)).sum()
        }
        _ => 0,
    }
}

/// Returns the text of a frame: its method, the function that was called, or its place in an image.
pub(crate) fn frame_value<'a>(frame: &FrameAt<'a>, functions: Option<&'a [Function]>) -> MemberValue<'a> {
    let called = functions.and_then(<[Function]>::last);
    match (frame.method_name(), frame.image_offset(), called) {
        (Some((module, name)), _, _) => MemberValue::Method { module, name },
        (None, Some((image, _)), Some(called)) => MemberValue::Method { module: Some(image), name: &called.name },
        (None, Some((image, offset)), None) => MemberValue::Frame { image, offset },
        (None, None, _) => MemberValue::Null,
    }
}

#[cfg(all(test, feature = "output"))]
mod tests {
    use super::*;

    #[test]
    fn names_have_room_until_none_is_left() {
        let name = "n".repeat(limits::shown_of_stack(2) / 2);
        let method = MemberValue::Method { module: None, name: &name };
        let mut room = NameRoom::of(2);
        assert_eq!([0; 3].map(|_| room.admitted(method).is_some()), [true, true, false]);
        assert!(room.is_full() && !room.admits(0), "frames after that are not looked for");
        assert!(NameRoom::unlimited(2).admits(usize::MAX));
    }
}
