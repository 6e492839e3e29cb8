//! The values of a column as codes of the different ones.

use std::sync::Arc;

use etwkit_columns::{Array, DataType, Texts, Validity, Values};

use crate::codes::Codes;
use crate::distinct::{Distinct, DistinctTexts, TRIED, are_unique};
use crate::numbers::Kind;
use crate::same::{all_are, repeated, typical};
use crate::valid::valid;

/// Different values, in the order of their codes.
#[derive(Debug)]
pub(crate) enum Entries {
    /// Unsigned ones as the signed ones of the same bits.
    Int32 { values: Vec<i32>, is_unsigned: bool },
    /// The same of 64 bits.
    Int64 { values: Vec<i64>, is_unsigned: bool },
    /// UTF-8.
    Text(DistinctTexts),
}

/// Values that are not null, as codes.
#[derive(Debug)]
pub(crate) struct Coded {
    pub(crate) codes: Codes,
    pub(crate) entries: Entries,
}

impl Coded {
    /// Returns the values of arrays of one column; `None` if they are neither integers nor texts, or have too many different
    /// values.
    pub(crate) fn new(arrays: &[&Array]) -> Option<Self> {
        let mut coded = match typical(arrays)?.values() {
            Values::Codes { .. } | Values::Repeated { texts: Some(_), .. } => Self::of_codes(arrays),
            Values::Text { .. } | Values::Repeated { data_type: DataType::Text, .. } => Self::of_texts(arrays),
            values => Self::of_integers(arrays, Kind::of(values)?),
        }?;
        if coded.entries.len() <= 1 {
            coded.codes.shorten();
        }
        Some(coded)
    }

    fn of_codes(arrays: &[&Array]) -> Option<Self> {
        let mut known = Known::default();
        let mut codes = Codes::expecting(values_of(arrays));
        for array in arrays {
            match array.values() {
                Values::Codes { codes: own, texts } => {
                    known.begin(texts);
                    known.push(own, texts, array.validity(), codes.list())?;
                }
                Values::Repeated { bits, texts: Some(texts), .. } if array.validity().nulls() == 0 => {
                    known.begin(texts);
                    codes.repeat(known.code(*bits as u32, texts)?, array.len());
                }
                Values::Repeated { .. } => {}
                _ => return None,
            }
        }
        Some(Self { codes, entries: Entries::Text(known.texts) })
    }

    fn of_texts(arrays: &[&Array]) -> Option<Self> {
        let mut texts = DistinctTexts::default();
        let mut all = Codes::expecting(values_of(arrays));
        let codes = all.list();
        let mut last: Option<(&[u8], u32)> = None;
        for array in arrays {
            if array.validity().nulls() == array.len() {
                continue;
            }
            let Values::Text { ends, bytes } = array.values() else { return None };
            let bits = array.validity().bits();
            for (row, (start, end)) in ends.iter().zip(ends.iter().skip(1)).enumerate() {
                if bits.and_then(|bits| bits.get(row / 8)).is_some_and(|byte| byte >> (row % 8) & 1 == 0) {
                    continue;
                }
                let text = bytes.get(*start as usize..*end as usize)?;
                let code = match last {
                    Some((same, code)) if same == text => code,
                    _ => texts.code(text)?,
                };
                last = Some((text, code));
                codes.push(code);
                if codes.len().is_multiple_of(TRIED) && are_unique(texts.len(), codes.len()) {
                    return None;
                }
            }
            if are_unique(texts.len(), codes.len()) {
                return None;
            }
        }
        Some(Self { codes: all, entries: Entries::Text(texts) })
    }

