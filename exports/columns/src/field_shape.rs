//! The column of a field: decided by its schema.

use etwkit::schema::{Count, DisplayFormat, Field, Schema, Wire};

use crate::data_type::DataType;
use crate::element_type::{element, integer, sized};
use crate::struct_type::struct_type;

/// What a field's values are as columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldShape {
    pub(crate) data_type: DataType,
    /// The integer behind it, where that is the name that a map gives it or a time.
    pub(crate) number: Option<DataType>,
}

impl FieldShape {
    /// Returns the shape of the top-level field at a place; `None` if it is not to be shown.
    pub(crate) fn of(place: usize, field: &Field, schema: &Schema) -> Option<Self> {
        if field.display == DisplayFormat::Hidden {
            return None;
        }
        if field.is_characters() {
            return Some(DataType::Text.into());
        }
        if matches!(field.wire, Wire::Struct { .. }) {
            let one = struct_type(schema, place);
            let all = |one| if field.count == Count::One { one } else { DataType::List(Box::new(one)) };
            return Some(one.map_or(DataType::Text, all).into());
        }
        let has_map = schema.map(field).is_some();
        let element = if has_map { DataType::Text } else { element(field) };
        if field.count != Count::One {
            // Of what is not a date, a list has no integer beside it.
            return Some(DataType::List(Box::new(element.without_time())).into());
        }
        // Names of maps and times do not determine the integer: it has a column of its own.
        let is_told = !has_map && element != DataType::Time;
        let number = integer(field).filter(|_| !is_told).map(|(is_signed, bits)| sized(is_signed, bits));
        Some(Self { data_type: element, number })
    }
}

impl FieldShape {
    /// Returns the shape that holds the values of both.
    pub(crate) fn unified(&self, other: &Self) -> Self {
        let as_number = |shape: &Self| match &shape.number {
            Some(number) => Some(number.clone()),
            None => {
                matches!(shape.data_type, DataType::Signed(_) | DataType::Unsigned(_)).then(|| shape.data_type.clone())
            }
        };
        let number = match (as_number(self), as_number(other)) {
            _ if self.number.is_none() && other.number.is_none() => None,
            (Some(a), Some(b)) => Some(a.unified(&b)).filter(|both| *both != DataType::Text),
            (one, other) => one.or(other),
        };
        Self { data_type: self.data_type.unified(&other.data_type), number }
    }
}

impl From<DataType> for FieldShape {
    fn from(data_type: DataType) -> Self {
        Self { data_type, number: None }
    }
}
