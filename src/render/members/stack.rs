//! The stack of an event.

use crate::decode::Event;

use super::member::{MemberValue, MemberWriter};

/// Writes the stack, and the images that its addresses lie in.
pub(crate) fn write_stack<W: MemberWriter>(out: &mut W, event: &Event<'_>, addresses: &mut Vec<u64>) {
    let Some(found) = event.stack(addresses) else { return };
    out.list("stack", addresses.iter().copied().map(MemberValue::Hex));
    if let Some(missing) = found.missing {
        out.member("stack_missing", MemberValue::Text(missing.reason().as_bytes()));
    }
    let system = event.system();
    if let Some(at) = system.ticks(event.raw()).filter(|_| !addresses.is_empty() && !system.images.list().is_empty()) {
        let image = |address: u64| system.images.at(found.pid.unwrap_or(0), address, at);
        let frame = |address: u64| match image(address) {
            Some(image) => MemberValue::Frame { image: image.file_name(), offset: address - image.base },
            None => MemberValue::Null,
        };
        out.list("frames", addresses.iter().copied().map(frame));
    }
}
