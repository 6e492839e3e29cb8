//! A column of a row group as codes of its different values.

use std::collections::HashMap;
use std::sync::Arc;

use etwkit_columns::{Array, Texts, Validity, Values};

/// Different values up to which a column is written as codes.
const MOST: usize = 1 << 16;
/// Bytes of different texts, about.
const MOST_BYTES: usize = 1 << 20;

/// The code of a null.
pub(crate) const NULL: u32 = u32::MAX;

/// Different values, in the order of their codes.
#[derive(Debug)]
pub(crate) enum Entries {
    /// Unsigned ones as the signed ones of the same bits.
    Int32 { values: Vec<i32>, is_unsigned: bool },
    /// The same of 64 bits.
    Int64 { values: Vec<i64>, is_unsigned: bool },
    /// UTF-8.
    Text(Vec<Vec<u8>>),
}

/// Rows as codes.
#[derive(Debug)]
pub(crate) struct Coded {
    /// A code a row.
    pub(crate) codes: Vec<u32>,
    pub(crate) entries: Entries,
}

impl Coded {
    /// Returns the rows of arrays of one column; `None` if they are neither integers nor codes, or have too many different
    /// values.
    pub(crate) fn new(arrays: &[&Array]) -> Option<Self> {
        match arrays.first()?.values() {
            Values::Codes { .. } => Self::of_codes(arrays),
            values => Self::of_integers(arrays, Kind::of(values)?),
        }
    }

    fn of_codes(arrays: &[&Array]) -> Option<Self> {
        let mut known = Known::default();
        let mut codes = Vec::new();
        for array in arrays {
            let Values::Codes { codes: own, texts } = array.values() else { return None };
            let start = codes.len();
            let new = known.of(texts)?;
            codes.extend(own.iter().map(|code| new.get(*code as usize).copied().unwrap_or(NULL)));
            set_nulls(&mut codes, start, array.validity());
        }
        let entries = known.used(&mut codes);
        Some(Self { codes, entries: Entries::Text(entries) })
    }

    fn of_integers(arrays: &[&Array], kind: Kind) -> Option<Self> {
        let mut distinct = Distinct::default();
        let mut codes = Vec::new();
        for array in arrays {
            let (start, validity) = (codes.len(), array.validity());
            if validity.nulls() == validity.len() {
                codes.resize(start + validity.len(), NULL);
                continue;
            }
            distinct.push(array.values(), validity, &mut codes)?;
            set_nulls(&mut codes, start, validity);
        }
        Some(Self { codes, entries: kind.entries(distinct.list) })
    }
}

/// Sets the codes of nulls from a row on.
fn set_nulls(codes: &mut [u32], start: usize, validity: &Validity) {
    let Some(bits) = validity.bits() else { return };
    let rows = codes.get_mut(start..).unwrap_or_default();
    for (rows, bits) in rows.chunks_mut(8).zip(bits) {
        for (place, code) in rows.iter_mut().enumerate() {
            if bits >> place & 1 == 0 {
                *code = NULL;
            }
        }
    }
}

/// The type of a column of integers.
#[derive(Clone, Copy, Debug)]
struct Kind {
    is_long: bool,
    is_unsigned: bool,
}

impl Kind {
    const fn of(values: &Values) -> Option<Self> {
        let (is_long, is_unsigned) = match values {
            Values::I8(_) | Values::I16(_) | Values::I32(_) => (false, false),
            Values::U8(_) | Values::U16(_) | Values::U32(_) => (false, true),
            Values::I64(_) => (true, false),
            Values::U64(_) => (true, true),
            _ => return None,
        };
        Some(Self { is_long, is_unsigned })
    }

    fn entries(self, list: Vec<u64>) -> Entries {
        let Self { is_long, is_unsigned } = self;
        if is_long {
            Entries::Int64 { values: list.into_iter().map(u64::cast_signed).collect(), is_unsigned }
        } else {
            Entries::Int32 { values: list.into_iter().map(|bits| bits as i32).collect(), is_unsigned }
        }
    }
}

/// Finds the codes of integers.
#[derive(Debug, Default)]
struct Distinct {
    /// Different bits, in the order of their codes.
    list: Vec<u64>,
    /// The codes of some bits plus one, by a hash; 0 for none.
    slots: Vec<u32>,
    last: Option<(u64, u32)>,
}

