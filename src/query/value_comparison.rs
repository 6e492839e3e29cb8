//! Comparison of the values of events: of header fields, and of fields of the payload.

use std::io::Write;

use crate::bytes::Guid;
use crate::decode::{Event, Value};
use crate::format::SystemTime;
use crate::render::dates;
use crate::render::value::{self, ValueContext};
use crate::schema::{DisplayFormat, Map, MapKind};
use crate::select::{Descent, HeaderValue, Path};

use super::comparison::Comparison;
use super::meaning::{Instant, Meaning};
use super::numeral::Numeral;

/// Returns whether the value of a header field passes: by its number, its text, or another name that it has.
pub(super) fn header_value(value: &HeaderValue<'_>, comparison: &Comparison, text: impl FnOnce() -> String) -> bool {
    let is_text = |text: &str| comparison.holds(Meaning::TEXT, || text.to_owned());
    let is_guid = |guid: Guid| comparison.holds(Meaning::TEXT, || guid.to_string());
    match value {
        HeaderValue::Number { value, name } => {
            let by_name = |name: &str| comparison.compares_texts() && is_text(name);
            comparison.holds(Meaning::integer(*value), text) || name.is_some_and(by_name)
        }
        HeaderValue::Bits(bits) => comparison.holds(Meaning::integer(*bits), text),
        HeaderValue::Real(number) => comparison.holds(Meaning::number(Numeral::Real(*number)), text),
        HeaderValue::Ticks(ticks) => comparison.holds(Meaning::integer(ticks.0), text),
        HeaderValue::Provider { name, guids } => name.is_some_and(is_text) || guids.all().any(is_guid),
        HeaderValue::ProviderGuid(guids) => guids.all().any(is_guid),
        _ => comparison.holds(Meaning::TEXT, text),
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
    let meaning = Meaning { number: number(*value, context), time: instant(*value, context) };
    comparison.holds(meaning, || value::to_string(*value, context))
}

/// Returns when a value is, if its field has times.
fn instant(value: Value<'_>, context: ValueContext<'_>) -> Instant {
    use DisplayFormat::{ClockTime, FileTime, UnixTime};
    match dates::point_in_time(value, context.field.display, context.clock) {
        Some(time) => Instant::At(time),
        None if matches!(context.field.display, FileTime | UnixTime | ClockTime) => Instant::Never,
        None => Instant::Other,
    }
}

/// Returns the number that a value shows. What is shown by names has a number, too: where the bits have names, that of the
/// bits, because those without a name are shown in hexadecimal.
fn number(value: Value<'_>, context: ValueContext<'_>) -> Option<Numeral> {
    let display = context.field.display;
    match value {
        Value::F32(value) => return Some(Numeral::Real(shown_single(value))),
        Value::F64(value) => return Some(Numeral::Real(value)),
        Value::SystemTime(time) => return (time == SystemTime::default()).then_some(Numeral::Integer(0)),
        _ => {}
    }
    let number = match context.map.map(Map::kind) {
        Some(MapKind::Bits) => value.bits().map(i128::from),
        None if display == DisplayFormat::Char => None,
        _ => value.number(display),
    };
    number.map(Numeral::Integer)
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
    use super::*;
    use crate::bytes::PointerSize;
    use crate::schema::{Field, Scalar, Wire, masked, sign_extend};

    const DISPLAYS: [DisplayFormat; 19] = [
        DisplayFormat::Plain,
        DisplayFormat::Hidden,
        DisplayFormat::Hex,
        DisplayFormat::Signed,
        DisplayFormat::Unsigned,
        DisplayFormat::Pid,
        DisplayFormat::Tid,
        DisplayFormat::Port,
        DisplayFormat::Mac,
        DisplayFormat::NtStatus,
        DisplayFormat::HResult,
        DisplayFormat::Win32Error,
        DisplayFormat::ErrorCode,
        DisplayFormat::CodePointer,
        DisplayFormat::FileTime,
        DisplayFormat::UnixTime,
        DisplayFormat::ClockTime,
        DisplayFormat::Ipv6,
        DisplayFormat::SocketAddress,
    ];

    /// Integers of all kinds and widths, with their highest bit set, and 443 as a port.
    fn integers() -> Vec<Value<'static>> {
        let mut all = vec![
            Value::Pointer(0xFFFF_8000_0000_BB01, PointerSize::Eight),
            Value::Pointer(0x8000_BB01, PointerSize::Four),
            Value::Unsigned(0xBB01, 4),
        ];
        for width in [1, 2, 4, 8] {
            let bits = masked(0xFEDC_BA98_8765_BB81, width);
            all.extend([Value::Unsigned(bits, width), Value::Signed(sign_extend(bits, width), width)]);
        }
        all
    }

    #[test]
    fn an_integer_is_compared_as_it_is_shown() {
        let names = Map::new("V", MapKind::Values, [(1, "one")]).unwrap();
        let bits = Map::new("B", MapKind::Bits, [(0x100, "a")]).unwrap();
        let mut count = 0;
        for (display, map) in
            DISPLAYS.iter().flat_map(|display| [None, Some(&names), Some(&bits)].map(|map| (display, map)))
        {
            let field = Field::new("x", Wire::Scalar(Scalar::U32)).displayed(*display);
            for value in integers() {
                let context = ValueContext::new(&field).map(map);
                let text = value::to_string(value, context);
                if let Some(shown) = Numeral::parse(&text) {
                    count += 1;
                    assert_eq!(number(value, context), Some(shown), "{value:?} as {display:?}, {map:?}");
                }
            }
        }
        assert!(count > 350, "{count} values are shown as numbers");
    }

    #[test]
    fn bits_with_names_are_those_of_the_payload() {
        let bits = Map::new("B", MapKind::Bits, [(1, "r")]).unwrap();
        let field = Field::new("x", Wire::Scalar(Scalar::I32));
        let value = Value::Signed(0x8000_0001_u32.cast_signed().into(), 4);
        let context = ValueContext::new(&field).map(Some(&bits));
        assert_eq!(value::to_string(value, context), "r|0x80000000");
        assert_eq!(number(value, context), Some(Numeral::Integer(0x8000_0001)));
    }

    #[test]
    fn a_single_is_the_number_that_its_text_is() {
        for value in [0.1, -1.175_494_4e-38, f32::MIN, f32::MAX, f32::MIN_POSITIVE, 1e-45, -0.0, 16_777_216.0, 1.5] {
            assert_eq!(shown_single(value).to_bits(), value.to_string().parse::<f64>().unwrap_or(f64::NAN).to_bits());
        }
        assert!(shown_single(f32::NAN).is_nan() && shown_single(f32::NEG_INFINITY) == f64::NEG_INFINITY);
    }
}