    fn of_integers(arrays: &[&Array], kind: Kind) -> Option<Self> {
        let mut distinct = Distinct::default();
        let mut codes = Codes::expecting(values_of(arrays));
        for array in arrays {
            match repeated(array) {
                Some((_, 0)) => {}
                Some((bits, rows)) => codes.repeat(distinct.code(bits)?, rows),
                None => push_integers(&mut distinct, array, codes.list())?,
            }
        }
        let entries = if kind.is_long {
            let values = distinct.list.into_iter().map(u64::cast_signed).collect();
            Entries::Int64 { values, is_unsigned: kind.is_unsigned }
        } else {
            let values = distinct.list.into_iter().map(|bits| bits as i32).collect();
            Entries::Int32 { values, is_unsigned: kind.is_unsigned }
        };
        Some(Self { codes, entries })
    }
}

/// Returns how many values are not null.
fn values_of(arrays: &[&Array]) -> usize {
    arrays.iter().map(|array| array.len() - array.validity().nulls()).sum()
}

/// Appends the codes of an array's values that are not null.
fn push_integers(distinct: &mut Distinct, array: &Array, codes: &mut Vec<u32>) -> Option<()> {
    let validity = array.validity();
    match array.values() {
        Values::I8(all) => push_valid(distinct, all, validity, |value| i64::from(value).cast_unsigned(), codes),
        Values::I16(all) => push_valid(distinct, all, validity, |value| i64::from(value).cast_unsigned(), codes),
        Values::I32(all) => push_valid(distinct, all, validity, |value| i64::from(value).cast_unsigned(), codes),
        Values::I64(all) => push_valid(distinct, all, validity, i64::cast_unsigned, codes),
        Values::U8(all) => push_valid(distinct, all, validity, u64::from, codes),
        Values::U16(all) => push_valid(distinct, all, validity, u64::from, codes),
        Values::U32(all) => push_valid(distinct, all, validity, u64::from, codes),
        Values::U64(all) => push_valid(distinct, all, validity, |value| value, codes),
        _ => None,
    }
}

fn push_valid<T: Copy + PartialEq>(
    distinct: &mut Distinct,
    all: &[T],
    validity: &Validity,
    bits: impl Fn(T) -> u64,
    codes: &mut Vec<u32>,
) -> Option<()> {
    if validity.nulls() == 0 {
        return distinct.push_all(all, bits, codes);
    }
    distinct.push_all(&valid(all, validity), bits, codes)
}

/// Texts of several dictionaries under one code each.
#[derive(Debug, Default)]
struct Known {
    texts: DistinctTexts,
    /// The code of each text of the last dictionary; [`UNKNOWN`] for those that no row had.
    new: Vec<u32>,
    last: Option<Arc<Texts>>,
}

/// No code.
const UNKNOWN: u32 = u32::MAX;

impl Known {
    /// Begins with the values of a dictionary.
    fn begin(&mut self, texts: &Arc<Texts>) {
        if !self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, texts)) {
            self.last = Some(Arc::clone(texts));
            self.new.clear();
            self.new.resize(texts.count(), UNKNOWN);
        }
    }

    /// Appends the codes of an array's values that are not null; `None` if there are too many texts.
    fn push(&mut self, own: &[u32], texts: &Texts, validity: &Validity, codes: &mut Vec<u32>) -> Option<()> {
        let gathered = if validity.nulls() > 0 { valid(own, validity) } else { Vec::new() };
        let own = if validity.nulls() > 0 { &gathered } else { own };
        codes.reserve(own.len());
        for some in own.chunks(64) {
            let first = *some.first()?;
            if all_are(some, first) {
                codes.resize(codes.len() + some.len(), self.code(first, texts)?);
                continue;
            }
            for own in some {
                codes.push(self.code(*own, texts)?);
            }
        }
        Some(())
    }

    #[inline]
    fn code(&mut self, own: u32, texts: &Texts) -> Option<u32> {
        match self.new.get(own as usize) {
            Some(&UNKNOWN) | None => self.find(own, texts),
            Some(code) => Some(*code),
        }
    }

    /// Returns the code of a text that no row of a dictionary had.
    #[cold]
    fn find(&mut self, own: u32, texts: &Texts) -> Option<u32> {
        let code = self.texts.code(texts.get(own)?)?;
        *self.new.get_mut(own as usize)? = code;
        Some(code)
    }
}
