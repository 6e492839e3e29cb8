//! `EventSource` manifests in the event stream (section 10.3).

use crate::event::ModernEvent;
use crate::guid::Guid;
use crate::narrow::u16_of;
use crate::payload::Payload;

/// Returns the manifest events of a source: id 0xFFFE, 8-byte envelope, at most `chunk` bytes of XML each.
///
/// Windows' sources use chunks of 0xFF00 bytes; a smaller number makes several events of a short manifest.
pub fn manifest_events(source: Guid, xml: &str, chunk: usize) -> Vec<ModernEvent> {
    let chunks: Vec<_> = xml.as_bytes().chunks(chunk).collect();
    let total = u16_of(chunks.len());
    let envelope = |number| Payload::new().u8(1).u8(1).u8(0).u8(0x5b).u16(total).u16(number);
    let event = |(number, part): (u16, &&[u8])| {
        let base = ModernEvent::new(source).id(0xfffe).version(1).task(0xfffe).opcode(0xfe);
        base.keyword(0x00ff_ffff_ffff_ffff).payload(envelope(number).bytes(part))
    };
    (0..).zip(&chunks).map(event).collect()
}
