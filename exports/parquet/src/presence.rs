//! Which rows of a column have a value.

use etwkit_columns::{Array, Validity};

use crate::hybrid::{push_packed_levels, push_run};

/// Which rows of several arrays have a value.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    /// A bit per row, as in a [`Validity`]; empty while all rows have a value, or if none has.
    bits: Vec<u8>,
    pub(crate) rows: usize,
    pub(crate) nulls: usize,
}

impl Presence {
    pub(crate) fn of(arrays: &[&Array]) -> Self {
        let rows = arrays.iter().map(|array| array.len()).sum();
        let nulls = arrays.iter().map(|array| array.validity().nulls()).sum();
        if nulls == 0 || nulls == rows {
            return Self { bits: Vec::new(), rows, nulls };
        }
        let mut presence = Self::default();
        for array in arrays {
            presence.push(array.validity());
        }
        presence
    }

    fn push(&mut self, validity: &Validity) {
        let before = self.rows;
        self.rows += validity.len();
        self.nulls += validity.nulls();
        if self.nulls == 0 {
            return;
        }
        if self.bits.len() < before.div_ceil(8) {
            self.bits.resize(before.div_ceil(8), 0xFF);
            self.clear_from(before);
        }
        if let Some(bits) = validity.bits() {
            bits.iter().enumerate().for_each(|(place, byte)| self.add(before + 8 * place, *byte));
        } else {
            (0..validity.len().div_ceil(8)).for_each(|place| self.add(before + 8 * place, 0xFF));
            self.clear_from(self.rows);
        }
        self.bits.truncate(self.rows.div_ceil(8));
    }

    /// Adds eight bits at a row; the later ones are clear.
    #[inline]
    fn add(&mut self, row: usize, bits: u8) {
        let shift = row % 8;
        if shift == 0 {
            return self.bits.push(bits);
        }
        if let Some(last) = self.bits.last_mut() {
            *last |= bits << shift;
        }
        self.bits.push(bits >> (8 - shift));
    }

    /// Clears the bits of all rows from one on.
    fn clear_from(&mut self, row: usize) {
        self.bits.truncate(row.div_ceil(8));
        if let Some(last) = self.bits.last_mut().filter(|_| !row.is_multiple_of(8)) {
            *last &= (1 << (row % 8)) - 1;
        }
    }

    /// Appends the levels of rows, of which the first is a multiple of eight, after their length. Returns how many rows
    /// have a value.
    pub(crate) fn push_levels(&self, out: &mut Vec<u8>, rows: std::ops::Range<usize>) -> usize {
        let bits = self.bits.get(rows.start / 8..rows.end.div_ceil(8)).unwrap_or_default();
        let len = rows.len();
        let there = if self.nulls == 0 { len } else { bits.iter().map(|byte| byte.count_ones() as usize).sum() };
        let start = out.len();
        out.extend_from_slice(&[0; 4]);
        if there == 0 || there == len {
            push_run(out, len, u32::from(there > 0), 1);
        } else {
            push_packed_levels(out, bits);
        }
        set_len(out, start);
        there
    }
}

/// Writes the length of what follows the four bytes at a place into these.
pub(crate) fn set_len(out: &mut [u8], place: usize) {
    let len = out.len().saturating_sub(place + 4) as u32;
    if let Some(slot) = out.get_mut(place..place + 4) {
        slot.copy_from_slice(&len.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_arrays_follow_one_another() {
        let pattern = |len: usize, step: usize| (0..len).map(|row| step == 0 || row % step == 1).collect::<Vec<bool>>();
        for lens in [[0, 8, 3], [3, 5, 8], [9, 1, 20], [16, 7, 7]] {
            for steps in [[0, 0, 0], [0, 3, 0], [2, 0, 3], [0, 0, 5]] {
                let parts: Vec<Vec<bool>> = lens.iter().zip(steps).map(|(len, step)| pattern(*len, step)).collect();
                let mut presence = Presence::default();
                for part in &parts {
                    presence.push(&part.iter().copied().collect::<Validity>());
                }
                let all = parts.concat();
                assert_eq!((presence.rows, presence.nulls), (all.len(), all.iter().filter(|there| !**there).count()));
                if presence.nulls > 0 {
                    let bit = |row: usize| presence.bits[row / 8] >> (row % 8) & 1 == 1;
                    assert_eq!(
                        (0..8 * presence.bits.len()).map(bit).filter(|there| *there).count(),
                        all.len() - presence.nulls
                    );
                    assert!(all.iter().enumerate().all(|(row, there)| bit(row) == *there));
                }
            }
        }
    }
}
