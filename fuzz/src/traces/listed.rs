//! Seeds: events as a structured input lists them.

use etwkit::bytes::Guid;
use etwkit_synth::{Event, HeaderKind};

use super::ids::{Id, number_of};

/// Lists events for the targets that take traces: an input of one byte more, which states that it is structured. Events
/// that no parser or analysis has by its id are left out.
#[must_use]
pub fn listed(events: &[&Event]) -> Vec<u8> {
    let mut input = vec![0, 1];
    for &event in events {
        let Some((form, number)) = form(event) else { continue };
        let payload = event.payload();
        let payload = payload.get(..0x0FFF).unwrap_or(payload);
        let len = u16::try_from(payload.len()).unwrap_or_default().to_le_bytes();
        let [low, high] = number.to_le_bytes();
        let (version, thread) = (event.version as u8, event.tid.unwrap_or_default() as u8);
        input.extend([form | 2 << 3, low, high, version, thread, event.opcode & 3, len[0], len[1]]);
        input.extend(payload);
    }
    input
}

/// Returns the header's form and the number of the id.
fn form(event: &Event) -> Option<(u8, u16)> {
    let guid = || event.provider.map(|guid| Guid::from_bytes(guid.to_bytes()));
    match (event.kind, event.hook, event.id) {
        (HeaderKind::PerfInfo32 | HeaderKind::PerfInfo64, Some(hook), _) => Some((1, hook)),
        (_, Some(hook), _) => Some((0, hook)),
        (_, _, Some(id)) => number_of(Id::Manifest(guid()?, id)).map(|number| (5, number)),
        _ => number_of(Id::Classic(guid()?, event.opcode)).map(|number| (4, number)),
    }
}
