//! The stack of an event.

use std::sync::Arc;

use crate::decode::Event;
use crate::event::RawEvent;
use crate::limits;
use crate::system::{FrameAt, Function, System};

use super::member::{MemberValue, MemberWriter};

/// Writes the stack, and the methods, functions and images that its addresses lie in.
pub(crate) fn write_stack<W: MemberWriter>(out: &mut W, event: &Event<'_>, addresses: &mut Vec<u64>) {
    let Some(found) = event.stack(addresses) else { return };
    out.list("stack", addresses.iter().copied().map(MemberValue::Hex));
    if let Some(missing) = found.missing {
        out.member("stack_missing", MemberValue::Text(missing.reason().as_bytes()));
    }
    let (system, pid) = (event.system(), found.pid.unwrap_or(0));
    if addresses.is_empty() || !system.has_frames() {
        return;
    }
    if system.has_frame_namer() {
        write_named_frames(out, system, event.raw(), pid, addresses);
    } else if let Some(at) = system.ticks(event.raw()) {
        let (mut room, frames) = (NameRoom::of(addresses.len()), addresses.iter().enumerate());
        let value = |(place, address): (usize, &u64)| frame_value(&system.frame(pid, *address, place, at), None);
        out.list("frames", frames.map(|frame| room.admitted(value(frame))));
        write_cut(out, room.refused());
    }
}

/// Writes the methods, functions and images that the addresses of an event's stack lie in, where something names native
/// code; then the functions of all frames, if there are any.
fn write_named_frames<W: MemberWriter>(
    out: &mut W,
    system: &System,
    event: &RawEvent<'_>,
    pid: u32,
    addresses: &[u64],
) {
    let Some(at) = system.ticks(event) else { return };
    let named = |(place, address): (usize, &u64)| {
        let frame = system.frame(pid, *address, place, at);
        (frame, system.functions_at(&frame))
    };
    let frames: Vec<(FrameAt<'_>, Option<Arc<[Function]>>)> = addresses.iter().enumerate().map(named).collect();
    let mut room = NameRoom::of(addresses.len());
    out.list("frames", frames.iter().map(|(frame, functions)| room.admitted(frame_value(frame, functions.as_deref()))));
    let mut of_functions = NameRoom::of(addresses.len());
    if frames.iter().any(|(_, functions)| functions.is_some()) {
        let lists = frames.iter().map(|(_, functions)| functions.as_deref());
        let value = |functions: Option<_>| functions.map_or(MemberValue::Null, MemberValue::Functions);
        out.list("functions", lists.map(|functions| of_functions.admitted(value(functions))));
    }
    write_cut(out, room.refused() + of_functions.refused());
}

/// Writes how many frames and lists of functions are `null` because their names had no room.
pub(crate) fn write_cut<W: MemberWriter>(out: &mut W, refused: u64) {
    if refused > 0 {
        out.member("frames_cut", MemberValue::Number(refused));
    }
}

/// The bytes of names that the frames of an event's stack may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameRoom {
    left: usize,
    refused: u64,
}

impl NameRoom {
    /// Returns the room of a stack with so many frames.
    pub(crate) const fn of(frames: usize) -> Self {
        Self { left: limits::shown_of_stack(frames), refused: 0 }
    }

    /// Takes bytes. False if there are not as many: then nothing has room any more.
    pub(crate) const fn admits(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        match left {
            Some(left) if !self.is_full() => self.left = left,
            _ => self.refused += 1,
        }
        !self.is_full()
    }

    /// Returns whether something had no room, so that names need not be looked for.
    pub(crate) const fn is_full(&self) -> bool {
        self.refused > 0
    }

    /// Returns how many had no room.
    pub(crate) const fn refused(&self) -> u64 {
        self.refused
    }

    /// Returns the value if it has room, else null.
    fn admitted<'a>(&mut self, value: MemberValue<'a>) -> MemberValue<'a> {
        if self.admits(bytes_of(value)) { value } else { MemberValue::Null }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_room_until_none_is_left() {
        let name = "n".repeat(limits::shown_of_stack(2) / 2);
        let method = MemberValue::Method { module: None, name: &name };
        let mut room = NameRoom::of(2);
        let admitted = [0; 3].map(|_| matches!(room.admitted(method), MemberValue::Method { .. }));
        assert_eq!((admitted, room.refused()), ([true, true, false], 1));
        assert!(room.is_full() && !room.admits(0), "frames after that are not looked for");
        assert_eq!(room.refused(), 2);
    }
}
