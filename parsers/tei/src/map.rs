//! `EVENT_MAP_INFO` (section 10.1).

use etwkit::bytes::{Cursor, Guid};
use etwkit::error::{Error, Result};
use etwkit::schema::{Map, MapKind};

use crate::texts::Texts;

/// A map and the provider it belongs to.
#[derive(Debug)]
pub(crate) struct ProviderMap {
    pub(crate) provider: Guid,
    pub(crate) map: Map,
}

/// Flags of `MAP_FLAGS`.
mod flag {
    pub(super) const VALUE_MAP: u32 = 1;
    pub(super) const BIT_MAP: u32 = 2;
    pub(super) const PATTERN_MAP: u32 = 4;
    pub(super) const WBEM_VALUE_MAP: u32 = 8;
    pub(super) const WBEM_BIT_MAP: u32 = 0x10;
    pub(super) const WBEM_FLAG: u32 = 0x20;
    pub(super) const WBEM_NO_MAP: u32 = 0x40;
}

/// How the numbers of the entries are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Values, or masks of a bit map.
    Plain,
    /// Bit numbers (`BitMap` qualifier of MOF).
    BitNumber,
    /// Nothing: the place in the list is the value (`Values` without `ValueMap`).
    Place,
    /// Nothing: the place in the list is the bit number (`BitValues` without `BitMap`).
    PlaceOfBit,
}

/// Reads the payload of an opcode 33 event. `None` for a pattern map, which matches parts of texts: nothing in a
/// payload needs it to be read.
///
/// The flags are described in the sample "Retrieving map information" of Microsoft's TDH documentation.
pub(crate) fn read(payload: &[u8]) -> Result<Option<ProviderMap>> {
    let provider = Cursor::new(payload).guid("provider of a map")?;
    let blob = payload.get(16..).unwrap_or_default();
    let mut cursor = Cursor::with_origin(blob, 16);
    let name = cursor.u32("name of a map")?;
    let flags = cursor.u32("flags of a map")?;
    let count = cursor.u32("entry count of a map")? as usize;
    let by_text = cursor.u32("value type of a map")? == 1;
    let Some((kind, meaning)) = meaning(flags) else { return Ok(None) };
    let have = cursor.rest().len() / 8;
    if count > have {
        return Err(Error::truncated("entries of a map", count, have).at(24));
    }
    let mut texts = Texts::with_origin(blob, 16);
    let name = texts.get(name, "name of a map")?.unwrap_or_default();
    let mut entries = Vec::new();
    for place in 0..count {
        let text = cursor.u32("text of a map entry")?;
        let input = cursor.u32("value of a map entry")?;
        let input = if by_text { number(&mut texts, input)? } else { Some(input.into()) };
        let value = match meaning {
            Meaning::Plain => input,
            Meaning::BitNumber => input.and_then(|bit| 1u64.checked_shl(u32::try_from(bit).ok()?)),
            Meaning::Place => Some(place as u64),
            Meaning::PlaceOfBit => 1u64.checked_shl(place as u32),
        };
        entries.extend(value.zip(texts.get_with_blank(text, "text of a map entry")?));
    }
    Ok(Some(ProviderMap { provider, map: Map::new(name, kind, entries)? }))
}

/// Returns a value that is given as text: decimal, or hexadecimal after `0x`. Other text cannot be compared with a
/// number.
fn number(texts: &mut Texts<'_>, offset: u32) -> Result<Option<u64>> {
    let text = texts.get(offset, "value of a map entry")?.unwrap_or_default();
    Ok(etwkit::bytes::number(text.trim()))
}

