//! One value as text, by its field's presentation.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::{Ipv4Addr, Ipv6Addr};

use crate::bytes::{AnsiText, Guid, Utf16Text, write_hex};
use crate::clock::Clock;
use crate::decode::Value;
use crate::format::SystemTime;
use crate::schema::{DisplayFormat, Field, IntegerType, Map, MapKind, Notation, masked, sign_extend};

use super::{address, dates, time};

/// The context on which a value's text depends.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ValueContext<'a> {
    /// The field.
    pub field: &'a Field,
    /// Its map.
    pub map: Option<&'a Map>,
    /// Clock of the trace, for raw times inside payloads.
    pub clock: Option<&'a Clock>,
}

impl<'a> ValueContext<'a> {
    /// Returns the context of a field without a map, in a payload without raw times.
    pub const fn new(field: &'a Field) -> Self {
        Self { field, map: None, clock: None }
    }

    /// Sets [`ValueContext::map`](field@ValueContext::map).
    #[must_use]
    pub const fn map(mut self, map: Option<&'a Map>) -> Self {
        self.map = map;
        self
    }

    /// Sets [`ValueContext::clock`](field@ValueContext::clock).
    #[must_use]
    pub const fn clock(mut self, clock: Option<&'a Clock>) -> Self {
        self.clock = clock;
        self
    }
}

/// The kind of text that was written, by which JSON decides whether to quote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Written {
    /// Decimal digits, perhaps with a sign, point or exponent.
    Number,
    /// `true` or `false`.
    Bool,
    /// Anything else.
    Text,
}

/// Appends the text of a value. Text values are written as they are, unescaped, without trailing NULs.
pub fn push(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    match value {
        Value::Unsigned(bits, bytes) => integer(out, bits, (IntegerType::Unsigned(bytes), bytes), context),
        Value::Signed(number, bytes) => {
            integer(out, masked(number.cast_unsigned(), bytes), (IntegerType::Signed(bytes), bytes), context)
        }
        Value::Pointer(bits, size) => integer(out, bits, (IntegerType::Pointer, size.bytes() as u8), context),
        Value::F32(number) => float(out, number.is_finite(), format_args!("{number:?}")),
        Value::F64(number) => float(out, number.is_finite(), format_args!("{number:?}")),
        Value::Guid(guid) => text(out, &guid.to_text()),
        // No date at all.
        Value::SystemTime(at) if at == SystemTime::default() => decimal(out, 0_u64),
        Value::SystemTime(at) => {
            time::push_systemtime(out, &at);
            if dates::is_utc(at, context.field.display) {
                out.push(b'Z');
            }
            Written::Text
        }
        Value::Utf16(units) => {
            trimmed_utf16(units).push_utf8(out);
            Written::Text
        }
        Value::Ansi(bytes) => display(out, AnsiText(trimmed(bytes.0))),
        Value::Utf8(bytes) => display(out, String::from_utf8_lossy(trimmed(bytes))),
        Value::Bytes(bytes) => push_bytes(out, bytes, context.field.display),
        Value::Sid(Some(sid)) => display(out, sid),
        Value::Sid(None) => Written::Text,
    }
}

