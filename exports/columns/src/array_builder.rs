//! Arrays of values that are not of events.

use crate::array::{Array, Scalar};
use crate::data_type::DataType;

/// Makes an array of values that the caller has: rows of an analysis, counts. Values come one by one; what the type cannot
/// hold becomes null.
#[derive(Clone, Debug)]
pub struct ArrayBuilder(Array);

impl ArrayBuilder {
    /// Begins an array of a type without parts: a list stays one of nulls.
    pub fn new(of: &DataType) -> Self {
        Self(Array::new(of))
    }

    /// Appends a null.
    pub fn push_null(&mut self) {
        self.0.push_null();
    }

    /// Appends a value of [`DataType::Bool`].
    pub fn push_bool(&mut self, value: bool) {
        self.0.push(Scalar::Bool(value));
    }

    /// Appends an integer, or microseconds of [`DataType::Time`].
    pub fn push_integer(&mut self, value: i128) {
        self.0.push(Scalar::Integer(value));
    }

    /// Appends a single or a double.
    pub fn push_float(&mut self, value: f64) {
        self.0.push(Scalar::Float(value));
    }

    /// Appends a text.
    pub fn push_text(&mut self, text: &str) {
        self.0.push(Scalar::Text(text.as_bytes()));
    }

    /// Returns the array.
    pub fn finish(self) -> Array {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;

    #[test]
    fn what_a_type_cannot_hold_is_null() {
        let mut builder = ArrayBuilder::new(&DataType::Unsigned(8));
        builder.push_integer(255);
        builder.push_integer(256);
        builder.push_text("7");
        builder.push_null();
        let array = builder.finish();
        assert_eq!((array.values(), array.validity().nulls()), (&Values::U8(vec![255, 0, 0, 0]), 3));
    }
}
