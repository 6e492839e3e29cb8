//! The stack of an event.

use crate::decode::Event;

use super::member::{MemberValue, MemberWriter};

/// Writes the stack, and the methods and images that its addresses lie in.
pub(crate) fn write_stack<W: MemberWriter>(out: &mut W, event: &Event<'_>, addresses: &mut Vec<u64>) {
    let Some(found) = event.stack(addresses) else { return };
    out.list("stack", addresses.iter().copied().map(MemberValue::Hex));
    if let Some(missing) = found.missing {
        out.member("stack_missing", MemberValue::Text(missing.reason().as_bytes()));
    }
    let system = event.system();
    if let Some(at) = system.ticks(event.raw()).filter(|_| !addresses.is_empty() && system.has_frames()) {
        let frame = |(place, address): (usize, &u64)| {
            let frame = system.frame(found.pid.unwrap_or(0), *address, place, at);
            match (frame.method_name(), frame.image_offset()) {
                (Some((module, name)), _) => MemberValue::Method { module, name },
                (None, Some((image, offset))) => MemberValue::Frame { image, offset },
                (None, None) => MemberValue::Null,
            }
        };
        out.list("frames", addresses.iter().enumerate().map(frame));
    }
}
