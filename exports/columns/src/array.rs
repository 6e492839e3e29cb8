//! The values of one column of a batch.

use std::sync::Arc;

use crate::data_type::DataType;
use crate::texts::Texts;
use crate::validity::Validity;

/// The values of one column, in order of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub(crate) validity: Validity,
    pub(crate) values: Values,
}

/// The values themselves. A null has a value, too: 0, false, or no bytes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Values {
    /// Of [`DataType::Bool`].
    Bool(Vec<bool>),
    /// Signed integers of 8 bits.
    I8(Vec<i8>),
    /// Signed integers of 16 bits.
    I16(Vec<i16>),
    /// Signed integers of 32 bits.
    I32(Vec<i32>),
    /// Signed integers of 64 bits, and times.
    I64(Vec<i64>),
    /// Unsigned integers of 8 bits.
    U8(Vec<u8>),
    /// Unsigned integers of 16 bits.
    U16(Vec<u16>),
    /// Unsigned integers of 32 bits.
    U32(Vec<u32>),
    /// Unsigned integers of 64 bits.
    U64(Vec<u64>),
    /// Singles.
    F32(Vec<f32>),
    /// Doubles.
    F64(Vec<f64>),
    /// Texts, one after the other.
    Text {
        /// The place in `bytes` where each text ends, after a first 0.
        ends: Vec<u32>,
        /// UTF-8 of all texts.
        bytes: Vec<u8>,
    },
    /// Texts of which there are few, as codes: of columns with [`Column::has_codes`](crate::Column::has_codes).
    Codes {
        /// The code of each text.
        codes: Vec<u32>,
        /// The texts of all codes. Most batches of a run share them: one `Arc` for each thread as long as no text comes
        /// that is new. Later texts of a thread begin with all earlier ones as a rule; do not rely on it.
        texts: Arc<Texts>,
    },
    /// Lists, one after the other.
    List {
        /// The place in `items` where each list ends, after a first 0.
        ends: Vec<u32>,
        /// The values of all lists.
        items: Box<Array>,
    },
    /// Structs, by their members, of which each has as many values. A null is one in all members.
    Struct(Vec<Array>),
    /// One value that all rows have, or nulls alone: [`Array::expanded`] returns a value for each row.
    Repeated {
        /// The bits of an integer, signed ones with their sign; 1 for true; the code of a text. 0 of nulls.
        bits: u64,
        /// The type of the value; of times that of their microseconds.
        data_type: DataType,
        /// The texts of codes, if it is one.
        texts: Option<Arc<Texts>>,
    },
}

/// One value that is pushed to an array.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar<'v> {
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(&'v [u8]),
}

impl Array {
    /// Returns an array without values.
    pub(crate) fn new(of: &DataType) -> Self {
        Self { validity: Validity::default(), values: Values::new(of) }
    }

    /// Returns an array of codes, without values.
    pub(crate) fn of_codes() -> Self {
        Self { validity: Validity::default(), values: Values::Codes { codes: Vec::new(), texts: Arc::default() } }
    }

    /// Returns the values.
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// Returns which values are null.
    pub const fn validity(&self) -> &Validity {
        &self.validity
    }

    /// Returns which values are null, and the values, for those who take over their memory.
    pub fn into_parts(self) -> (Validity, Values) {
        (self.validity, self.values)
    }

    /// Returns how many values it has, nulls included.
    pub fn len(&self) -> usize {
        self.validity.len()
    }

    /// Returns whether it has no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns about how many bytes the values take.
    pub(crate) fn size(&self) -> usize {
        match &self.values {
            Values::Bool(_) | Values::I8(_) | Values::U8(_) => self.len(),
            Values::I16(_) | Values::U16(_) => 2 * self.len(),
            Values::I32(_) | Values::U32(_) | Values::F32(_) | Values::Codes { .. } => 4 * self.len(),
            Values::I64(_) | Values::U64(_) | Values::F64(_) => 8 * self.len(),
            Values::Text { bytes, .. } => 4 * self.len() + bytes.len(),
            Values::List { items, .. } => 4 * self.len() + items.size(),
            Values::Struct(members) => members.iter().map(Self::size).sum(),
            Values::Repeated { .. } => size_of::<Self>(),
        }
    }

    /// Appends a null.
    #[inline]
    pub(crate) fn push_null(&mut self) {
        self.values.push_default();
        self.validity.push(false);
    }

    /// Appends a value. One that the type cannot hold becomes null: types are chosen so that there is none.
    #[inline]
    pub(crate) fn push(&mut self, value: Scalar<'_>) {
        let holds = self.values.push(value);
        if !holds {
            self.values.push_default();
        }
        self.validity.push(holds);
    }

    /// Appends a text that `write` writes, and returns its bytes.
    #[inline]
    pub(crate) fn push_text(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        let written = self.push_text_if(|out| {
            write(out);
            true
        });
        written.unwrap_or(0)
    }

