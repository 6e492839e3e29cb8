//! The records of a PDB's type stream or id stream, as bytes.
//!
//! Layouts: `cvinfo.h` of microsoft-pdb, and "The PDB TPI and IPI Streams" of LLVM's documentation.

use std::sync::Arc;

use etwkit::bytes::u32_at;

/// The records of a stream. The first one has the number of the stream's header.
#[derive(Debug)]
pub(crate) struct Records {
    bytes: Arc<Vec<u8>>,
    first: u32,
    count: u32,
    /// The place of every eighth record.
    places: Vec<u32>,
}

impl Records {
    /// Finds the records of a stream. The error states what `pdb2` would take too much memory for.
    pub(crate) fn new(bytes: Arc<Vec<u8>>) -> Result<Self, &'static str> {
        let [header, first, end] = [4, 8, 12].map(|at| u32_at(&bytes, at));
        if u64::from(end.saturating_sub(first)) > bytes.len() as u64 / SMALLEST || end < first {
            return Err("its types claim to be more than it holds");
        }
        let mut records = Self { bytes, first, count: 0, places: Vec::new() };
        let mut at = header as usize;
        while let Some(record) = records.at(at) {
            if count_of(record).is_some_and(|count| count + 6 > record.len() as u64) {
                return Err("a list in its types is longer than its record");
            }
            let next = at + 2 + record.len();
            if records.count.is_multiple_of(STRIDE) {
                records.places.push(at as u32);
            }
            records.count += 1;
            at = next;
        }
        Ok(records)
    }

    /// Returns the numbers of all records.
    pub(crate) fn indices(&self) -> impl Iterator<Item = u32> + use<> {
        self.first..self.first.saturating_add(self.count)
    }

    /// Returns a record by its number: its kind (`u16`) and what follows. Numbers below the first are built-in types
    /// and have none.
    pub(crate) fn get(&self, index: u32) -> Option<&[u8]> {
        let number = index.checked_sub(self.first).filter(|number| *number < self.count)?;
        let mut at = *self.places.get((number / STRIDE) as usize)? as usize;
        for _ in 0..number % STRIDE {
            at += 2 + self.at(at)?.len();
        }
        self.at(at)
    }

    /// The record whose length (`u16`) is at a place.
    fn at(&self, at: usize) -> Option<&[u8]> {
        let (len, rest) = self.bytes.get(at..)?.split_first_chunk::<2>()?;
        rest.get(..u16::from_le_bytes(*len).into()).filter(|record| record.len() >= 2)
    }
}

/// What a record refers to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refers {
    /// Nothing; the number of bytes of text that it may become.
    Text(u32),
    /// These types.
    Types(Vec<u32>),
    /// A scope (an id, 0 if none), and types.
    Scope(u32, Vec<u32>),
}

/// Returns what a type record refers to when it is written as text.
pub(crate) fn type_refers(record: &[u8]) -> Refers {
    match kind(record) {
        LF_POINTER | LF_MODIFIER | LF_ARRAY | LF_ARRAY_ST | LF_STRIDED_ARRAY => words(record, &[2]),
        LF_PROCEDURE => words(record, &[2, 10]),
        LF_MFUNCTION => words(record, &[2, 6, 10, 18]),
        // The size of an array of it is that of the underlying type.
        LF_ENUM | LF_ENUM_ST => words(record, &[6]),
        LF_ARGLIST => list(record),
        LF_CLASS_ST..=LF_UNION_ST | LF_CLASS..=LF_UNION | LF_INTERFACE => Refers::Text(record.len() as u32),
        // Others show all of their members.
        _ => Refers::Text(record.len() as u32 * BYTES_SHOWN),
    }
}

/// Returns what an id record refers to when it is written as text.
pub(crate) fn id_refers(record: &[u8]) -> Refers {
    match kind(record) {
        LF_FUNC_ID => Refers::Scope(u32_at(record, 2), vec![u32_at(record, 6)]),
        LF_MFUNC_ID => Refers::Scope(0, vec![u32_at(record, 2), u32_at(record, 6)]),
        // `pdb-addr2line` takes the members for types.
        LF_SUBSTR_LIST => list(record),
        _ => Refers::Text(record.len() as u32 * BYTES_SHOWN),
    }
}

