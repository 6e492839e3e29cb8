//! The intervals of one lane, packed.

use etwkit::bytes::{push_signed_varint, push_varint, take_signed_varint, take_varint};

/// Intervals with their sums, in order. A trace of hours has a million of them, most with a small number soon after the
/// one before: all but the last one are kept as numbers of a few bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DensityLane {
    /// For each interval but the last one: how many after the one before it, and its sum.
    packed: Vec<u8>,
    /// The last interval in `packed`.
    before: i64,
    last: Option<(i64, f64)>,
    len: usize,
}

impl DensityLane {
    /// Adds to an interval. One that lies before the last one counts in that. Returns whether it is a new one.
    pub(crate) fn add(&mut self, cell: i64, amount: f64) -> bool {
        match &mut self.last {
            Some((last, sum)) if cell <= *last => {
                *sum += amount;
                false
            }
            last => {
                if let Some((cell, sum)) = last.replace((cell, amount)) {
                    push_signed_varint(&mut self.packed, cell.wrapping_sub(self.before));
                    push_sum(&mut self.packed, sum);
                    self.before = cell;
                }
                self.len += 1;
                true
            }
        }
    }

    /// Returns the number of intervals.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the intervals with their sums.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, f64)> {
        let (mut rest, mut before) = (&*self.packed, 0_i64);
        let packed = std::iter::from_fn(move || {
            before = before.wrapping_add(take_signed_varint(&mut rest)?);
            Some((before, take_sum(&mut rest)?))
        });
        packed.chain(self.last)
    }
}

/// Writes a whole number as twice that; of any other sum, the bits after a 1.
fn push_sum(bytes: &mut Vec<u8>, sum: f64) {
    let whole = sum as u64;
    if whole < 1 << 53 && (whole as f64).to_bits() == sum.to_bits() {
        push_varint(bytes, whole << 1);
    } else {
        bytes.push(1);
        bytes.extend_from_slice(&sum.to_le_bytes());
    }
}

fn take_sum(bytes: &mut &[u8]) -> Option<f64> {
    match take_varint(bytes)? {
        1 => {
            let (bits, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            Some(f64::from_le_bytes(*bits))
        }
        twice => Some((twice >> 1) as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_come_back_as_they_were_added() {
        let sums = [1.0, 0.0, -0.0, 0.5, -3.0, 63.0, 64.0, 9_007_199_254_740_991.0, 9_007_199_254_740_992.0, 1e300];
        let cells = [-5, 1, 128, 16_511, 1 << 40, 1 << 62, i64::MAX];
        let mut lane = DensityLane::default();
        let mut all = Vec::new();
        for (place, cell) in cells.into_iter().enumerate() {
            let sum = sums[place];
            assert!(lane.add(cell, sum));
            all.push((cell, sum.to_bits()));
        }
        let again: Vec<(i64, u64)> = lane.iter().map(|(cell, sum)| (cell, sum.to_bits())).collect();
        assert_eq!((again, lane.len()), (all, cells.len()));
        for sum in sums {
            let mut lane = DensityLane::default();
            lane.add(7, sum);
            lane.add(8, 2.0);
            assert!(!lane.add(5, 1.0), "before the last one");
            let again: Vec<(i64, u64)> = lane.iter().map(|(cell, sum)| (cell, sum.to_bits())).collect();
            assert_eq!(again, [(7, sum.to_bits()), (8, 3.0_f64.to_bits())]);
        }
    }
}
