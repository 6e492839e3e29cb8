//! Packs of registered providers.

use etwkit::parser::{SchemaProvider, TraceFacts};
use etwkit_registered::Registered;
use etwkit_registered::pack::{Naming, Pack};

use crate::event::{Plain, decode};
use crate::schema_size;

/// Providers and events of each that are looked up.
const PROVIDERS: usize = 8;
const EVENTS: usize = 16;

/// Opens the bytes as a pack (first byte even), or as the unpacked block of one with up to four providers, and asks it
/// for all that it states it has. The last bytes are the payload, too.
pub fn pack(data: &[u8]) {
    let Some((mode, bytes)) = data.split_first() else { return };
    let bytes = if mode & 1 == 0 { bytes.to_vec() } else { packed(bytes, mode >> 1 & 3) };
    let len = bytes.len();
    let Ok(pack) = Pack::open(bytes) else { return };
    assert!(pack.keys().len() <= len / 24);
    let mut events = Vec::new();
    for (at, (guid, naming)) in pack.keys().iter().enumerate().take(PROVIDERS) {
        let is_good = pack.check(at).is_ok();
        let provider = pack.provider(*guid, *naming);
        // One that takes what another has taken is not kept.
        assert!(provider.is_none() || is_good);
        assert!(provider.is_some() || !is_good || pack.keys().len() > 1, "a good provider is not there");
        let Some(provider) = provider else { continue };
        for (number, version, event) in provider.events().take(EVENTS) {
            assert!(provider.find(number, version).is_some(), "an event that is listed is not found");
            let _ = (provider.task(event.task), provider.opcode(event.task, event.opcode), provider.channel(16));
            let _ = provider.keywords(u64::MAX).count();
            if *naming == Naming::Manifest {
                events.push((*guid, number, version));
            }
        }
    }
    let tail = data.get(data.len().saturating_sub(64)..).unwrap_or_default();
    let parser = Registered::with_pack(Some(pack));
    for (guid, number, version) in events {
        let event = Plain::new(tail, true).named(guid, number, version);
        let Ok(Some(schema)) = parser.schema(&event.raw(), &TraceFacts::default()) else { continue };
        schema_size::check(&schema, data.len());
        decode(&schema, tail, true);
    }
}

/// Returns a pack of one block. The providers begin at its start and at a sixteenth, an eighth, .. of it.
fn packed(block: &[u8], more: u8) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec(block, 0);
    let providers = usize::from(more) + 1;
    let mut bytes = b"ETWFACT1".to_vec();
    bytes.extend([providers as u8, 0, 0, 0, 1, 0, 0, 0]);
    for at in 0..providers {
        bytes.extend([at as u8; 16]);
        bytes.extend([0; 4]);
        bytes.extend((block.len() * at / 16).to_le_bytes().into_iter().take(4));
    }
    for number in [16 + providers * 24 + 12, packed.len(), block.len()] {
        bytes.extend(number.to_le_bytes().into_iter().take(4));
    }
    bytes.extend(packed);
    bytes
}
