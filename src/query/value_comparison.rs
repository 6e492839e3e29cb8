//! Comparison of the values of events: of header fields, and of fields of the payload.

use crate::decode::{Event, Value};
use crate::render::value::{self, ValueContext};
use crate::schema::DisplayFormat;
use crate::select::{Descent, HeaderValue, Path};

use super::comparison::Comparison;
use super::numeral::Numeral;

/// Returns whether the value of a header field passes: by its number, its text, or another name that it has.
pub(super) fn header_value(value: &HeaderValue<'_>, comparison: &Comparison, text: impl FnOnce() -> String) -> bool {
    let integer = |number: i128| Some(Numeral::Integer(number));
    match value {
        HeaderValue::Number { value, name } => {
            let by_name = |name: &str| comparison.compares_texts() && comparison.holds(None, || name.to_owned());
            comparison.holds(integer((*value).into()), text) || name.is_some_and(by_name)
        }
        HeaderValue::Bits(bits) => comparison.holds(integer((*bits).into()), text),
        HeaderValue::Real(number) => comparison.holds(Some(Numeral::Real(*number)), text),
        HeaderValue::Ticks(ticks) => comparison.holds(integer(ticks.0.into()), text),
        HeaderValue::Provider { name, guids } => {
            let is_named = name.is_some_and(|name| comparison.holds(None, || name.to_owned()));
            is_named || guids.all().any(|guid| comparison.holds(None, || guid.to_string()))
        }
        HeaderValue::ProviderGuid(guids) => guids.all().any(|guid| comparison.holds(None, || guid.to_string())),
        _ => comparison.holds(None, text),
    }
}

/// Returns whether a value of a field passes: one is enough of an array. `None` if the event has no such value.
pub(super) fn any_field(event: &Event<'_>, path: &Path, comparison: &Comparison) -> Option<bool> {
    let (mut answer, clock) = (None, event.clock());
    for descent in Descent::all(event, path) {
        let schema = event.schema();
        descent.each_value(|field, value| {
            let map = schema.and_then(|schema| schema.map(field));
            let holds = field_value(value, ValueContext { field, map, clock }, comparison);
            answer = Some(answer.unwrap_or(false) || holds);
        });
    }
    answer
}

/// Returns whether a value of a field passes.
pub(super) fn field_value(value: &Value<'_>, context: ValueContext<'_>, comparison: &Comparison) -> bool {
    comparison.holds(number(*value, context.field.display), || value::to_string(*value, context))
}

/// Returns the number that a value shows: a port in host byte order, signs as the field wants them.
fn number(value: Value<'_>, display: DisplayFormat) -> Option<Numeral> {
    Some(match (value, display) {
        (Value::Unsigned(port, 2), DisplayFormat::Port) => Numeral::Integer((port as u16).swap_bytes().into()),
        (Value::Unsigned(bits, width), DisplayFormat::Signed) => {
            Numeral::Integer(value::sign_extend(bits, width).into())
        }
        (
            Value::Signed(value, width),
            DisplayFormat::Unsigned
            | DisplayFormat::Hex
            | DisplayFormat::CodePointer
            | DisplayFormat::NtStatus
            | DisplayFormat::HResult,
        ) => Numeral::Integer(value::masked(value.cast_unsigned(), width).into()),
        (Value::Signed(value, _), _) => Numeral::Integer(value.into()),
        (Value::Unsigned(value, _) | Value::Pointer(value, _), _) => Numeral::Integer(value.into()),
        // As it is shown: the double nearest to its shortest text, which is what the same text means on the right.
        (Value::F32(value), _) => Numeral::Real(value.to_string().parse().unwrap_or_else(|_| value.into())),
        (Value::F64(value), _) => Numeral::Real(value),
        _ => return None,
    })
}
