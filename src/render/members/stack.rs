//! The stack of an event.

use std::sync::Arc;

use crate::decode::Event;
use crate::event::RawEvent;
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
        let frames = addresses.iter().enumerate();
        out.list("frames", frames.map(|(place, address)| frame_value(&system.frame(pid, *address, place, at), None)));
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
    out.list("frames", frames.iter().map(|(frame, functions)| frame_value(frame, functions.as_deref())));
    if frames.iter().any(|(_, functions)| functions.is_some()) {
        let lists = frames.iter().map(|(_, functions)| functions.as_deref());
        out.list("functions", lists.map(|functions| functions.map_or(MemberValue::Null, MemberValue::Functions)));
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
