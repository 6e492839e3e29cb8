//! Batches after one another.

use std::sync::Arc;

use crate::array::{Array, Values};
use crate::batch::Batch;

impl Batch {
    /// Appends the rows of a batch of the same table. Gives it back, and appends nothing, if its columns are of other
    /// types or have their codes from other texts, or if their texts or lists have no room.
    ///
    /// # Errors
    ///
    /// The batch that was not appended.
    pub fn append(&mut self, other: Self) -> Result<(), Self> {
        let columns = || self.columns.iter().zip(&other.columns);
        if self.columns.len() != other.columns.len() || !columns().all(|(own, other)| own.can_append(other)) {
            return Err(other);
        }
        self.rows += other.rows;
        for (own, other) in self.columns.iter_mut().zip(other.columns) {
            own.append(other);
        }
        Ok(())
    }
}

impl Array {
    /// Returns whether [`Array::append`] takes an array.
    fn can_append(&self, other: &Self) -> bool {
        let fits = |own: usize, other: usize| own.checked_add(other).is_some_and(|sum| u32::try_from(sum).is_ok());
        match (&self.values, &other.values) {
            (Values::Text { bytes, .. }, Values::Text { bytes: other, .. }) => fits(bytes.len(), other.len()),
            (Values::List { items, .. }, Values::List { items: other, .. }) => {
                fits(items.len(), other.len()) && items.can_append(other)
            }
            (Values::Struct(own), Values::Struct(others)) => {
                own.len() == others.len() && own.iter().zip(others).all(|(own, other)| own.can_append(other))
            }
            (
                Values::Codes { texts: own, .. } | Values::Repeated { texts: Some(own), .. },
                Values::Codes { texts: other, .. } | Values::Repeated { texts: Some(other), .. },
            ) => Arc::ptr_eq(own, other),
            (own, other) => {
                let of = own.repeatable();
                of.is_some() && of == other.repeatable() && own.has_codes() == other.has_codes()
            }
        }
    }

    fn append(&mut self, other: Self) {
        if let (Values::Repeated { bits: own, .. }, Values::Repeated { bits, .. }) = (&self.values, &other.values)
            && own == bits
            && (self.validity.nulls() == 0) == (other.validity.nulls() == 0)
        {
            return self.validity.append(&other.validity);
        }
        if let Values::Repeated { .. } = &self.values {
            let own = std::mem::replace(self, Self::of_codes());
            *self = own.expanded();
        }
        if let Values::Repeated { bits, .. } = other.values {
            let value = Some(bits).filter(|_| other.validity.nulls() == 0);
            return self.repeat(value, other.validity.len());
        }
        self.validity.append(&other.validity);
        self.values.append(other.values);
    }
}

impl Values {
    /// Appends values of the same type.
    fn append(&mut self, other: Self) {
        match (self, other) {
            (Self::Bool(all), Self::Bool(other)) => all.extend_from_slice(&other),
            (Self::I8(all), Self::I8(other)) => all.extend_from_slice(&other),
            (Self::I16(all), Self::I16(other)) => all.extend_from_slice(&other),
            (Self::I32(all), Self::I32(other)) => all.extend_from_slice(&other),
            (Self::I64(all), Self::I64(other)) => all.extend_from_slice(&other),
            (Self::U8(all), Self::U8(other)) => all.extend_from_slice(&other),
            (Self::U16(all), Self::U16(other)) => all.extend_from_slice(&other),
            (Self::U32(all), Self::U32(other)) => all.extend_from_slice(&other),
            (Self::U64(all), Self::U64(other)) => all.extend_from_slice(&other),
            (Self::F32(all), Self::F32(other)) => all.extend_from_slice(&other),
            (Self::F64(all), Self::F64(other)) => all.extend_from_slice(&other),
            (Self::Text { ends, bytes }, Self::Text { ends: other, bytes: more }) => {
                append_ends(ends, &other);
                bytes.extend_from_slice(&more);
            }
            (Self::Codes { codes, .. }, Self::Codes { codes: other, .. }) => codes.extend_from_slice(&other),
            (Self::List { ends, items }, Self::List { ends: other, items: more }) => {
                append_ends(ends, &other);
                items.append(*more);
            }
            (Self::Struct(own), Self::Struct(others)) => {
                own.iter_mut().zip(others).for_each(|(own, other)| own.append(other));
            }
            _ => {}
        }
    }
}