fn list(record: &[u8]) -> Refers {
    Refers::Types(record.get(6..).unwrap_or_default().chunks_exact(4).map(|word| u32_at(word, 0)).collect())
}

fn kind(record: &[u8]) -> u16 {
    record.first_chunk().map_or(0, |kind| u16::from_le_bytes(*kind))
}

fn words(record: &[u8], places: &[usize]) -> Refers {
    Refers::Types(places.iter().map(|at| u32_at(record, *at)).collect())
}

/// The number of members that a record claims, if `pdb2` takes memory for them before it reads them.
fn count_of(record: &[u8]) -> Option<u64> {
    matches!(kind(record), LF_ARGLIST | LF_SUBSTR_LIST).then(|| u64::from(u32_at(record, 2)) * 4)
}

/// Bytes of the smallest record with its length.
const SMALLEST: u64 = 4;
const STRIDE: u32 = 8;
/// Bytes of text for a byte of a record that is shown with all its members.
const BYTES_SHOWN: u32 = 16;

const LF_MODIFIER: u16 = 0x1001;
const LF_POINTER: u16 = 0x1002;
const LF_ARRAY_ST: u16 = 0x1003;
const LF_CLASS_ST: u16 = 0x1004;
const LF_UNION_ST: u16 = 0x1006;
const LF_ENUM_ST: u16 = 0x1007;
const LF_PROCEDURE: u16 = 0x1008;
const LF_MFUNCTION: u16 = 0x1009;
const LF_ARGLIST: u16 = 0x1201;
const LF_ARRAY: u16 = 0x1503;
const LF_CLASS: u16 = 0x1504;
const LF_UNION: u16 = 0x1506;
const LF_ENUM: u16 = 0x1507;
const LF_STRIDED_ARRAY: u16 = 0x1516;
const LF_INTERFACE: u16 = 0x1519;
const LF_FUNC_ID: u16 = 0x1601;
const LF_MFUNC_ID: u16 = 0x1602;
const LF_SUBSTR_LIST: u16 = 0x1604;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a stream of records that begin with number 0x1000.
    pub(crate) fn stream(records: &[Vec<u8>]) -> Arc<Vec<u8>> {
        let mut bytes: Vec<u8> =
            [20_040_203, 56, 0x1000, 0x1000 + records.len() as u32].into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.resize(56, 0);
        for record in records {
            bytes.extend((record.len() as u16).to_le_bytes());
            bytes.extend(record);
        }
        Arc::new(bytes)
    }

    pub(crate) fn record(kind: u16, words: &[u32]) -> Vec<u8> {
        [kind.to_le_bytes().to_vec(), words.iter().flat_map(|word| word.to_le_bytes()).collect()].concat()
    }

    #[test]
    fn records_are_found_by_number() {
        let all: Vec<Vec<u8>> = (0..20).map(|number| record(LF_POINTER, &vec![number; number as usize + 1])).collect();
        let records = Records::new(stream(&all)).unwrap();
        for (number, expected) in all.iter().enumerate() {
            assert_eq!(records.get(0x1000 + number as u32), Some(&expected[..]));
        }
        assert_eq!((records.get(0x74), records.get(0x1014), records.indices().count()), (None, None, 20));
    }

    #[test]
    fn claims_beyond_the_stream_are_refused() {
        assert!(Records::new(stream(&[record(LF_ARGLIST, &[2, 0x74])])).is_err());
        assert!(Records::new(stream(&[record(LF_SUBSTR_LIST, &[0x4000_0000])])).is_err());
        let mut many = stream(&[]).to_vec();
        many[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Records::new(Arc::new(many)).is_err());
        assert_eq!(Records::new(Arc::default()).unwrap().indices().count(), 0);
    }
}
