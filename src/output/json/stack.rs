//! The stack of an event.

use crate::decode::Event;
use crate::render::json::quoted;
use crate::render::{escape, value};

use super::member::{push_list, push_text};

/// The stack, and the images that its addresses lie in.
pub(super) fn push_stack(out: &mut Vec<u8>, event: &Event<'_>, addresses: &mut Vec<u64>) {
    let Some(found) = event.stack(addresses) else { return };
    push_list(out, "stack", addresses.iter().copied(), push_address);
    if let Some(missing) = found.missing {
        push_text(out, "stack_missing", missing.reason().as_bytes());
    }
    let system = event.system();
    if let Some(at) = system.ticks(event.raw()).filter(|_| !addresses.is_empty() && !system.images.list().is_empty()) {
        let image = |address: u64| system.images.at(found.pid.unwrap_or(0), address, at);
        push_list(out, "frames", addresses.iter().copied(), |out, address| match image(address) {
            Some(image) => quoted(out, |out| {
                escape::push_utf8(out, image.file_name().as_bytes());
                out.push(b'+');
                value::hex(out, address - image.base);
            }),
            None => out.extend_from_slice(b"null"),
        });
    }
}

fn push_address(out: &mut Vec<u8>, address: u64) {
    quoted(out, |out| {
        value::hex(out, address);
    });
}
