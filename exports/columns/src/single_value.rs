//! A value without parts on its way into a column.

use etwkit::decode::{Event, Value};
use etwkit::schema::{DisplayFormat, Field, Map};
use etwkit::{FileTime, RawTime};

use crate::array::{Array, Scalar};
use crate::data_type::DataType;
use crate::time::microseconds;

/// Appends one value.
pub(crate) fn push(
    event: &Event<'_>,
    field: &Field,
    map: Option<&Map>,
    value: Value<'_>,
    of: &DataType,
    array: &mut Array,
) {
    use etwkit::render::value::{ValueContext, push as push_shown};
    let scalar = match of {
        DataType::Bool => value.as_u64().map(|bits| Scalar::Bool(bits != 0)),
        DataType::Signed(_) | DataType::Unsigned(_) => value.number(field.display).map(Scalar::Integer),
        DataType::F32 | DataType::F64 => value.as_f64().map(Scalar::Float),
        DataType::Time => time(event, field, value).and_then(microseconds).map(|time| Scalar::Integer(time.into())),
        _ => {
            let context = ValueContext::new(field).map(map).clock(event.clock());
            array.push_text(|out| {
                push_shown(out, value, context);
            });
            return;
        }
    };
    match scalar {
        Some(scalar) => array.push(scalar),
        None => array.push_null(),
    }
}

/// Appends the integer of a field whose column is a name or a time.
pub(crate) fn push_integer(field: &Field, value: Value<'_>, of: &DataType, array: &mut Array) {
    match (value.number(field.display), of) {
        (None, _) => array.push_null(),
        // No integer type holds those of all versions.
        (Some(number), DataType::Text) => {
            array.push_bytes(number.to_string().as_bytes());
        }
        (Some(number), _) => array.push(Scalar::Integer(number)),
    }
}

/// Returns the time that a field shows; `None` where its value states that there is none.
fn time(event: &Event<'_>, field: &Field, value: Value<'_>) -> Option<FileTime> {
    let ticks = value.as_u64().map(u64::cast_signed).filter(|ticks| *ticks > 0)?;
    if field.display == DisplayFormat::ClockTime {
        return event.clock()?.filetime(RawTime(ticks));
    }
    Some(FileTime(ticks)).filter(|time| *time != FileTime::UNIX_EPOCH)
}
