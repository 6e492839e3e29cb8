//! The column of a field: decided by its schema.

use etwkit::schema::{Count, DisplayFormat, Field, Scalar, Schema, Wire};

use crate::data_type::DataType;

/// What a field's values are as columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldShape {
    pub(crate) data_type: DataType,
    /// The integer behind it, where that is the name that a map gives it or a time.
    pub(crate) number: Option<DataType>,
}

impl FieldShape {
    /// Returns the shape of a top-level field; `None` if it is not to be shown.
    pub(crate) fn of(field: &Field, schema: &Schema) -> Option<Self> {
        if field.display == DisplayFormat::Hidden {
            return None;
        }
        if field.is_characters() || matches!(field.wire, Wire::Struct { .. }) {
            return Some(DataType::Text.into());
        }
        let has_map = schema.map(field).is_some();
        let element = if has_map { DataType::Text } else { element(field) };
        if field.count != Count::One {
            // Of what is no date, a list has no integer beside it.
            let element = if element == DataType::Time { DataType::Text } else { element };
            return Some(DataType::List(Box::new(element)).into());
        }
        // Names of maps and times do not tell the integer: it has a column of its own.
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

/// Returns the type of one element of a field without a map. Times of one format only are times: SYSTEMTIME has no
/// zone, and what is called a PE time stamp may be a hash. Both stay texts, as in JSON.
fn element(field: &Field) -> DataType {
    use DisplayFormat as D;
    match field.wire {
        Wire::Scalar(Scalar::F32) => return DataType::F32,
        Wire::Scalar(Scalar::F64) => return DataType::F64,
        _ => {}
    }
    let Some((is_signed, bits)) = integer(field) else { return DataType::Text };
    match field.display {
        D::Bool => DataType::Bool,
        D::Signed => sized(true, bits),
        // Hexadecimal digits are those of the bits.
        D::Unsigned | D::Hex | D::NtStatus | D::HResult | D::CodePointer => sized(false, bits),
        D::Port => sized(false, 16),
        D::FileTime | D::ClockTime if bits == 64 => DataType::Time,
        D::Plain | D::Pid | D::Tid | D::Win32Error | D::ErrorCode => sized(is_signed, bits),
        _ => DataType::Text,
    }
}

/// Returns whether an integer on the wire is signed, and its bits; `None` if it is no integer.
fn integer(field: &Field) -> Option<(bool, u8)> {
    Some(match field.wire {
        Wire::Scalar(Scalar::I8) => (true, 8),
        Wire::Scalar(Scalar::I16) => (true, 16),
        Wire::Scalar(Scalar::I32) => (true, 32),
        Wire::Scalar(Scalar::I64) => (true, 64),
        Wire::Scalar(Scalar::U8) => (false, 8),
        Wire::Scalar(Scalar::U16) => (false, 16),
        Wire::Scalar(Scalar::U32) => (false, 32),
        Wire::Scalar(Scalar::U64 | Scalar::Pointer) => (false, 64),
        Wire::Bits { count, .. } => (false, count.max(8).next_power_of_two()),
        _ => return None,
    })
}

const fn sized(is_signed: bool, bits: u8) -> DataType {
    if is_signed { DataType::Signed(bits) } else { DataType::Unsigned(bits) }
}
