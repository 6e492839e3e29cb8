//! Raw time stamps as JSON integers.

use crate::render::json::MAX_SAFE;
use crate::render::pen::Pen;

/// Remembers the first digits of the last time stamp: neighbouring events share them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RawTimeText {
    /// The first time stamp with these digits: a multiple of [`SHARED`].
    start: i64,
    /// How many time stamps have them; 0 if no digits are known.
    count: u64,
    /// The digits before the last eight, after the quote of long integers.
    head: [u8; 16],
    head_len: usize,
    is_quoted: bool,
}

/// Time stamps that share all digits but the last eight.
const SHARED: i64 = 100_000_000;

impl RawTimeText {
    /// Writes a time stamp as an integer: as a string beyond what every reader keeps exact.
    #[inline]
    pub(super) fn write(&mut self, pen: &mut Pen, time: i64) {
        // A time before the start wraps to a large number.
        let rest = time.wrapping_sub(self.start).cast_unsigned();
        if rest >= self.count {
            return self.remember(pen, time);
        }
        pen.block(&self.head, self.head_len);
        pen.decimal8(rest as u32);
        pen.block(b"\"", self.is_quoted.into());
    }

    #[inline(never)]
    fn remember(&mut self, pen: &mut Pen, time: i64) {
        let place = pen.place();
        pen.json_integer(time);
        self.count = 0;
        let (has_quotes, start) = (is_quoted(time), time - time % SHARED);
        // All of them have quotes, or none.
        let last = start.checked_add(SHARED - 1).filter(|_| start > 0);
        let is_shared = last.is_some_and(|last| is_quoted(start) == is_quoted(last));
        let text = pen.written(place);
        let head = text.len().checked_sub(8 + usize::from(has_quotes)).and_then(|len| text.get(..len));
        if let Some(head) = head.filter(|head| is_shared && head.len() <= self.head.len()) {
            self.head.iter_mut().zip(head).for_each(|(slot, byte)| *slot = *byte);
            (self.start, self.count, self.head_len, self.is_quoted) = (start, SHARED as u64, head.len(), has_quotes);
        }
    }
}

const fn is_quoted(time: i64) -> bool {
    time.unsigned_abs() > MAX_SAFE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::json::push_integer;

    #[test]
    fn time_stamps_are_those_of_other_integers() {
        let mut cached = RawTimeText::default();
        let mut pen = <Pen>::default();
        let starts =
            [0, SHARED, 7 * SHARED, 1_942_608_875, MAX_SAFE.cast_signed(), 132_409_614_206_236_167, i64::MAX, i64::MIN];
        for start in starts.into_iter().flat_map(|start| [start, start.wrapping_neg()]) {
            for step in [0, 1, -1, SHARED - 1, SHARED, -SHARED, 2 * SHARED, 5] {
                let time = start.wrapping_add(step);
                pen.begin();
                cached.write(&mut pen, time);
                let mut expected = Vec::new();
                push_integer(&mut expected, time);
                assert_eq!(pen.text().map(String::from_utf8_lossy), Some(String::from_utf8_lossy(&expected)));
            }
        }
    }
}
