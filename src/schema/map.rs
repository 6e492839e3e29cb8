//! Names of values.

use crate::error::{Error, Result};
use crate::limits;

/// How a map is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MapKind {
    /// A value has one name.
    Values,
    /// Each bit (or group of bits) has a name.
    Bits,
    /// The value is text and is replaced by text.
    Texts,
}

/// Names of values: `valueMap`, `bitMap`, enumerations.
///
/// The texts of a manifest's map are messages, and Windows makes a blank of the line break at the end of each. A name
/// is the text without it; only messages of events print the text as it is ([`Map::text`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    name: Box<str>,
    kind: MapKind,
    /// Sorted by value for [`MapKind::Values`], else in the order given.
    entries: Box<[(u64, Box<str>)]>,
    /// The bits that have an empty name in a map of bits.
    elsewhere: u64,
}

impl Map {
    /// Makes a map of values or bits. When a value is given twice the first name counts. At most 65536 values have
    /// names, and [`limits::MAX_BIT_NAMES`] groups of bits.
    pub fn new<N: Into<Box<str>>>(
        name: impl Into<Box<str>>,
        kind: MapKind,
        entries: impl IntoIterator<Item = (u64, N)>,
    ) -> Result<Self> {
        let mut entries: Vec<(u64, Box<str>)> = entries.into_iter().map(|(v, n)| (v, n.into())).collect();
        let most = if kind == MapKind::Bits { limits::MAX_BIT_NAMES } else { 1 << 16 };
        if entries.len() > most {
            return Err(Error::limit("entries of a map", most));
        }
        if kind == MapKind::Values {
            entries.sort_by_key(|(value, _)| *value);
            entries.dedup_by_key(|(value, _)| *value);
        }
        let unnamed = entries.iter().filter(|(_, text)| kind == MapKind::Bits && name_of(text).is_empty());
        let elsewhere = unnamed.fold(0, |all, (bits, _)| all | bits);
        Ok(Self { name: name.into(), kind, entries: entries.into(), elsewhere })
    }

    /// Returns the same map for signed values of `bits` bits, fewer than 64, if it has negative values of more bits:
    /// `0xFFFFFFFF` and `0xFFFFFFFFFFFFFFFF` are -1.
    pub(super) fn narrowed(&self, bits: u32) -> Option<Self> {
        let least = -1_i64 << (bits - 1);
        let narrow = |value: u64| {
            let of_64 = value.cast_signed();
            let of_32 = u32::try_from(value).map_or(0, |value| value.cast_signed().into());
            let negative = [of_64, of_32].into_iter().find(|value: &i64| (least..0).contains(value))?;
            Some(negative.cast_unsigned() & (u64::MAX >> (64 - bits)))
        };
        let is_wide = |value: u64| narrow(value).is_some_and(|narrowed| narrowed != value);
        if self.kind != MapKind::Values || !self.entries.iter().any(|(value, _)| is_wide(*value)) {
            return None;
        }
        let entries = self.entries.iter().map(|(value, text)| (narrow(*value).unwrap_or(*value), text.clone()));
        Self::new(self.name.clone(), self.kind, entries).ok()
    }

    /// Returns its name.
    pub const fn name(&self) -> &str {
        &self.name
    }

    /// Returns how it is read.
    pub const fn kind(&self) -> MapKind {
        self.kind
    }