fn meaning(flags: u32) -> Option<(MapKind, Meaning)> {
    let has = |bits| flags & bits != 0;
    Some(match () {
        () if has(flag::PATTERN_MAP) => return None,
        () if has(flag::VALUE_MAP) => (MapKind::Values, Meaning::Plain),
        () if has(flag::BIT_MAP) => (MapKind::Bits, Meaning::Plain),
        () if has(flag::WBEM_FLAG) => (MapKind::Bits, Meaning::Plain),
        () if has(flag::WBEM_BIT_MAP) && has(flag::WBEM_NO_MAP) => (MapKind::Bits, Meaning::PlaceOfBit),
        () if has(flag::WBEM_BIT_MAP) => (MapKind::Bits, Meaning::BitNumber),
        () if has(flag::WBEM_NO_MAP) => (MapKind::Values, Meaning::Place),
        () if has(flag::WBEM_VALUE_MAP) => (MapKind::Values, Meaning::Plain),
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a map called `M` with two entries, `A` for 1 and `B` for 2.
    fn blob(flags: u32, count: u32) -> Vec<u8> {
        let mut blob = vec![7; 16]; // provider
        for number in [32, flags, count, 0] {
            blob.extend(u32::to_le_bytes(number)); // name at 32, flags, entries, values are numbers
        }
        for (text, value) in [(36, 1), (42, 2)] {
            blob.extend(u32::to_le_bytes(text));
            blob.extend(u32::to_le_bytes(value));
        }
        blob.extend(b"M\0\0\0"); // 32
        blob.extend(b"A\0 \0\0\0"); // 36
        blob.extend(b"B\0 \0\0\0"); // 42
        blob
    }

    fn entries(flags: u32) -> Option<(MapKind, Vec<(u64, String)>)> {
        let map = read(&blob(flags, 2)).unwrap()?.map;
        assert_eq!(map.name(), "M");
        Some((map.kind(), map.entries().map(|(value, text)| (value, text.to_owned())).collect()))
    }

    #[test]
    fn flags_tell_what_the_numbers_mean() {
        let plain = |a, b| vec![(a, "A".to_owned()), (b, "B".to_owned())];
        assert_eq!(entries(1), Some((MapKind::Values, plain(1, 2))));
        assert_eq!(entries(2), Some((MapKind::Bits, plain(1, 2))));
        assert_eq!(entries(8), Some((MapKind::Values, plain(1, 2))));
        assert_eq!(entries(0x10), Some((MapKind::Bits, plain(2, 4))));
        assert_eq!(entries(0x30), Some((MapKind::Bits, plain(1, 2))));
        assert_eq!(entries(0x50), Some((MapKind::Bits, plain(1, 2))));
        assert_eq!(entries(0x48), Some((MapKind::Values, plain(0, 1))));
        assert_eq!(entries(4), None);
        assert_eq!(entries(0), None);
    }

    #[test]
    fn texts_keep_the_blank_of_message_tables() {
        let map = read(&blob(1, 2)).unwrap().unwrap().map;
        assert_eq!(map.texts().collect::<Vec<_>>(), [(1, "A "), (2, "B ")]);
        assert_eq!(map.entries().collect::<Vec<_>>(), [(1, "A"), (2, "B")]);
    }

    #[test]
    fn a_count_beyond_the_blob_is_an_error_with_its_place() {
        assert_eq!(read(&blob(1, 5)).unwrap_err().offset(), Some(24));
        // The third entry is the text "M": its own text is at 0x4d of the map, 0x5d of the payload.
        assert_eq!(read(&blob(1, 3)).unwrap_err().offset(), Some(0x5d));
        assert_eq!(read(&blob(1, u32::MAX)).unwrap_err().offset(), Some(24));
        assert_eq!(read(&[0; 18]).unwrap_err().offset(), Some(16));
        assert!(read(&[]).is_err());
    }

    #[test]
    fn values_may_be_texts() {
        let mut map = blob(1, 2);
        map[28] = 1; // values are texts
        map[36..40].copy_from_slice(&48u32.to_le_bytes()); // of the first entry: at 48
        map[44..48].copy_from_slice(&36u32.to_le_bytes()); // of the second: "A", no number
        map.extend(b"0\0x\x001\x000\0\0\0"); // 48
        let map = read(&map).unwrap().unwrap().map;
        assert_eq!(map.entries().collect::<Vec<_>>(), [(16, "A")]);
    }
}
