//! Arrays of which all rows have one value: most columns of a header in the rows of one event.

use std::iter::repeat_n;

use crate::array::{Array, Values};
use crate::data_type::DataType;
use crate::validity::Validity;

impl Array {
    /// Makes an array without values one of so many equal values, given the bits of an integer, boolean, time or code,
    /// or of nulls. What has values already gets the others after them.
    pub(crate) fn repeat(&mut self, value: Option<u64>, rows: usize) {
        let of = self.values.repeatable().filter(|_| self.is_empty() && rows > 0);
        let Some(data_type) = of else {
            return match value {
                Some(bits) => self.extend_bits(repeat_n(bits, rows)),
                None => self.pad_by(rows),
            };
        };
        let texts = if let Values::Codes { texts, .. } = &mut self.values { Some(std::mem::take(texts)) } else { None };
        self.validity = Validity::of_equal(value.is_some(), rows);
        self.values = Values::Repeated { bits: value.unwrap_or(0), data_type, texts };
    }

    /// Returns an array with a value for each row: [`Values::Repeated`] becomes one of the other variants.
    #[must_use]
    pub fn expanded(self) -> Self {
        let Values::Repeated { bits, data_type, texts } = self.values else { return self };
        let mut array = if texts.is_some() { Self::of_codes() } else { Self::new(&data_type) };
        if self.validity.nulls() > 0 {
            array.pad_by(self.validity.len());
        } else {
            array.extend_bits(repeat_n(bits, self.validity.len()));
        }
        if let Some(texts) = texts {
            array.set_texts(texts);
        }
        array
    }
}

impl Values {
    /// Returns whether they are codes.
    pub(crate) const fn has_codes(&self) -> bool {
        matches!(self, Self::Codes { .. } | Self::Repeated { texts: Some(_), .. })
    }

    /// Returns the type of values that can be repeated; `None` of lists and structs.
    pub(crate) fn repeatable(&self) -> Option<DataType> {
        Some(match self {
            Self::Bool(_) => DataType::Bool,
            Self::I8(_) => DataType::Signed(8),
            Self::I16(_) => DataType::Signed(16),
            Self::I32(_) => DataType::Signed(32),
            Self::I64(_) => DataType::Signed(64),
            Self::U8(_) => DataType::Unsigned(8),
            Self::U16(_) => DataType::Unsigned(16),
            Self::U32(_) => DataType::Unsigned(32),
            Self::U64(_) => DataType::Unsigned(64),
            Self::F32(_) => DataType::F32,
            Self::F64(_) => DataType::F64,
            Self::Text { .. } | Self::Codes { .. } => DataType::Text,
            Self::Repeated { data_type, .. } => data_type.clone(),
            Self::List { .. } | Self::Struct(_) => return None,
        })
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test")]
mod tests {
    use super::*;

    #[test]
    fn expanded_values_are_those_that_were_repeated() {
        let types = [
            DataType::Bool,
            DataType::Signed(8),
            DataType::Signed(64),
            DataType::Unsigned(16),
            DataType::Time,
            DataType::F64,
            DataType::Text,
        ];
        for (of, rows) in types.iter().flat_map(|of| [0, 1, 9, 70_000].map(|rows| (of, rows))) {
            let (mut repeated, mut nulls) = (Array::new(of), Array::new(of));
            repeated.repeat(None, rows);
            nulls.pad_by(rows);
            assert_eq!((repeated.len(), repeated.validity()), (rows, nulls.validity()));
            assert_eq!(repeated.expanded(), nulls, "{of:?} {rows}");
        }
        for of in &types[..5] {
            let (mut repeated, mut equal) = (Array::new(of), Array::new(of));
            repeated.repeat(Some(1), 9);
            equal.extend_bits(repeat_n(1, 9));
            assert!(matches!(repeated.values(), Values::Repeated { bits: 1, .. }));
            assert_eq!(repeated.expanded(), equal, "{of:?}");
        }
        let mut list = Array::new(&DataType::List(Box::new(DataType::Bool)));
        list.repeat(None, 3);
        assert!(matches!(list.values(), Values::List { ends, .. } if ends.len() == 4));
    }

    #[test]
    fn values_behind_others_are_appended() {
        let mut array = Array::of_codes();
        array.repeat(Some(5), 2);
        let texts = std::sync::Arc::default();
        array.set_texts(std::sync::Arc::clone(&texts));
        assert_eq!(array.clone().expanded().values(), &Values::Codes { codes: vec![5, 5], texts });
        let mut array = Array::new(&DataType::Unsigned(8));
        array.push_bits(3);
        array.repeat(Some(5), 2);
        array.repeat(None, 1);
        assert_eq!((array.values(), array.validity().nulls()), (&Values::U8(vec![3, 5, 5, 0]), 1));
    }
}