impl Distinct {
    /// Appends the codes of an array's values, those of nulls too.
    fn push(&mut self, values: &Values, validity: &Validity, codes: &mut Vec<u32>) -> Option<()> {
        codes.reserve(validity.len());
        match values {
            Values::I8(all) => self.push_all(all.iter().map(|value| i64::from(*value).cast_unsigned()), codes),
            Values::I16(all) => self.push_all(all.iter().map(|value| i64::from(*value).cast_unsigned()), codes),
            Values::I32(all) => self.push_all(all.iter().map(|value| i64::from(*value).cast_unsigned()), codes),
            Values::I64(all) => self.push_all(all.iter().map(|value| value.cast_unsigned()), codes),
            Values::U8(all) => self.push_all(all.iter().map(|value| u64::from(*value)), codes),
            Values::U16(all) => self.push_all(all.iter().map(|value| u64::from(*value)), codes),
            Values::U32(all) => self.push_all(all.iter().map(|value| u64::from(*value)), codes),
            Values::U64(all) => self.push_all(all.iter().copied(), codes),
            _ => None,
        }
    }

    #[inline]
    fn push_all(&mut self, values: impl Iterator<Item = u64>, codes: &mut Vec<u32>) -> Option<()> {
        for bits in values {
            let code = match self.last {
                Some((last, code)) if last == bits => code,
                _ => self.code(bits)?,
            };
            self.last = Some((bits, code));
            codes.push(code);
        }
        Some(())
    }

    /// Returns the code of some bits; `None` if there are too many.
    fn code(&mut self, bits: u64) -> Option<u32> {
        if 2 * self.list.len() >= self.slots.len() {
            self.grow()?;
        }
        let mask = self.slots.len() - 1;
        let mut place = hash(bits) & mask;
        // Half of the slots are free.
        for _ in 0..=mask {
            let slot = self.slots.get_mut(place)?;
            if *slot == 0 {
                let code = self.list.len() as u32;
                *slot = code + 1;
                self.list.push(bits);
                return Some(code);
            }
            if self.list.get((*slot - 1) as usize) == Some(&bits) {
                return Some(*slot - 1);
            }
            place = (place + 1) & mask;
        }
        None
    }

    #[cold]
    fn grow(&mut self) -> Option<()> {
        if self.list.len() >= MOST {
            return None;
        }
        let len = (2 * self.slots.len()).max(64);
        self.slots.clear();
        self.slots.resize(len, 0);
        for (code, bits) in (1..).zip(&self.list) {
            let mut place = hash(*bits) & (len - 1);
            while self.slots.get(place).is_some_and(|slot| *slot != 0) {
                place = (place + 1) & (len - 1);
            }
            if let Some(slot) = self.slots.get_mut(place) {
                *slot = code;
            }
        }
        Some(())
    }
}

/// Bits that differ anywhere differ in the high half of a product with an odd number.
#[inline]
const fn hash(bits: u64) -> usize {
    let product = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product ^ product >> 32) as usize
}

/// Texts of several dictionaries under one code each.
#[derive(Debug, Default)]
struct Known {
    codes: HashMap<Vec<u8>, u32>,
    texts: Vec<Vec<u8>>,
    bytes: usize,
    /// The codes of the texts of a dictionary that was seen before.
    of: Vec<(Arc<Texts>, Arc<[u32]>)>,
}

impl Known {
    /// Returns the codes of a dictionary's texts; `None` if there are too many.
    fn of(&mut self, texts: &Arc<Texts>) -> Option<Arc<[u32]>> {
        if let Some((_, codes)) = self.of.iter().find(|(known, _)| Arc::ptr_eq(known, texts)) {
            return Some(Arc::clone(codes));
        }
        let all: Option<Arc<[u32]>> = (0..).map_while(|code| texts.get(code)).map(|text| self.code(text)).collect();
        let all = all?;
        // One for each thread, and those before them.
        if self.of.len() >= 8 {
            self.of.remove(0);
        }
        self.of.push((Arc::clone(texts), Arc::clone(&all)));
        Some(all)
    }

    fn code(&mut self, text: &[u8]) -> Option<u32> {
        if let Some(code) = self.codes.get(text) {
            return Some(*code);
        }
        let code = self.texts.len() as u32;
        self.bytes += text.len();
        if self.texts.len() >= MOST || self.bytes > MOST_BYTES {
            return None;
        }
        self.texts.push(text.to_vec());
        self.codes.insert(text.to_vec(), code);
        Some(code)
    }

    /// Returns the texts that rows have, and gives the rows their codes among these.
    fn used(self, codes: &mut [u32]) -> Vec<Vec<u8>> {
        let mut new = vec![NULL; self.texts.len()];
        let mut count = 0;
        for code in codes.iter_mut() {
            if let Some(slot) = new.get_mut(*code as usize) {
                if *slot == NULL {
                    *slot = count;
                    count += 1;
                }
                *code = *slot;
            }
        }
        let mut used = vec![Vec::new(); count as usize];
        for (text, code) in self.texts.into_iter().zip(new) {
            if let Some(slot) = used.get_mut(code as usize) {
                *slot = text;
            }
        }
        used
    }
}