/// Appends the ends after a first 0, as places after the last one.
fn append_ends(ends: &mut Vec<u32>, other: &[u32]) {
    let last = ends.last().copied().unwrap_or(0);
    ends.extend(other.iter().skip(1).map(|end| last.wrapping_add(*end)));
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;
    use crate::ArrayBuilder;
    use crate::data_type::DataType;

    fn text(texts: &[Option<&str>]) -> Array {
        let mut builder = ArrayBuilder::new(&DataType::Text);
        for text in texts {
            match text {
                Some(text) => builder.push_text(text),
                None => builder.push_null(),
            }
        }
        builder.finish()
    }

    fn repeated(of: &DataType, value: Option<u64>, rows: usize) -> Array {
        let mut array = Array::new(of);
        array.repeat(value, rows);
        array
    }

    fn appended(one: Array, other: Array) -> Option<Array> {
        let rows = other.len();
        let mut batch = Batch::new(one.len(), vec![one]);
        batch.append(Batch::new(rows, vec![other])).ok()?;
        batch.columns.pop()
    }

    #[test]
    fn rows_follow_one_another() {
        let both = appended(text(&[Some("ab"), None]), text(&[None, Some("c"), Some("")]));
        assert_eq!(both, Some(text(&[Some("ab"), None, None, Some("c"), Some("")])));
        let both = appended(text(&[Some("ab")]), repeated(&DataType::Text, None, 2));
        assert_eq!(both, Some(text(&[Some("ab"), None, None])));
        let both = appended(repeated(&DataType::Text, None, 9), text(&[Some("ab")]));
        assert_eq!(both, Some(text(&[&[None; 9][..], &[Some("ab")]].concat())));
    }

    #[test]
    fn equal_values_stay_repeated() {
        let of = DataType::Unsigned(16);
        for value in [Some(7), None] {
            let both = appended(repeated(&of, value, 3), repeated(&of, value, 4)).unwrap();
            assert_eq!(both, repeated(&of, value, 7));
        }
        let both = appended(repeated(&of, Some(7), 2), repeated(&of, None, 1)).unwrap();
        assert_eq!((both.values(), both.validity().nulls()), (&Values::U16(vec![7, 7, 0]), 1));
        let both = appended(repeated(&of, None, 1), repeated(&of, Some(0), 1)).unwrap();
        assert_eq!((both.values(), both.validity().is_valid(1)), (&Values::U16(vec![0, 0]), true));
    }

    #[test]
    fn lists_of_structs_are_appended_by_their_members() {
        let of = DataType::List(Box::new(DataType::Struct(vec![crate::Member::new("x", DataType::Signed(8))])));
        let make = |lens: &[u64]| {
            let mut array = Array::new(&of);
            for len in lens {
                for number in 0..*len {
                    let items = array.items().unwrap();
                    items.member(0).unwrap().push_bits(number);
                    items.end_struct();
                }
                array.end_list();
            }
            array
        };
        assert_eq!(appended(make(&[2, 0]), make(&[1, 3])), Some(make(&[2, 0, 1, 3])));
    }

    #[test]
    fn what_does_not_belong_together_is_given_back() {
        let codes = || {
            let mut array = Array::of_codes();
            array.push_bits(0);
            array.set_texts(Arc::new(crate::Texts::default()));
            array
        };
        assert_eq!(appended(codes(), codes()), None);
        assert_eq!(appended(text(&[None]), repeated(&DataType::Bool, None, 1)), None);
    }
}
