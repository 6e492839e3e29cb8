//! The type of a value without parts: decided by its field.

use etwkit::schema::{DisplayFormat, Field, Scalar, Wire};

use crate::data_type::DataType;

/// Returns the type of one element of a field without a map. Times of one format only are times: SYSTEMTIME has no
/// zone, and what is called a PE time stamp may be a hash. Both stay texts, as in JSON.
pub(crate) fn element(field: &Field) -> DataType {
    use DisplayFormat as D;
    match field.wire {
        Wire::Scalar(Scalar::F32) => return DataType::F32,
        Wire::Scalar(Scalar::F64) => return DataType::F64,
        _ => {}
    }
    let (Some((_, bits)), Some(shown)) = (integer(field), shown_integer(field)) else { return DataType::Text };
    match field.display {
        D::Bool => DataType::Bool,
        D::FileTime | D::ClockTime if bits == 64 => DataType::Time,
        D::Plain
        | D::Signed
        | D::Unsigned
        | D::Hex
        | D::CodePointer
        | D::Pid
        | D::Tid
        | D::Port
        | D::NtStatus
        | D::HResult
        | D::Win32Error
        | D::ErrorCode => shown,
        _ => DataType::Text,
    }
}

/// Returns the type of the integer that a field shows, or that is behind what it shows; `None` if it is not an integer.
pub(crate) fn shown_integer(field: &Field) -> Option<DataType> {
    use DisplayFormat as D;
    let (is_signed, bits) = integer(field)?;
    Some(match field.display {
        D::Signed => sized(true, bits),
        // Hexadecimal digits are those of the bits.
        D::Unsigned | D::Hex | D::NtStatus | D::HResult | D::CodePointer => sized(false, bits),
        D::Port => sized(false, 16),
        _ => sized(is_signed, bits),
    })
}

/// Returns whether an integer on the wire is signed, and its bits; `None` if it is not an integer.
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

/// Returns the type of integers.
const fn sized(is_signed: bool, bits: u8) -> DataType {
    if is_signed { DataType::Signed(bits) } else { DataType::Unsigned(bits) }
}
