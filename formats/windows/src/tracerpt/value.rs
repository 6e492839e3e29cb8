//! One value as the report prints it.
//!
//! Integers are decimal, those of 32 bits aligned to the right in eight columns; addresses and what is shown in
//! hexadecimal have `0x` and upper-case digits; GUIDs have braces; times have nine digits of a second; bytes are
//! upper-case digits.

use std::io::Write as _;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Value};
use etwkit::render::time;
use etwkit::render::value::{self, ValueContext, Written};
use etwkit::schema::{MapKind, Show};
use etwkit::time::{FileTime, RawTime};

/// Returns the text shown in place of fields that would print too much.
pub(super) fn left_out(event: &Event<'_>) -> Option<String> {
    let values = event.left_out();
    (values > 0).then(|| format!("{values} values left out: they would print far more than their bytes"))
}

/// Appends a value of a manifest, of `TraceLogging` or of a message. Names of a value map replace the value.
pub(super) fn push(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let show = context.field.show;
    match value {
        Value::Pointer(..) | Value::Unsigned(..) | Value::Signed(..) if context.map.is_some() => {
            push_upper(out, value, context)
        }
        Value::Pointer(number, _) if matches!(show, Show::Plain | Show::Hex | Show::CodePointer) => hex(out, number),
        Value::Unsigned(number, _) if is_hex(show) => hex(out, number),
        Value::Signed(..) if is_hex(show) => hex(out, value.bits().unwrap_or(0)),
        Value::Unsigned(..) | Value::Signed(..) if matches!(show, Show::FileTime | Show::ClockTime) => {
            date(out, value, context)
        }
        Value::Guid(guid) => {
            out.push(b'{');
            out.extend_from_slice(&guid.to_text());
            out.push(b'}');
            Written::Text
        }
        Value::Bytes(bytes) => push_bytes(out, bytes, context),
        Value::F32(number) => float(out, number.is_finite(), number),
        Value::F64(number) => float(out, number.is_finite(), number),
        _ => value::push(out, value, context),
    }
}

/// Appends a value as `<Data>` has it: as [`push`], but the name of a value map has the blank that message tables leave
/// at its end, bits are a number, and numbers are aligned.
pub(super) fn push_data(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let map = context.map.filter(|map| map.kind() == MapKind::Values);
    if let Some(name) = map.zip(value.bits()).and_then(|(map, bits)| map.value(bits)) {
        out.extend_from_slice(name.as_bytes());
        out.push(b' ');
        return Written::Text;
    }
    let start = out.len();
    let written = push(out, value, ValueContext { map: None, ..context });
    if matches!(context.field.show, Show::Plain | Show::Signed | Show::Unsigned | Show::Pid | Show::Tid) {
        align(out, start, value);
    }
    written
}

/// Columns of an integer of 32 bits.
const COLUMNS: usize = 8;

/// Puts blanks before an integer of 32 bits that was written from `start` on.
fn align(out: &mut Vec<u8>, start: usize, value: Value<'_>) {
    let width = out.len().saturating_sub(start);
    if matches!(value, Value::Unsigned(_, 4) | Value::Signed(_, 4)) && width < COLUMNS {
        out.splice(start..start, std::iter::repeat_n(b' ', COLUMNS - width));
    }
}

/// Appends a value of a MOF class. These have no names of values and no dates: flags are hexadecimal, all other
/// integers decimal.
pub(super) fn push_classic(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let flags = context.map.is_some_and(|map| map.kind() == MapKind::Bits);
    match value {
        Value::Unsigned(number, _) if flags => hex(out, number),
        Value::Signed(..) if flags => hex(out, value.bits().unwrap_or(0)),
        Value::Unsigned(..) | Value::Signed(..) if is_number(context.field.show) => aligned_decimal(out, value),
        _ => push_data(out, value, ValueContext { map: None, ..context }),
    }
}