    /// Returns value and name of each entry.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &str)> {
        self.texts().map(|(value, text)| (value, name_of(text)))
    }

    /// Returns value and text of each entry, with the blanks at the ends of texts.
    pub fn texts(&self) -> impl Iterator<Item = (u64, &str)> {
        self.entries.iter().map(|(value, text)| (*value, &**text))
    }

    /// Returns about how many bytes of memory it takes.
    pub fn weight(&self) -> usize {
        let entries: usize = self.texts().map(|(_, text)| size_of::<(u64, Box<str>)>() + text.len()).sum();
        size_of::<Self>() + self.name.len() + entries
    }

    /// Bytes of the longest text that a value is shown as.
    pub(super) fn longest_label(&self) -> usize {
        let lens = self.entries.iter().map(|(_, name)| name.len());
        match self.kind {
            MapKind::Bits => lens.map(|len| len + 1).sum(),
            _ => lens.max().unwrap_or(0),
        }
    }

    /// Bytes of the text that this value is shown as; 0 if it has none.
    pub(crate) fn label_len(&self, value: u64) -> usize {
        match self.kind {
            MapKind::Bits => self.bit_texts(value).0.map(|text| text.len() + 1).sum(),
            _ => self.text(value).map_or(0, str::len),
        }
    }

    /// Returns the name that one entry gives a value.
    pub fn value(&self, value: u64) -> Option<&str> {
        self.text(value).map(name_of)
    }

    /// Returns the text that one entry gives a value: its name, and the blank that a message table leaves at its end.
    pub fn text(&self, value: u64) -> Option<&str> {
        let entry = match self.kind {
            MapKind::Values => self.entries.get(self.entries.binary_search_by_key(&value, |(known, _)| *known).ok()?),
            // They are in the order given.
            MapKind::Bits | MapKind::Texts => self.entries.iter().find(|(known, _)| *known == value),
        };
        entry.map(|(_, text)| &**text)
    }

    /// Returns the names of the bits set in `value`, larger groups before their parts as given, and the bits without a
    /// name. A name for 0 is used for 0 only. Bits with an empty
    /// name are shown by another field: they count as not set.
    pub fn bits(&self, value: u64) -> (impl Iterator<Item = &str>, u64) {
        let (texts, left) = self.bit_texts(value);
        (texts.map(name_of), left)
    }

    /// Returns as [`Map::bits`] does, with the texts in place of the names.
    pub fn bit_texts(&self, value: u64) -> (impl Iterator<Item = &str>, u64) {
        let value = value & !self.elsewhere;
        let named = self
            .entries
            .iter()
            .filter(move |(bits, _)| if value == 0 { *bits == 0 } else { *bits != 0 && value & bits == *bits });
        // What has an empty name is not set here.
        let left = value & !named.clone().fold(0, |all, (bits, _)| all | bits);
        (named.map(|(_, text)| &**text), left)
    }
}

/// The name that a text is.
fn name_of(text: &str) -> &str {
    text.trim_end_matches(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_texts_without_the_blank_of_message_tables() {
        let values = Map::new("m", MapKind::Values, [(1, "Rx "), (2, "Tx")]).unwrap();
        assert_eq!((values.value(1), values.text(1)), (Some("Rx"), Some("Rx ")));
        assert_eq!((values.value(2), values.text(2), values.text(3)), (Some("Tx"), Some("Tx"), None));
        assert_eq!(
            values.entries().chain(values.texts()).map(|(_, text)| text).collect::<Vec<_>>(),
            ["Rx", "Tx", "Rx ", "Tx"]
        );
        let bits = Map::new("m", MapKind::Bits, [(1, "Read "), (2, "Write ")]).unwrap();
        assert_eq!(bits.bits(7).0.collect::<Vec<_>>(), ["Read", "Write"]);
        assert_eq!((bits.bit_texts(7).0.collect::<Vec<_>>(), bits.bit_texts(7).1), (vec!["Read ", "Write "], 4));
    }

    #[test]
    fn negative_values_have_the_width_of_the_field() {
        let map = Map::new("m", MapKind::Values, [(u64::MAX, "A"), (0xFFFF_FFFE, "B"), (7, "C"), (0x80, "D")]).unwrap();
        let values = |bits| map.narrowed(bits).map(|map| map.entries().map(|(value, _)| value).collect::<Vec<_>>());
        assert_eq!(values(8), Some(vec![7, 0x80, 0xFE, 0xFF]));
        assert_eq!(values(32), Some(vec![7, 0x80, 0xFFFF_FFFE, 0xFFFF_FFFF]));
        let small = Map::new("m", MapKind::Values, [(1, "A"), (0xFFFF_FFFF, "B")]).unwrap();
        assert_eq!(small.narrowed(32), None);
    }

    #[test]
    fn groups_of_bits_are_few() {
        let entries = |count: u64| (0..count).map(|bits| (bits, "n"));
        assert!(Map::new("m", MapKind::Bits, entries(limits::MAX_BIT_NAMES as u64)).is_ok());
        assert!(Map::new("m", MapKind::Bits, entries(limits::MAX_BIT_NAMES as u64 + 1)).is_err());
        assert!(Map::new("m", MapKind::Values, entries(1 << 16)).is_ok());
    }
}
