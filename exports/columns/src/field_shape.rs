//! The column of a field: decided by its schema.

use etwkit::schema::{Count, DisplayFormat, Field, Schema, Wire};

use crate::data_type::DataType;
use crate::element_type::{element, shown_integer};
use crate::struct_type::struct_type;

/// What a field's values are as columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldShape {
    pub(crate) data_type: DataType,
    /// The type of the integer that it shows or that is behind what it shows; `None` if there is none, or more than one.
    integer: Option<DataType>,
    /// Whether a column of its own shows the integer: where a map names it, and beside times.
    shows_integer: bool,
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
        let shows_integer = has_map || element == DataType::Time;
        Some(Self { data_type: element, integer: shown_integer(field), shows_integer })
    }

    /// Returns the type of the column that shows the integer, if there is one.
    pub(crate) fn number(&self) -> Option<&DataType> {
        self.integer.as_ref().filter(|_| self.shows_integer)
    }

    /// Returns the shape that holds the values of both.
    pub(crate) fn unified(&self, other: &Self) -> Self {
        let integer = match (&self.integer, &other.integer) {
            (Some(a), Some(b)) => Some(a.unified(b)),
            (one, other) => one.as_ref().or(other.as_ref()).cloned(),
        };
        let shows_integer = self.number().is_some() || other.number().is_some();
        Self { data_type: self.data_type.unified(&other.data_type), integer, shows_integer }
    }
}

impl From<DataType> for FieldShape {
    fn from(data_type: DataType) -> Self {
        Self { data_type, integer: None, shows_integer: false }
    }
}