/// Appends an integer in decimal whatever its field says; other values as [`push_classic`].
pub(super) fn push_decimal(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    match value {
        Value::Unsigned(..) | Value::Signed(..) | Value::Pointer(..) => aligned_decimal(out, value),
        _ => push_classic(out, value, context),
    }
}

/// Appends an integer in hexadecimal whatever its field says; other values as [`push_classic`].
pub(super) fn push_hex(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    match value {
        Value::Unsigned(number, _) | Value::Pointer(number, _) => hex(out, number),
        Value::Signed(..) => hex(out, value.bits().unwrap_or(0)),
        _ => push_classic(out, value, context),
    }
}

const fn is_hex(show: Show) -> bool {
    matches!(show, Show::Hex | Show::CodePointer | Show::NtStatus | Show::HResult | Show::ErrorCode)
}

/// Renderings that MOF classes do not have.
const fn is_number(show: Show) -> bool {
    matches!(
        show,
        Show::Plain
            | Show::Bool
            | Show::FileTime
            | Show::ClockTime
            | Show::UnixTime
            | Show::Win32Error
            | Show::ErrorCode
    )
}

fn decimal(out: &mut Vec<u8>, value: Value<'_>) -> Written {
    let mut buffer = itoa::Buffer::new();
    let text = match value {
        Value::Signed(number, _) => buffer.format(number),
        _ => buffer.format(value.as_u64().unwrap_or(0)),
    };
    out.extend_from_slice(text.as_bytes());
    Written::Number
}

fn aligned_decimal(out: &mut Vec<u8>, value: Value<'_>) -> Written {
    let start = out.len();
    let written = decimal(out, value);
    align(out, start, value);
    written
}

/// Returns the shortest text that reads back the same.
fn float(out: &mut Vec<u8>, is_finite: bool, number: impl std::fmt::Display) -> Written {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{number}");
    if is_finite { Written::Number } else { Written::Text }
}

/// `0x` and upper-case digits without leading zeros.
pub(super) fn hex(out: &mut Vec<u8>, number: u64) -> Written {
    // Writing to a vector cannot fail.
    let _ = write!(out, "0x{number:X}");
    Written::Text
}

/// Appends bytes as upper-case digits.
pub(super) fn upper_digits(out: &mut Vec<u8>, bytes: &[u8]) {
    let start = out.len();
    etwkit::bytes::write_hex(out, bytes);
    upper_from(out, start);
}

fn upper_from(out: &mut [u8], start: usize) {
    out.get_mut(start..).unwrap_or_default().make_ascii_uppercase();
}

/// Returns a date with nine digits; what is none, as a number.
fn date(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let raw = value.as_u64().unwrap_or(0).cast_signed();
    let time = match context.field.show {
        Show::ClockTime => context.clock.and_then(|clock| clock.filetime(RawTime(raw))),
        _ => Some(FileTime(raw)),
    };
    match time {
        Some(time) if time::push_filetime(out, time) => {
            out.pop();
            out.extend_from_slice(b"00Z");
            Written::Text
        }
        Some(_) => Written::Number,
        None => decimal(out, value),
    }
}

/// Names of a map are taken as they are; hexadecimal digits of bits without a name become upper case.
fn push_upper(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let start = out.len();
    let written = value::push(out, value, context);
    let digits = out.get(start..).unwrap_or_default().iter().rposition(|&b| b == b'x').map(|at| start + at + 1);
    let is_hex = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_hexdigit);
    if let Some(digits) = digits.filter(|at| out.get(*at..).is_some_and(is_hex)) {
        upper_from(out, digits);
    }
    written
}

