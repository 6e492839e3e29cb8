//! Columns of batches become columns of the host.

use std::ops::Range;

use etwkit_columns::{Array, DataType, Texts, Values};

use crate::failure::Failure;
use crate::host::{Plain, Vector};

/// Writes some rows of a column.
pub(crate) fn fill(array: &Array, rows: Range<usize>, vector: &mut Vector<'_>) -> Result<(), Failure> {
    fill_values(array.values(), rows.clone(), vector)?;
    if let Some(bits) = array.validity().bits() {
        vector.set_valid((rows.start..rows.end).step_by(64).map(|start| word(bits, start)));
    }
    Ok(())
}

/// Writes a column without a value.
pub(crate) fn fill_nulls(rows: usize, vector: &mut Vector<'_>) {
    vector.set_valid((0..rows).step_by(64).map(|_| 0));
}

/// Each variant of values has a line here.
fn fill_values(values: &Values, rows: Range<usize>, vector: &mut Vector<'_>) -> Result<(), Failure> {
    match values {
        Values::Bool(all) => copy(all, rows, vector),
        Values::I8(all) => copy(all, rows, vector),
        Values::I16(all) => copy(all, rows, vector),
        Values::I32(all) => copy(all, rows, vector),
        Values::I64(all) => copy(all, rows, vector),
        Values::U8(all) => copy(all, rows, vector),
        Values::U16(all) => copy(all, rows, vector),
        Values::U32(all) => copy(all, rows, vector),
        Values::U64(all) => copy(all, rows, vector),
        Values::F32(all) => copy(all, rows, vector),
        Values::F64(all) => copy(all, rows, vector),
        Values::Text { ends, bytes } => texts(ends, bytes, rows, vector),
        Values::Codes { codes, texts } => coded(codes.get(rows).unwrap_or_default(), texts, vector),
        Values::List { ends, items } => return lists(ends, items, rows, vector),
        Values::Struct(members) => {
            let mut members = members.iter().enumerate();
            return members.try_for_each(|(number, member)| fill(member, rows.clone(), &mut vector.member(number)));
        }
        Values::Repeated { bits, data_type, texts } => match texts {
            Some(texts) => one_text(texts.get(*bits as u32).unwrap_or_default(), rows.len(), vector),
            None => one_value(*bits, data_type, rows.len(), vector),
        },
        _ => return Err(Failure::new("values of a kind that is not known here")),
    }
    Ok(())
}

fn copy<T: Plain>(all: &[T], rows: Range<usize>, vector: &mut Vector<'_>) {
    vector.copy(all.get(rows).unwrap_or_default());
}

/// Writes a value that all rows have. Floating-point numbers and texts without codes are repeated as nulls alone, whose
/// value is 0 or empty.
fn one_value(bits: u64, of: &DataType, rows: usize, vector: &mut Vector<'_>) {
    match of {
        DataType::Bool => vector.repeat(bits != 0, rows),
        DataType::Signed(8) | DataType::Unsigned(8) => vector.repeat(bits as u8, rows),
        DataType::Signed(16) | DataType::Unsigned(16) => vector.repeat(bits as u16, rows),
        DataType::Signed(32) | DataType::Unsigned(32) | DataType::F32 => vector.repeat(bits as u32, rows),
        DataType::Text => one_text(b"", rows, vector),
        _ => vector.repeat(bits, rows),
    }
}

/// Writes a text that all rows have, of which one copy is enough.
fn one_text(text: &[u8], rows: usize, vector: &mut Vector<'_>) {
    if rows > 0 {
        vector.set_text(0, text);
        vector.repeat_text(1, rows - 1, 0);
    }
}

/// Rows that come together often have the same text, and one copy of it is enough.
fn texts(ends: &[u32], bytes: &[u8], rows: Range<usize>, vector: &mut Vector<'_>) {
    let mut last: Option<(usize, &[u8])> = None;
    for (place, row) in rows.enumerate() {
        let text = item(ends, bytes, row);
        match last {
            Some((earlier, known)) if known == text => vector.repeat_text(place, 1, earlier),
            _ => {
                vector.set_text(place, text);
                last = Some((place, text));
            }
        }
    }
}

/// A text is copied once for all rows that have its code, unless another code takes its slot.
fn coded(codes: &[u32], texts: &Texts, vector: &mut Vector<'_>) {
    const SLOTS: u32 = 256;
    let mut known: [Option<(u32, usize)>; SLOTS as usize] = [None; SLOTS as usize];
    let mut place = 0;
    while let Some((code, behind)) = codes.get(place..).and_then(<[u32]>::split_first) {
        // Rows of types come in long runs of one text.
        let same = behind.iter().take_while(|other| *other == code).count();
        if let Some(slot) = known.get_mut((code % SLOTS) as usize) {
            match slot {
                Some((same, earlier)) if same == code => vector.repeat_text(place, 1, *earlier),
                _ => {
                    vector.set_text(place, texts.get(*code).unwrap_or_default());
                    *slot = Some((*code, place));
                }
            }
        }
        vector.repeat_text(place + 1, same, place);
        place += 1 + same;
    }
}

fn lists(ends: &[u32], items: &Array, rows: Range<usize>, vector: &mut Vector<'_>) -> Result<(), Failure> {
    let end = |row: usize| ends.get(row).map_or(0, |end| *end as usize);
    let inner = end(rows.start)..end(rows.end);
    let mut filled = Ok(());
    let lengths = rows.map(|row| end(row + 1).saturating_sub(end(row)));
    vector.set_lists(lengths, |child| filled = fill(items, inner, child))?;
    filled
}

/// Returns a text by the places where texts end.
fn item<'b>(ends: &[u32], bytes: &'b [u8], row: usize) -> &'b [u8] {
    let bounds = ends.get(row..).and_then(<[u32]>::first_chunk);
    bounds.and_then(|[start, end]| bytes.get(*start as usize..*end as usize)).unwrap_or_default()
}

/// Returns 64 bits from any place; beyond the end, zeros.
fn word(bits: &[u8], start: usize) -> u64 {
    let mut bytes = [0; 16];
    let from = bits.get(start / 8..).unwrap_or_default();
    bytes.iter_mut().zip(from.iter().take(9)).for_each(|(to, byte)| *to = *byte);
    (u128::from_le_bytes(bytes) >> (start % 8)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_bits_begin_anywhere() {
        let bits: Vec<u8> = (0..20_u8).map(|number| number.wrapping_mul(37)).collect();
        let bit = |place: usize| bits.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1);
        for start in 0..170 {
            let expected = (0..64).filter(|place| bit(start + place)).fold(0, |sum, place| sum | 1_u64 << place);
            assert_eq!(word(&bits, start), expected, "{start}");
        }
    }

    #[test]
    fn texts_are_between_their_ends() {
        let (ends, bytes) = ([0, 2, 2, 5], b"abcde");
        let all: Vec<&[u8]> = (0..4).map(|row| item(&ends, bytes, row)).collect();
        assert_eq!(all, [b"ab".as_slice(), b"", b"cde", b""]);
    }
}