/// Text without the NULs that fill it up.
pub(super) fn trimmed_utf16(text: Utf16Text<'_>) -> Utf16Text<'_> {
    let mut bytes = text.0;
    while let Some(rest) = bytes.strip_suffix(&[0, 0]).filter(|rest| rest.len() % 2 == 0) {
        bytes = rest;
    }
    Utf16Text(bytes)
}

/// Bytes without the NULs at their end.
pub(super) fn trimmed(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    bytes.get(..len).unwrap_or_default()
}

fn integer(out: &mut Vec<u8>, bits: u64, (kind, bytes): (IntegerType, u8), context: ValueContext<'_>) -> Written {
    if let Some(written) = mapped(out, bits, context.map) {
        return written;
    }
    match context.field.display.notation(kind) {
        Notation::Decimal { is_signed: true } => decimal(out, sign_extend(bits, bytes)),
        Notation::Decimal { is_signed: false } => decimal(out, bits),
        Notation::Hex => hex(out, bits),
        Notation::Bool => bool(out, bits != 0),
        Notation::Character if bytes == 1 => display(out, AnsiText(&[bits as u8])),
        Notation::Character => character(out, bits),
        Notation::Port => decimal(out, (bits as u16).swap_bytes()),
        Notation::Ipv4 => display(out, Ipv4Addr::from((bits as u32).swap_bytes())),
        Notation::Mac => {
            address::push_mac(out, address::used_of_mac(&bits.to_le_bytes()));
            Written::Text
        }
        Notation::Time { is_signed: true } if sign_extend(bits, bytes) < 0 => decimal(out, sign_extend(bits, bytes)),
        Notation::Time { .. } => counted_time(out, bits, context),
    }
}

/// Appends the time that an integer counts to; the integer if it is none.
fn counted_time(out: &mut Vec<u8>, bits: u64, context: ValueContext<'_>) -> Written {
    let Some(time) = dates::counted(bits, context.field.display, context.clock) else { return decimal(out, bits) };
    if context.field.display == DisplayFormat::UnixTime {
        time::push_unix(out, bits.cast_signed());
    } else {
        time::push_filetime(out, time);
    }
    Written::Text
}

/// The name that a value map has; a bit map's names joined by `|`, what has no name in hexadecimal. `None` for a value
/// without a name, which is shown as if there were no map.
fn mapped(out: &mut Vec<u8>, value: u64, map: Option<&Map>) -> Option<Written> {
    let map = map?;
    match map.kind() {
        MapKind::Bits => {
            let (names, left) = map.bits(value);
            Some(push_bits(out, names, left))
        }
        _ => map.value(value).map(|name| text(out, name.as_bytes())),
    }
}

/// As [`push`], with the texts of a map in place of its names: as messages have them.
pub(super) fn push_map_text(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let (Some(map), Some(bits)) = (context.map, value.bits()) else {
        return push(out, value, context);
    };
    match map.kind() {
        MapKind::Bits => {
            let (texts, left) = map.bit_texts(bits);
            push_bits(out, texts, left)
        }
        _ => match map.text(bits) {
            Some(named) => text(out, named.as_bytes()),
            None => push(out, value, context),
        },
    }
}

fn push_bits<'n, N: Iterator<Item = &'n str>>(out: &mut Vec<u8>, names: N, left: u64) -> Written {
    let start = out.len();
    for name in names {
        if out.len() > start {
            out.push(b'|');
        }
        out.extend_from_slice(name.as_bytes());
    }
    if out.len() > start && left != 0 {
        out.push(b'|');
    }
    if left != 0 {
        return hex(out, left);
    }
    if out.len() == start { decimal(out, 0_u64) } else { Written::Text }
}

/// Returns whether bytes with this presentation are hexadecimal digits, whatever their length.
pub(super) const fn is_hex_dump(format: DisplayFormat) -> bool {
    !matches!(
        format,
        DisplayFormat::Ipv6
            | DisplayFormat::Ipv4
            | DisplayFormat::Guid
            | DisplayFormat::SocketAddress
            | DisplayFormat::Mac
            | DisplayFormat::Xml
            | DisplayFormat::Json
    )
}

fn push_bytes(out: &mut Vec<u8>, bytes: &[u8], format: DisplayFormat) -> Written {
    match format {
        DisplayFormat::Ipv6 => match <[u8; 16]>::try_from(bytes) {
            Ok(address) => return display(out, Ipv6Addr::from(address)),
            Err(_) => write_hex(out, bytes),
        },
        DisplayFormat::Ipv4 => match <[u8; 4]>::try_from(bytes) {
            Ok(address) => return display(out, Ipv4Addr::from(address)),
            Err(_) => write_hex(out, bytes),
        },
        DisplayFormat::Guid => match <[u8; 16]>::try_from(bytes) {
            Ok(guid) => return text(out, &Guid::from_bytes(guid).to_text()),
            Err(_) => write_hex(out, bytes),
        },
        DisplayFormat::SocketAddress => address::push_socket_address(out, bytes),
        DisplayFormat::Mac => address::push_mac(out, bytes),
        DisplayFormat::Xml | DisplayFormat::Json => return display(out, String::from_utf8_lossy(trimmed(bytes))),
        _ => write_hex(out, bytes),
    }
    Written::Text
}

/// The shortest text that reads back the same. With a point or an exponent, `1.0`, readers that guess the types of
/// columns see that the number is not an integer.
pub(crate) fn float(out: &mut Vec<u8>, is_finite: bool, shortest: impl std::fmt::Display) -> Written {
    display(out, shortest);
    if is_finite { Written::Number } else { Written::Text }
}

fn bool(out: &mut Vec<u8>, value: bool) -> Written {
    text(out, if value { b"true" } else { b"false" });
    Written::Bool
}

fn character(out: &mut Vec<u8>, value: u64) -> Written {
    let c = u32::try_from(value).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    text(out, c.encode_utf8(&mut [0; 4]).as_bytes())
}

#[inline]
fn decimal(out: &mut Vec<u8>, value: impl itoa::Integer) -> Written {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    Written::Number
}

/// `0x` and lower-case digits without leading zeros.
#[inline]
pub(crate) fn hex(out: &mut Vec<u8>, value: u64) -> Written {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    out.extend_from_slice(b"0x");
    let digits = (16 - value.leading_zeros() / 4).max(1);
    for place in (0..digits).rev() {
        out.push(DIGITS.get((value >> (place * 4) & 15) as usize).copied().unwrap_or(b'0'));
    }
    Written::Text
}

fn text(out: &mut Vec<u8>, bytes: &[u8]) -> Written {
    out.extend_from_slice(bytes);
    Written::Text
}

fn display(out: &mut Vec<u8>, value: impl std::fmt::Display) -> Written {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{value}");
    Written::Text
}

/// Returns the text of a value as a string, for callers that want one.
pub fn to_string(value: Value<'_>, context: ValueContext<'_>) -> String {
    let mut out = Vec::new();
    push(&mut out, value, context);
    let mut text = String::new();
    let _ = text.write_str(&String::from_utf8_lossy(&out));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::PointerSize;
    use crate::format::{ClockType, LogFileHeader};
    use crate::schema::{Scalar, Wire};
    use crate::time::{FileTime, RawTime};

    fn shown(value: Value<'_>, format: DisplayFormat) -> String {
        let field = Field::new("x", Wire::Scalar(Scalar::U32)).displayed(format);
        to_string(value, ValueContext { field: &field, map: None, clock: None })
    }

    #[test]
    fn presentations() {
        assert_eq!(shown(Value::Unsigned(0x1F90, 2), DisplayFormat::Port), "36895"); // bytes 90 1f, big endian
        assert_eq!(shown(Value::Unsigned(0x0100_007F, 4), DisplayFormat::Ipv4), "127.0.0.1");
        assert_eq!(shown(Value::Unsigned(0xFF, 1), DisplayFormat::Signed), "-1");
        assert_eq!(shown(Value::Signed(-2, 4), DisplayFormat::Hex), "0xfffffffe");
        assert_eq!(shown(Value::Signed(-2, 4), DisplayFormat::Unsigned), "4294967294");
        assert_eq!(shown(Value::Pointer(0, PointerSize::Eight), DisplayFormat::Plain), "0x0");
        assert_eq!(shown(Value::Unsigned(0xC000_0022, 4), DisplayFormat::NtStatus), "0xc0000022");
        assert_eq!(shown(Value::F64(0.1), DisplayFormat::Plain), "0.1");
        assert_eq!(shown(Value::Unsigned(77, 2), DisplayFormat::Char), "M");
        assert_eq!([0x80, 0xFC].map(|byte| shown(Value::Unsigned(byte, 1), DisplayFormat::Char)), ["€", "ü"]);
        assert_eq!(shown(Value::Bytes(&[2, 0, 0, 80, 10, 0, 0, 1]), DisplayFormat::SocketAddress), "10.0.0.1:80");
        assert_eq!(shown(Value::Bytes(&[0, 1, 0xAB, 3, 4, 5]), DisplayFormat::Mac), "00:01:ab:03:04:05");
        assert_eq!(shown(Value::Utf16(Utf16Text(b"a\0\0\0")), DisplayFormat::Plain), "a");
    }

    #[test]
    fn a_value_without_a_name_is_shown_as_without_a_map() {
        let map = Map::new("V", MapKind::Values, [(1, "one")]).unwrap();
        let with = |value, format| {
            let field = Field::new("x", Wire::Scalar(Scalar::U32)).displayed(format);
            to_string(value, ValueContext { field: &field, map: Some(&map), clock: None })
        };
        assert_eq!(with(Value::Signed(1, 4), DisplayFormat::Plain), "one");
        let pointers = [1, 2].map(|number| with(Value::Pointer(number, PointerSize::Eight), DisplayFormat::Plain));
        assert_eq!(pointers, ["one", "0x2"]);
        assert_eq!(with(Value::Signed(-2, 4), DisplayFormat::Plain), "-2");
        assert_eq!(with(Value::Unsigned(0xAB, 4), DisplayFormat::Hex), "0xab");
        assert_eq!(with(Value::Unsigned(47_873, 2), DisplayFormat::Port), "443");
        assert_eq!(with(Value::Unsigned(2, 4), DisplayFormat::Bool), "true");
    }

    #[test]
    fn dates_that_are_no_dates_are_numbers() {
        let at = |value, width, show, clock: Option<&Clock>| {
            let field = Field::new("x", Wire::Scalar(Scalar::U32)).displayed(show);
            to_string(Value::Unsigned(value, width), ValueContext { field: &field, map: None, clock })
        };
        assert_eq!(at(0, 8, DisplayFormat::FileTime, None), "0");
        assert_eq!(at(u64::MAX, 8, DisplayFormat::FileTime, None), "18446744073709551615");
        for format in [DisplayFormat::FileTime, DisplayFormat::ClockTime, DisplayFormat::UnixTime] {
            assert_eq!(shown(Value::Signed(-1, 8), format), "-1");
        }
        assert_eq!(at(u64::MAX, 8, DisplayFormat::UnixTime, None), "18446744073709551615");
        let field = Field::new("x", Wire::Scalar(Scalar::SystemTime));
        assert_eq!(to_string(Value::SystemTime(SystemTime::default()), ValueContext::new(&field)), "0");
        let date = Value::SystemTime(SystemTime { year: 2021, month: 9, day: 8, ..SystemTime::default() });
        assert_eq!(shown(date, DisplayFormat::Plain), "2021-09-08T00:00:00.000");
        assert_eq!(shown(date, DisplayFormat::FileTime), "2021-09-08T00:00:00.000Z");
        assert_eq!(at(116_444_736_000_000_000, 8, DisplayFormat::FileTime, None), "116444736000000000");
        assert_eq!(at(0, 4, DisplayFormat::UnixTime, None), "0");
        // Delphi's constant; a build of 2010; a hash.
        assert_eq!(at(0x2a42_5e19, 4, DisplayFormat::UnixTime, None), "708992537");
        assert_eq!(at(0x4ce7_a2a9, 4, DisplayFormat::UnixTime, None), "2010-11-20T10:27:53Z");
        assert_eq!(at(0xf5a3_0c4d, 4, DisplayFormat::UnixTime, None), "2100-08-04T22:57:17Z");
        let header =
            LogFileHeader { start_time: FileTime::from_unix_seconds(1_600_000_000), ..LogFileHeader::default() };
        let clock = Clock::new(&LogFileHeader { clock: ClockType::SYSTEM, ..header }, RawTime(header.start_time.0));
        assert_eq!(at(0xf5a3_0c4d, 4, DisplayFormat::UnixTime, Some(&clock)), "4121103437");
        assert_eq!(at(0x4ce7_a2a9, 4, DisplayFormat::UnixTime, Some(&clock)), "2010-11-20T10:27:53Z");
        // Ten days after the session started, and a year after.
        assert_eq!(at(1_600_864_000, 4, DisplayFormat::UnixTime, Some(&clock)), "2020-09-23T12:26:40Z");
        assert_eq!(at(1_631_536_000, 4, DisplayFormat::UnixTime, Some(&clock)), "1631536000");
    }

    #[test]
    fn maps_name_values_and_bits() {
        let field = Field::new("x", Wire::Scalar(Scalar::U32));
        let values = Map::new("V", MapKind::Values, [(1, "One")]).unwrap();
        let bits = Map::new("B", MapKind::Bits, [(1, "Read"), (2, "Write")]).unwrap();
        let with = |map, value| {
            to_string(Value::Unsigned(value, 4), ValueContext { field: &field, map: Some(map), clock: None })
        };
        assert_eq!((with(&values, 1), with(&values, 9)), ("One".into(), "9".into()));
        assert_eq!(
            (with(&bits, 3), with(&bits, 6), with(&bits, 0)),
            ("Read|Write".into(), "Write|0x4".into(), "0".into())
        );
    }
}
