//! The type of a value without parts: decided by its field.

use etwkit::schema::{DisplayFormat, Field, IntegerType, Notation, Scalar, Wire};

use crate::data_type::DataType;

/// Returns the type of one element of a field without a map. Times of one format only are times: SYSTEMTIME has no
/// zone, and what is called a PE time stamp may be a hash. Both stay texts, as in JSON.
pub(crate) fn element(field: &Field) -> DataType {
    match field.wire {
        Wire::Scalar(Scalar::F32) => return DataType::F32,
        Wire::Scalar(Scalar::F64) => return DataType::F64,
        _ => {}
    }
    let Some(kind) = field.integer() else { return DataType::Text };
    match field.display.notation(kind) {
        Notation::Bool => DataType::Bool,
        Notation::Time { .. } if field.display != DisplayFormat::UnixTime && bits(kind) == 64 => DataType::Time,
        Notation::Decimal { .. } | Notation::Hex | Notation::Port => shown(field.display, kind),
        _ => DataType::Text,
    }
}

/// Returns the type of the integer that a field shows, or that is behind what it shows; `None` if it is not an integer.
pub(crate) fn shown_integer(field: &Field) -> Option<DataType> {
    Some(shown(field.display, field.integer()?))
}

/// Returns the type of the integer that is shown for one of a payload.
const fn shown(display: DisplayFormat, kind: IntegerType) -> DataType {
    match display.notation(kind) {
        Notation::Decimal { is_signed: true } | Notation::Time { is_signed: true } => DataType::Signed(bits(kind)),
        Notation::Port => DataType::Unsigned(16),
        _ => DataType::Unsigned(bits(kind)),
    }
}

/// Returns the bits of a column for an integer: those of the longest addresses.
const fn bits(kind: IntegerType) -> u8 {
    match kind {
        IntegerType::Signed(bytes) | IntegerType::Unsigned(bytes) => 8 * bytes,
        IntegerType::Pointer => 64,
    }
}
