//! Lists of what moved how many bytes, in few bytes.

use etwkit::FileTime;
use etwkit_analysis::{Excess, NumberReader, PackedNumbers};

use crate::limits::MOST_EACH;

/// A list in order of time, some bytes per entry; what is beyond its cap is left out and counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedList {
    numbers: PackedNumbers,
    len: usize,
    last: i64,
    excess: Excess,
}

/// An entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) time: FileTime,
    /// What it is.
    pub(crate) what: u64,
    pub(crate) bytes: Option<u64>,
}

impl PackedList {
    pub(crate) fn push(&mut self, Entry { time, what, bytes }: Entry) {
        if !self.excess.admits(self.len, MOST_EACH) {
            return;
        }
        self.len += 1;
        self.numbers.push_signed(time.0.wrapping_sub(self.last));
        self.last = time.0;
        self.numbers.push(what);
        self.numbers.push_options(&[bytes]);
    }

    pub(crate) const fn excess(&self) -> u64 {
        self.excess.count()
    }
}

impl IntoIterator for PackedList {
    type Item = Entry;
    type IntoIter = Entries;

    fn into_iter(self) -> Entries {
        Entries { numbers: self.numbers, place: Some(0), last: 0 }
    }
}

/// The entries of a list, each unpacked when its turn comes.
#[derive(Debug)]
pub(crate) struct Entries {
    numbers: PackedNumbers,
    place: Option<usize>,
    last: i64,
}

impl Iterator for Entries {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let mut reader = self.numbers.read(self.place?);
        self.place = reader.place();
        self.place?;
        let entry = entry(&mut reader, self.last);
        (self.place, self.last) = (reader.place(), entry.time.0);
        Some(entry)
    }
}

fn entry(reader: &mut NumberReader<'_>, last: i64) -> Entry {
    let time = FileTime(last.wrapping_add(reader.signed()));
    let what = reader.number();
    let [bytes] = reader.options();
    Entry { time, what, bytes }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn entries_come_back(list in prop::collection::vec(any::<(i64, u64, Option<u64>)>(), 0..20)) {
            let entries = list.into_iter().map(|(time, what, bytes)| Entry { time: FileTime(time), what, bytes });
            let entries: Vec<Entry> = entries.collect();
            let mut packed = PackedList::default();
            for entry in &entries {
                packed.push(*entry);
            }
            prop_assert_eq!(packed.into_iter().collect::<Vec<_>>(), entries);
        }
    }
}
