//! Many values of an array at once.

use crate::array::{Array, Values};
use crate::shapes::{Constant, Shape};

impl Array {
    /// Appends the values that shapes have for a column, given the shape of each row, and which shapes these are.
    pub(crate) fn fill(&mut self, shapes_of_rows: &[u32], (used, shapes): (&[u32], &[Shape]), of: Constant) {
        let shape = |number: &u32| shapes.get(*number as usize);
        let value = |number: &u32| shape(number).filter(|shape| shape.has(of)).map(|shape| shape.value(of));
        // Shapes of one table differ in few columns.
        let first = used.first().map(value);
        if let Some(first) = first.filter(|first| used.iter().all(|number| value(number) == *first)) {
            return self.repeat(first, shapes_of_rows.len());
        }
        self.extend_some(
            shapes_of_rows.iter().map(|number| shape(number).map_or(0, |shape| shape.value(of))),
            shapes_of_rows.iter().map(|number| shape(number).is_some_and(|shape| shape.has(of))),
        );
    }

    /// Returns the bytes of texts, or the items of lists.
    pub(crate) fn inner_len(&self) -> usize {
        match &self.values {
            Values::Text { bytes, .. } => bytes.len(),
            Values::List { items, .. } => items.len(),
            _ => 0,
        }
    }

    /// Makes room for texts or lists, and their bytes or items.
    pub(crate) fn reserve(&mut self, rows: usize, inner: usize) {
        match &mut self.values {
            Values::Text { ends, bytes } => {
                ends.reserve(rows);
                bytes.reserve(inner);
            }
            Values::List { ends, items } => {
                ends.reserve(rows);
                items.values.reserve(inner);
            }
            _ => {}
        }
    }

    /// Appends values that are integers, booleans, times or codes, given their bits, which the type holds.
    #[inline]
    pub(crate) fn extend_bits(&mut self, bits: impl ExactSizeIterator<Item = u64>) {
        self.validity.push_all(true, bits.len());
        self.values.extend(bits);
    }

    /// As [`Array::extend_bits`]; `is_valid` states which of them are not null.
    pub(crate) fn extend_some(
        &mut self,
        bits: impl ExactSizeIterator<Item = u64>,
        is_valid: impl ExactSizeIterator<Item = bool>,
    ) {
        self.validity.extend(is_valid);
        self.values.extend(bits);
    }

    /// Appends floating-point numbers.
    pub(crate) fn extend_floats(&mut self, numbers: impl ExactSizeIterator<Item = f64>) {
        let rows = numbers.len();
        match &mut self.values {
            Values::F32(all) => all.extend(numbers.map(|number| number as f32)),
            Values::F64(all) => all.extend(numbers),
            _ => return self.pad_by(rows),
        }
        self.validity.push_all(true, rows);
    }

    /// Returns the last text.
    pub(crate) fn last_text(&self) -> Option<&[u8]> {
        let Values::Text { ends, bytes } = &self.values else { return None };
        let [.., start, end] = ends.as_slice() else { return None };
        bytes.get(*start as usize..*end as usize)
    }

    /// Takes back a text or list that was appended after a number of rows, if there is one.
    pub(crate) fn undo(&mut self, rows: usize) {
        if self.len() != rows + 1 {
            return;
        }
        self.validity.pop();
        match &mut self.values {
            Values::Text { ends, bytes } => {
                ends.truncate(rows + 1);
                bytes.truncate(ends.last().map_or(0, |end| *end as usize));
            }
            Values::List { ends, items } => {
                ends.truncate(rows + 1);
                items.shorten(ends.last().map_or(0, |end| *end as usize));
            }
            _ => {}
        }
    }

    /// Takes back integers, texts or structs of these, none of which is null.
    fn shorten(&mut self, len: usize) {
        while self.len() > len {
            self.validity.pop();
        }
        match &mut self.values {
            Values::Bool(all) => all.truncate(len),
            Values::I8(all) => all.truncate(len),
            Values::I16(all) => all.truncate(len),
            Values::I32(all) => all.truncate(len),
            Values::I64(all) => all.truncate(len),
            Values::U8(all) => all.truncate(len),
            Values::U16(all) => all.truncate(len),
            Values::U32(all) | Values::Codes { codes: all, .. } => all.truncate(len),
            Values::U64(all) => all.truncate(len),
            Values::F32(all) => all.truncate(len),
            Values::F64(all) => all.truncate(len),
            Values::Text { ends, bytes } => {
                ends.truncate(len + 1);
                bytes.truncate(ends.last().map_or(0, |end| *end as usize));
            }
            Values::Struct(members) => members.iter_mut().for_each(|member| member.shorten(len)),
            Values::List { .. } | Values::Repeated { .. } => {}
        }
    }
}