/// Values without a form of their own are upper-case digits.
fn push_bytes(out: &mut Vec<u8>, bytes: &[u8], context: ValueContext<'_>) -> Written {
    if context.field.show == Show::Guid
        && let Ok(guid) = <[u8; 16]>::try_from(bytes)
    {
        return push(out, Value::Guid(Guid::from_bytes(guid)), context);
    }
    let start = out.len();
    let written = value::push(out, Value::Bytes(bytes), context);
    let text = out.get(start..).unwrap_or_default();
    let is_text = matches!(context.field.show, Show::Xml | Show::Json);
    if !is_text && text.len() == bytes.len() * 2 && text.iter().all(u8::is_ascii_hexdigit) {
        upper_from(out, start);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use etwkit::bytes::{AnsiText, PointerSize, Sid, Utf16Text};
    use etwkit::format::SystemTime;
    use etwkit::render::PushValue;
    use etwkit::schema::{Field, Map, Scalar, Wire};

    fn with(push: PushValue, value: Value<'_>, show: Show, map: Option<&Map>) -> String {
        let field = Field::new("x", Wire::Scalar(Scalar::U32)).shown(show);
        let mut out = Vec::new();
        push(&mut out, value, ValueContext { field: &field, map, clock: None });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_kind_of_value_of_a_manifest() {
        let guid: Guid = "DD5EF90A-6398-47A4-AD34-4DCECDEF795F".parse().unwrap();
        let sid = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0];
        let day = SystemTime {
            year: 2020,
            month: 1,
            day: 2,
            hour: 3,
            minute: 4,
            second: 5,
            millisecond: 6,
            ..<_>::default()
        };
        let time = Value::Signed(FileTime::UNIX_EPOCH.0 + 1, 8);
        for (value, show, text) in [
            (Value::Unsigned(15, 4), Show::Plain, "15"),
            (Value::Signed(-2, 4), Show::Plain, "-2"),
            (Value::Signed(-2, 4), Show::Hex, "0xFFFFFFFE"),
            (Value::Unsigned(0, 4), Show::Hex, "0x0"),
            (Value::Unsigned(0xC000_0022, 4), Show::NtStatus, "0xC0000022"),
            (Value::Unsigned(0x8000_4003, 4), Show::HResult, "0x80004003"),
            (Value::Unsigned(5, 4), Show::Win32Error, "5"),
            (Value::Unsigned(171, 4), Show::ErrorCode, "0xAB"),
            (Value::Pointer(0xFFFF_FA80_01BB_5320, PointerSize::Eight), Show::Plain, "0xFFFFFA8001BB5320"),
            (Value::Pointer(10, PointerSize::Four), Show::Unsigned, "10"),
            (Value::Unsigned(1, 4), Show::Bool, "true"),
            (Value::Unsigned(0, 1), Show::Bool, "false"),
            (Value::Unsigned(4, 4), Show::Pid, "4"),
            (Value::Unsigned(77, 2), Show::Char, "M"),
            (Value::Unsigned(0x5000, 2), Show::Port, "80"),
            (Value::Unsigned(0x0100_007F, 4), Show::Ipv4, "127.0.0.1"),
            (time, Show::FileTime, "1970-01-01T00:00:00.000000100Z"),
            (Value::Signed(i64::MAX, 8), Show::FileTime, "9223372036854775807"),
            (time, Show::ClockTime, "116444736000000001"),
            (Value::SystemTime(day), Show::Plain, "2020-01-02T03:04:05.006"),
            (Value::F64(0.5), Show::Plain, "0.5"),
            (Value::F32(f32::NAN), Show::Plain, "NaN"),
            (Value::Guid(guid), Show::Plain, "{dd5ef90a-6398-47a4-ad34-4dcecdef795f}"),
            (Value::Sid(Sid::new(&sid)), Show::Plain, "S-1-5-18"),
            (Value::Sid(None), Show::Plain, ""),
            (Value::Bytes(&[0xAB, 1]), Show::Plain, "AB01"),
            (Value::Bytes(&[0xAB, 1]), Show::SocketAddress, "AB01"),
            (Value::Bytes(&[2, 0, 0, 80, 10, 0, 0, 1]), Show::SocketAddress, "10.0.0.1:80"),
            (Value::Bytes(b"ab<"), Show::Xml, "ab<"),
            (Value::Utf16(Utf16Text(b"a\0b\0\0\0")), Show::Plain, "ab"),
            (Value::Ansi(AnsiText(b"abc")), Show::Plain, "abc"),
            (Value::Utf8(b"abc\0"), Show::Plain, "abc"),
        ] {
            assert_eq!(with(push, value, show, None), text, "{value:?} {show:?}");
        }
    }

    #[test]
    fn names_of_values_have_a_blank_in_data_and_bits_are_numbers() {
        let values = Map::new("V", MapKind::Values, [(1, "ax1")]).unwrap();
        let bits = Map::new("B", MapKind::Bits, [(1, "ab")]).unwrap();
        let value = |number| Value::Unsigned(number, 4);
        assert_eq!(with(push, value(1), Show::Plain, Some(&values)), "ax1");
        assert_eq!(with(push, value(171), Show::Plain, Some(&values)), "171");
        assert_eq!(with(push, value(0xAB), Show::Plain, Some(&bits)), "ab|0xAA");
        assert_eq!(with(push_data, value(1), Show::Plain, Some(&values)), "ax1 ");
        assert_eq!(with(push_data, value(1), Show::Hex, Some(&values)), "ax1 ");
        assert_eq!(with(push_data, value(171), Show::Plain, Some(&values)), "     171");
        assert_eq!(with(push_data, value(0xAB), Show::Plain, Some(&bits)), "     171");
        assert_eq!(with(push_data, value(0xAB), Show::Hex, Some(&bits)), "0xAB");
        assert_eq!(with(push_classic, value(1), Show::Plain, Some(&values)), "       1");
        assert_eq!(with(push_classic, value(0xAB), Show::Plain, Some(&bits)), "0xAB");
    }

    #[test]
    fn integers_of_32_bits_have_eight_columns() {
        for (value, show, text) in [
            (Value::Unsigned(65_536, 4), Show::Plain, "   65536"),
            (Value::Unsigned(83_951_878, 4), Show::Plain, "83951878"),
            (Value::Unsigned(u32::MAX.into(), 4), Show::Plain, "4294967295"),
            (Value::Signed(-1, 4), Show::Plain, "      -1"),
            (Value::Unsigned(4, 4), Show::Pid, "       4"),
            (Value::Unsigned(4, 2), Show::Plain, "4"),
            (Value::Unsigned(4, 8), Show::Plain, "4"),
            (Value::Unsigned(4, 4), Show::Hex, "0x4"),
            (Value::Unsigned(1, 4), Show::Bool, "true"),
            (Value::Unsigned(77, 4), Show::Char, "M"),
        ] {
            assert_eq!(with(push_data, value, show, None), text, "{value:?} {show:?}");
        }
        assert_eq!(with(push_classic, Value::Unsigned(1, 4), Show::Bool, None), "       1");
        assert_eq!(with(push, Value::Unsigned(1, 4), Show::Plain, None), "1");
    }

    #[test]
    fn mof_classes_know_numbers() {
        let time = Value::Unsigned(132_247_862_638_609_634, 8);
        assert_eq!(with(push_classic, time, Show::FileTime, None), "132247862638609634");
        assert_eq!(with(push_classic, Value::Unsigned(1, 1), Show::Bool, None), "1");
        assert_eq!(with(push_classic, Value::Unsigned(0xAB, 4), Show::Hex, None), "0xAB");
        assert_eq!(with(push_decimal, Value::Unsigned(0xAB, 4), Show::Hex, None), "     171");
        assert_eq!(with(push_hex, Value::Signed(-1, 2), Show::Plain, None), "0xFFFF");
        assert_eq!(with(push_hex, Value::Ansi(AnsiText(b"a")), Show::Plain, None), "a");
    }
}
