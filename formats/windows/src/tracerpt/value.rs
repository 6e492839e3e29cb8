//! One value as the report prints it.
//!
//! Integers are decimal, those of 32 bits aligned to the right in eight columns; addresses and what is shown in
//! hexadecimal have `0x` and upper-case digits; GUIDs have braces; times have nine digits of a second; bytes are
//! upper-case digits.

use std::io::Write as _;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Value};
use etwkit::render::value::{self, ValueContext, Written};
use etwkit::render::{self, time};
use etwkit::schema::{DisplayFormat, Map, MapKind};
use etwkit::time::{FileTime, RawTime};

use super::digits;
use super::value_name::push_name;

/// Returns the text shown in place of fields that would print too much.
pub(super) fn left_out(event: &Event<'_>) -> Option<String> {
    let values = event.left_out();
    (values > 0).then(|| format!("{values} values left out: they would print far more than their bytes"))
}

/// Appends a value of a manifest, of `TraceLogging` or of a message. Names of a value map replace the value.
pub(super) fn push(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let display = context.field.display;
    match value {
        Value::Pointer(..) | Value::Unsigned(..) | Value::Signed(..) if context.map.is_some() => {
            push_upper(out, value, context)
        }
        Value::Pointer(number, _)
            if matches!(display, DisplayFormat::Plain | DisplayFormat::Hex | DisplayFormat::CodePointer) =>
        {
            hex(out, number)
        }
        Value::Unsigned(number, _) if is_hex(display) => hex(out, number),
        Value::Signed(..) if is_hex(display) => hex(out, value.bits().unwrap_or(0)),
        Value::Unsigned(..) | Value::Signed(..)
            if matches!(display, DisplayFormat::FileTime | DisplayFormat::ClockTime) =>
        {
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

/// Appends a value as a message has it: as [`push`], but GUIDs have no braces, bytes are `0x00FF3C`, and names of
/// values have the blank that message tables leave.
pub(super) fn push_insert(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let is_unnamed =
        |map: &Map| map.kind() == MapKind::Values && value.bits().is_some_and(|bits| map.value(bits).is_none());
    match value {
        Value::Unsigned(..) | Value::Signed(..) if context.map.is_some_and(is_unnamed) => {
            push(out, value, context.map(None))
        }
        Value::Unsigned(..) | Value::Signed(..) if context.map.is_some() => render::push_insert(out, value, context),
        Value::Guid(_) | Value::Bytes(_) => render::push_insert(out, value, context),
        _ => push(out, value, context),
    }
}

/// Appends a value as `<Data>` has it: as [`push`], but the name of a value map has the blank that message tables leave
/// at its end, bits are a number, and numbers are aligned.
pub(super) fn push_data(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    if push_name(out, value, context) {
        return Written::Text;
    }
    let start = out.len();
    let written = push(out, value, context.map(None));
    if matches!(
        context.field.display,
        DisplayFormat::Plain
            | DisplayFormat::Signed
            | DisplayFormat::Unsigned
            | DisplayFormat::Pid
            | DisplayFormat::Tid
            | DisplayFormat::Hidden
    ) {
        align(out, start, value);
    }
    written
}

/// Appends an integer of a message in decimal whatever its field states; other values as [`push_insert`].
pub(super) fn push_insert_decimal(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    match value {
        Value::Unsigned(..) | Value::Signed(..) | Value::Pointer(..) => decimal(out, value),
        _ => push_insert(out, value, context),
    }
}

/// Columns of an integer of 32 bits.
const COLUMNS: usize = 8;

/// Puts blanks before an integer of 32 bits that was written from `start` on.
fn align(out: &mut Vec<u8>, start: usize, value: Value<'_>) {
    let mut text = [b' '; COLUMNS];
    let written = out.get(start..).unwrap_or_default();
    if !matches!(value, Value::Unsigned(_, 4) | Value::Signed(_, 4)) || written.len() >= COLUMNS {
        return;
    }
    if let Some(end) = text.get_mut(COLUMNS - written.len()..) {
        end.copy_from_slice(written);
    }
    out.truncate(start);
    out.extend_from_slice(&text);
}

/// Appends a value of a MOF class: as [`push_classic`], but truth values have their names.
pub(super) fn push_mof(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let is_truth = context.field.display == DisplayFormat::Bool;
    if is_truth { push_data(out, value, context.map(None)) } else { push_classic(out, value, context) }
}

/// Appends a value of a class of the kernel. These have no names of values and no dates: flags are hexadecimal, all
/// other integers decimal.
pub(super) fn push_classic(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let flags = context.map.is_some_and(|map| map.kind() == MapKind::Bits);
    match value {
        Value::Unsigned(number, _) if flags => hex(out, number),
        Value::Signed(..) if flags => hex(out, value.bits().unwrap_or(0)),
        Value::Unsigned(..) | Value::Signed(..) if is_number(context.field.display) => aligned_decimal(out, value),
        _ => push_data(out, value, context.map(None)),
    }
}

/// Appends an integer in decimal whatever its field states; other values as [`push_classic`].
pub(super) fn push_decimal(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    match value {
        Value::Unsigned(..) | Value::Signed(..) | Value::Pointer(..) => aligned_decimal(out, value),
        _ => push_classic(out, value, context),
    }
}

/// Appends an integer in hexadecimal whatever its field states; other values as [`push_classic`].
pub(super) fn push_hex(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    match value {
        Value::Unsigned(number, _) | Value::Pointer(number, _) => hex(out, number),
        Value::Signed(..) => hex(out, value.bits().unwrap_or(0)),
        _ => push_classic(out, value, context),
    }
}

/// Returns whether integers are hexadecimal.
pub(super) const fn is_hex(display: DisplayFormat) -> bool {
    matches!(
        display,
        DisplayFormat::Hex
            | DisplayFormat::CodePointer
            | DisplayFormat::NtStatus
            | DisplayFormat::HResult
            | DisplayFormat::ErrorCode
    )
}

/// Renderings that MOF classes do not have.
pub(super) const fn is_number(display: DisplayFormat) -> bool {
    matches!(
        display,
        DisplayFormat::Plain
            | DisplayFormat::Bool
            | DisplayFormat::FileTime
            | DisplayFormat::ClockTime
            | DisplayFormat::UnixTime
            | DisplayFormat::Win32Error
            | DisplayFormat::ErrorCode
    )
}

fn decimal(out: &mut Vec<u8>, value: Value<'_>) -> Written {
    crate::decimal::push_decimal(out, value);
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
fn hex(out: &mut Vec<u8>, number: u64) -> Written {
    digits::push_hex(out, number);
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

/// Writes a date with nine digits; a value that is not a date, as a number.
fn date(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    // No date is as late as a number that is not a signed one, or before 1601.
    let time = match (context.field.display, value.as_i64().filter(|number| *number >= 0)) {
        (DisplayFormat::ClockTime, Some(raw)) => context.clock.and_then(|clock| clock.filetime(RawTime(raw))),
        (_, number) => number.map(FileTime),
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
    if context.field.display == DisplayFormat::Guid
        && let Ok(guid) = <[u8; 16]>::try_from(bytes)
    {
        return push(out, Value::Guid(Guid::from_bytes(guid)), context);
    }
    let start = out.len();
    let written = value::push(out, Value::Bytes(bytes), context);
    let text = out.get(start..).unwrap_or_default();
    let is_text = matches!(context.field.display, DisplayFormat::Xml | DisplayFormat::Json);
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
    use etwkit::schema::{Field, Scalar, Wire};

    fn with(push: PushValue, value: Value<'_>, display: DisplayFormat, map: Option<&Map>) -> String {
        let field = Field::new("x", Wire::Scalar(Scalar::U32)).displayed(display);
        let mut out = Vec::new();
        push(&mut out, value, ValueContext::new(&field).map(map));
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
        for (value, display, text) in [
            (Value::Unsigned(15, 4), DisplayFormat::Plain, "15"),
            (Value::Signed(-2, 4), DisplayFormat::Plain, "-2"),
            (Value::Signed(-2, 4), DisplayFormat::Hex, "0xFFFFFFFE"),
            (Value::Unsigned(0, 4), DisplayFormat::Hex, "0x0"),
            (Value::Unsigned(0xC000_0022, 4), DisplayFormat::NtStatus, "0xC0000022"),
            (Value::Unsigned(0x8000_4003, 4), DisplayFormat::HResult, "0x80004003"),
            (Value::Unsigned(5, 4), DisplayFormat::Win32Error, "5"),
            (Value::Unsigned(171, 4), DisplayFormat::ErrorCode, "0xAB"),
            (Value::Pointer(0xFFFF_FA80_01BB_5320, PointerSize::Eight), DisplayFormat::Plain, "0xFFFFFA8001BB5320"),
            (Value::Pointer(10, PointerSize::Four), DisplayFormat::Unsigned, "10"),
            (Value::Unsigned(1, 4), DisplayFormat::Bool, "true"),
            (Value::Unsigned(0, 1), DisplayFormat::Bool, "false"),
            (Value::Unsigned(4, 4), DisplayFormat::Pid, "4"),
            (Value::Unsigned(77, 2), DisplayFormat::Char, "M"),
            (Value::Unsigned(0x5000, 2), DisplayFormat::Port, "80"),
            (Value::Unsigned(0x0100_007F, 4), DisplayFormat::Ipv4, "127.0.0.1"),
            (time, DisplayFormat::FileTime, "1970-01-01T00:00:00.000000100Z"),
            (Value::Signed(i64::MAX, 8), DisplayFormat::FileTime, "9223372036854775807"),
            (time, DisplayFormat::ClockTime, "116444736000000001"),
            (Value::SystemTime(day), DisplayFormat::Plain, "2020-01-02T03:04:05.006"),
            (Value::F64(0.5), DisplayFormat::Plain, "0.5"),
            (Value::F32(f32::NAN), DisplayFormat::Plain, "NaN"),
            (Value::Guid(guid), DisplayFormat::Plain, "{dd5ef90a-6398-47a4-ad34-4dcecdef795f}"),
            (Value::Sid(Sid::new(&sid)), DisplayFormat::Plain, "S-1-5-18"),
            (Value::Sid(None), DisplayFormat::Plain, ""),
            (Value::Bytes(&[0xAB, 1]), DisplayFormat::Plain, "AB01"),
            (Value::Bytes(&[0xAB, 1]), DisplayFormat::SocketAddress, "AB01"),
            (Value::Bytes(&[2, 0, 0, 80, 10, 0, 0, 1]), DisplayFormat::SocketAddress, "10.0.0.1:80"),
            (Value::Bytes(b"ab<"), DisplayFormat::Xml, "ab<"),
            (Value::Utf16(Utf16Text(b"a\0b\0\0\0")), DisplayFormat::Plain, "ab"),
            (Value::Ansi(AnsiText(b"abc")), DisplayFormat::Plain, "abc"),
            (Value::Utf8(b"abc\0"), DisplayFormat::Plain, "abc"),
        ] {
            assert_eq!(with(push, value, display, None), text, "{value:?} {display:?}");
        }
    }

    #[test]
    fn names_of_values_have_a_blank_in_data_and_bits_are_numbers() {
        let values = Map::new("V", MapKind::Values, [(1, "ax1")]).unwrap();
        let bits = Map::new("B", MapKind::Bits, [(1, "ab")]).unwrap();
        let value = |number| Value::Unsigned(number, 4);
        assert_eq!(with(push, value(1), DisplayFormat::Plain, Some(&values)), "ax1");
        assert_eq!(with(push, value(171), DisplayFormat::Plain, Some(&values)), "171");
        assert_eq!(with(push, value(0xAB), DisplayFormat::Plain, Some(&bits)), "ab|0xAA");
        assert_eq!(with(push_data, value(1), DisplayFormat::Plain, Some(&values)), "ax1 ");
        assert_eq!(with(push_data, value(1), DisplayFormat::Hex, Some(&values)), "ax1 ");
        assert_eq!(with(push_data, value(171), DisplayFormat::Plain, Some(&values)), "     171");
        assert_eq!(with(push_data, value(0xAB), DisplayFormat::Plain, Some(&bits)), "     171");
        assert_eq!(with(push_data, value(0xAB), DisplayFormat::Hex, Some(&bits)), "0xAB");
        assert_eq!(with(push_classic, value(1), DisplayFormat::Plain, Some(&values)), "       1");
        assert_eq!(with(push_classic, value(0xAB), DisplayFormat::Plain, Some(&bits)), "0xAB");
    }

    #[test]
    fn messages_have_guids_without_braces_and_bytes_with_a_prefix() {
        let guid: Guid = "DD5EF90A-6398-47A4-AD34-4DCECDEF795F".parse().unwrap();
        let bytes = [0, 0xFF, 0x3C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        assert_eq!(
            with(push_insert, Value::Guid(guid), DisplayFormat::Plain, None),
            "dd5ef90a-6398-47a4-ad34-4dcecdef795f"
        );
        assert_eq!(
            with(push_insert, Value::Bytes(&bytes), DisplayFormat::Guid, None),
            "003cff00-0000-0000-0000-000000000001"
        );
        assert_eq!(with(push_insert, Value::Bytes(&bytes[..3]), DisplayFormat::Plain, None), "0x00FF3C");
        assert_eq!(with(push_insert, Value::Unsigned(0xAB, 4), DisplayFormat::Hex, None), "0xAB");
    }

    #[test]
    fn integers_of_32_bits_have_eight_columns() {
        for (value, show, text) in [
            (Value::Unsigned(65_536, 4), DisplayFormat::Plain, "   65536"),
            (Value::Unsigned(83_951_878, 4), DisplayFormat::Plain, "83951878"),
            (Value::Unsigned(u32::MAX.into(), 4), DisplayFormat::Plain, "4294967295"),
            (Value::Signed(-1, 4), DisplayFormat::Plain, "      -1"),
            (Value::Unsigned(4, 4), DisplayFormat::Pid, "       4"),
            (Value::Unsigned(4, 2), DisplayFormat::Plain, "4"),
            (Value::Unsigned(4, 8), DisplayFormat::Plain, "4"),
            (Value::Unsigned(4, 4), DisplayFormat::Hex, "0x4"),
            (Value::Unsigned(1, 4), DisplayFormat::Bool, "true"),
            (Value::Unsigned(77, 4), DisplayFormat::Char, "M"),
        ] {
            assert_eq!(with(push_data, value, show, None), text, "{value:?} {show:?}");
        }
        assert_eq!(with(push_classic, Value::Unsigned(1, 4), DisplayFormat::Bool, None), "       1");
        assert_eq!(with(push, Value::Unsigned(1, 4), DisplayFormat::Plain, None), "1");
    }

    #[test]
    fn mof_classes_know_numbers() {
        let time = Value::Unsigned(132_247_862_638_609_634, 8);
        assert_eq!(with(push_classic, time, DisplayFormat::FileTime, None), "132247862638609634");
        assert_eq!(with(push_classic, Value::Unsigned(1, 1), DisplayFormat::Bool, None), "1");
        assert_eq!(with(push_classic, Value::Unsigned(0xAB, 4), DisplayFormat::Hex, None), "0xAB");
        assert_eq!(with(push_decimal, Value::Unsigned(0xAB, 4), DisplayFormat::Hex, None), "     171");
        assert_eq!(with(push_hex, Value::Signed(-1, 2), DisplayFormat::Plain, None), "0xFFFF");
        assert_eq!(with(push_hex, Value::Ansi(AnsiText(b"a")), DisplayFormat::Plain, None), "a");
    }
}