    /// Appends a text that `write` writes, and returns its bytes; `None`, and nothing, if it returns false.
    #[inline]
    pub(crate) fn push_text_if(&mut self, write: impl FnOnce(&mut Vec<u8>) -> bool) -> Option<usize> {
        let Values::Text { ends, bytes } = &mut self.values else { return None };
        let start = bytes.len();
        if !write(bytes) {
            return None;
        }
        // Batches are handed over long before, and no event prints as much.
        let end = u32::try_from(bytes.len());
        if end.is_err() {
            bytes.truncate(start);
        }
        ends.push(end.unwrap_or(start as u32));
        self.validity.push(end.is_ok());
        Some(bytes.len() - start)
    }

    /// Appends a text, and returns its bytes.
    #[inline]
    pub(crate) fn push_bytes(&mut self, text: &[u8]) -> usize {
        self.push_text(|out| out.extend_from_slice(text))
    }

    /// Appends the integer, boolean, time or code of some bits, which the type holds.
    #[inline]
    pub(crate) fn push_bits(&mut self, bits: u64) {
        match &mut self.values {
            Values::Bool(all) => all.push(bits != 0),
            Values::I8(all) => all.push(bits as i8),
            Values::I16(all) => all.push(bits as i16),
            Values::I32(all) => all.push(bits as i32),
            Values::I64(all) => all.push(bits.cast_signed()),
            Values::U8(all) => all.push(bits as u8),
            Values::U16(all) => all.push(bits as u16),
            Values::U32(all) | Values::Codes { codes: all, .. } => all.push(bits as u32),
            Values::U64(all) => all.push(bits),
            _ => return self.push_null(),
        }
        self.validity.push(true);
    }

    /// Appends a floating-point number.
    #[inline]
    pub(crate) fn push_float(&mut self, number: f64) {
        self.push(Scalar::Float(number));
    }

    /// Appends nulls until it has as many values.
    #[inline]
    pub(crate) fn pad(&mut self, rows: usize) {
        if self.len() < rows {
            self.pad_by(rows - self.len());
        }
    }

    pub(crate) fn pad_by(&mut self, nulls: usize) {
        self.values.push_defaults(nulls);
        self.validity.push_all(false, nulls);
    }

    /// Sets the texts of codes.
    pub(crate) fn set_texts(&mut self, of_codes: Arc<Texts>) {
        if let Values::Codes { texts, .. } | Values::Repeated { texts: Some(texts), .. } = &mut self.values {
            *texts = of_codes;
        }
    }

    /// Returns where the items of the list go that [`Array::end_list`] ends; `None` if it is not a list.
    pub(crate) const fn items(&mut self) -> Option<&mut Self> {
        match &mut self.values {
            Values::List { items, .. } => Some(items),
            _ => None,
        }
    }

    /// Returns where the values of a member go, by its number, before [`Array::end_struct`]; `None` if it has none.
    pub(crate) fn member(&mut self, number: usize) -> Option<&mut Self> {
        match &mut self.values {
            Values::Struct(members) => members.get_mut(number),
            _ => None,
        }
    }

    /// Ends a struct of the values that were appended to members since the last one. Members without one are null.
    pub(crate) fn end_struct(&mut self) {
        let len = self.len() + 1;
        if let Values::Struct(members) = &mut self.values {
            for member in members {
                member.pad(len);
            }
        }
        self.validity.push(true);
    }

    /// Ends a list of the items that were appended since the last one.
    pub(crate) fn end_list(&mut self) {
        self.values.push_default();
        self.validity.push(true);
    }
}

impl Values {
    fn new(of: &DataType) -> Self {
        match of {
            DataType::Bool => Self::Bool(Vec::new()),
            DataType::Signed(8) => Self::I8(Vec::new()),
            DataType::Signed(16) => Self::I16(Vec::new()),
            DataType::Signed(32) => Self::I32(Vec::new()),
            DataType::Signed(_) | DataType::Time => Self::I64(Vec::new()),
            DataType::Unsigned(8) => Self::U8(Vec::new()),
            DataType::Unsigned(16) => Self::U16(Vec::new()),
            DataType::Unsigned(32) => Self::U32(Vec::new()),
            DataType::Unsigned(_) => Self::U64(Vec::new()),
            DataType::F32 => Self::F32(Vec::new()),
            DataType::F64 => Self::F64(Vec::new()),
            DataType::Text => Self::Text { ends: vec![0], bytes: Vec::new() },
            DataType::List(of) => Self::List { ends: vec![0], items: Box::new(Array::new(of)) },
            DataType::Struct(members) => {
                Self::Struct(members.iter().map(|member| Array::new(&member.data_type)).collect())
            }
        }
    }

    /// Makes room for integers.
    pub(crate) fn reserve(&mut self, more: usize) {
        match self {
            Self::I8(all) => all.reserve(more),
            Self::I16(all) => all.reserve(more),
            Self::I32(all) => all.reserve(more),
            Self::I64(all) => all.reserve(more),
            Self::U8(all) => all.reserve(more),
            Self::U16(all) => all.reserve(more),
            Self::U32(all) => all.reserve(more),
            Self::U64(all) => all.reserve(more),
            _ => {}
        }
    }

