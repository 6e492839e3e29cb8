//! Comparison of the values of events: of header fields, and of fields of the payload.

use std::io::Write;

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
        (Value::F32(value), _) => Numeral::Real(shown_single(value)),
        (Value::F64(value), _) => Numeral::Real(value),
        _ => return None,
    })
}

/// Returns the double nearest to the shortest text of a single, by which it is shown: what the same text on the right means.
fn shown_single(value: f32) -> f64 {
    let mut text = [0; LONGEST_SINGLE];
    let mut rest = text.as_mut_slice();
    let written = write!(rest, "{value:e}").map(|()| LONGEST_SINGLE - rest.len());
    let text = written.ok().and_then(|len| std::str::from_utf8(text.get(..len)?).ok());
    text.and_then(|text| text.parse().ok()).unwrap_or_else(|| value.into())
}

/// Bytes of the text of a single with an exponent: sign, nine digits and a point, `e-45`.
const LONGEST_SINGLE: usize = 16;

#[cfg(test)]
mod tests {
    use super::shown_single;

    #[test]
    fn a_single_is_the_number_that_its_text_is() {
        for value in [0.1, -1.175_494_4e-38, f32::MIN, f32::MAX, f32::MIN_POSITIVE, 1e-45, -0.0, 16_777_216.0, 1.5] {
            assert_eq!(shown_single(value).to_bits(), value.to_string().parse::<f64>().unwrap_or(f64::NAN).to_bits());
        }
        assert!(shown_single(f32::NAN).is_nan() && shown_single(f32::NEG_INFINITY) == f64::NEG_INFINITY);
    }
}