    /// Appends a value; false, and nothing is appended, if the type does not hold it.
    #[inline]
    fn push(&mut self, value: Scalar<'_>) -> bool {
        match (self, value) {
            (Self::Bool(all), Scalar::Bool(value)) => all.push(value),
            (Self::I8(all), Scalar::Integer(value)) => return push_integer(all, value),
            (Self::I16(all), Scalar::Integer(value)) => return push_integer(all, value),
            (Self::I32(all), Scalar::Integer(value)) => return push_integer(all, value),
            (Self::I64(all), Scalar::Integer(value)) => return push_integer(all, value),
            (Self::U8(all), Scalar::Integer(value)) => return push_integer(all, value),
            (Self::U16(all), Scalar::Integer(value)) => return push_integer(all, value),
            (Self::U32(all), Scalar::Integer(value)) => return push_integer(all, value),
            (Self::U64(all), Scalar::Integer(value)) => return push_integer(all, value),
            (Self::F32(all), Scalar::Float(value)) => all.push(value as f32),
            (Self::F64(all), Scalar::Float(value)) => all.push(value),
            (Self::Text { ends, bytes }, Scalar::Text(text)) => {
                let Ok(end) = u32::try_from(bytes.len() + text.len()) else { return false };
                bytes.extend_from_slice(text);
                ends.push(end);
            }
            _ => return false,
        }
        true
    }

    /// Appends numbers, which the type holds.
    #[inline]
    pub(crate) fn extend(&mut self, numbers: impl ExactSizeIterator<Item = u64>) {
        match self {
            Self::Bool(all) => all.extend(numbers.map(|number| number != 0)),
            Self::I8(all) => all.extend(numbers.map(|number| number as i8)),
            Self::I16(all) => all.extend(numbers.map(|number| number as i16)),
            Self::I32(all) => all.extend(numbers.map(|number| number as i32)),
            Self::I64(all) => all.extend(numbers.map(u64::cast_signed)),
            Self::U8(all) => all.extend(numbers.map(|number| number as u8)),
            Self::U16(all) => all.extend(numbers.map(|number| number as u16)),
            Self::U32(all) | Self::Codes { codes: all, .. } => all.extend(numbers.map(|number| number as u32)),
            Self::U64(all) => all.extend(numbers),
            _ => self.push_defaults(numbers.len()),
        }
    }

    /// Appends the values of nulls; of lists, their ends.
    fn push_defaults(&mut self, nulls: usize) {
        match self {
            Self::Bool(all) => all.resize(all.len() + nulls, false),
            Self::I8(all) => all.resize(all.len() + nulls, 0),
            Self::I16(all) => all.resize(all.len() + nulls, 0),
            Self::I32(all) => all.resize(all.len() + nulls, 0),
            Self::I64(all) => all.resize(all.len() + nulls, 0),
            Self::U8(all) => all.resize(all.len() + nulls, 0),
            Self::U16(all) => all.resize(all.len() + nulls, 0),
            Self::U32(all) | Self::Codes { codes: all, .. } => all.resize(all.len() + nulls, 0),
            Self::U64(all) => all.resize(all.len() + nulls, 0),
            Self::F32(all) => all.resize(all.len() + nulls, 0.0),
            Self::F64(all) => all.resize(all.len() + nulls, 0.0),
            Self::Text { ends, .. } | Self::List { ends, .. } => {
                ends.resize(ends.len() + nulls, ends.last().copied().unwrap_or(0));
            }
            Self::Struct(members) => members.iter_mut().for_each(|member| member.pad_by(nulls)),
            // Made when no value follows.
            Self::Repeated { .. } => {}
        }
    }

    /// Appends the value of a null; of a list, its end.
    #[inline]
    fn push_default(&mut self) {
        match self {
            Self::Bool(all) => all.push(false),
            Self::I8(all) => all.push(0),
            Self::I16(all) => all.push(0),
            Self::I32(all) => all.push(0),
            Self::I64(all) => all.push(0),
            Self::U8(all) => all.push(0),
            Self::U16(all) => all.push(0),
            Self::U32(all) => all.push(0),
            Self::U64(all) => all.push(0),
            Self::F32(all) => all.push(0.0),
            Self::F64(all) => all.push(0.0),
            Self::Text { ends, bytes } => ends.push(u32::try_from(bytes.len()).unwrap_or(u32::MAX)),
            Self::Codes { codes, .. } => codes.push(0),
            Self::List { ends, items } => ends.push(u32::try_from(items.len()).unwrap_or(u32::MAX)),
            Self::Struct(members) => members.iter_mut().for_each(Array::push_null),
            Self::Repeated { .. } => {}
        }
    }
}

#[inline]
fn push_integer<T: TryFrom<i128>>(all: &mut Vec<T>, value: i128) -> bool {
    T::try_from(value).map(|value| all.push(value)).is_ok()
}
