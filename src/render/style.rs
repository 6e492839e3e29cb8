//! Renderings that printf has no form for, asked for by a word after a colon in an insert's format: `s:ntstatus`.
//!
//! They are what tracefmt prints for the item types of WPP; any message may use them.

use std::io::Write as _;

use crate::codes::{AccessRights, Codes};
use crate::decode::Value;
use crate::schema::{Map, MapKind};
use crate::time::FileTime;

use super::time;
use super::value::{self, ValueContext};

/// A rendering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// A code and its name: `0xc0000022(STATUS_ACCESS_DENIED)`; Win32 codes in decimal: `2(ERROR_FILE_NOT_FOUND)`.
    Code(Codes),
    /// An access mask as the names of its rights and the number: `PROCESS_VM_READ | SYNCHRONIZE(0x100010)`.
    Access(AccessRights),
    /// A number and the name that the field's map has for it: `0x00000001(true)`.
    Named,
    /// The names of the bits that are set: `[1,3]`.
    Set,
    /// The value's name alone, `Green`, or the names of the bits that are set and the number, `Read | Write(0x3)`. A
    /// value without a name is its number: `0x7`.
    Enum,
    /// A FILETIME: `2020-01-01 00:00:00.000Z`.
    Utc,
    /// A FILETIME: `01/01/2020-00:00:00.000`.
    Stamp,
    /// A time span in 100 ns: `5.000s`.
    Seconds,
    /// A timer's due time: a FILETIME, or a time span if negative.
    Due,
    /// Text without line ends at its end.
    Line,
    /// Bytes as upper-case digits.
    Digits,
}

const WORDS: [(&str, Style); 22] = [
    ("ntstatus", Style::Code(Codes::NtStatus)),
    ("win32", Style::Code(Codes::Win32)),
    ("hresult", Style::Code(Codes::HResult)),
    ("ndis-status", Style::Code(Codes::NdisStatus)),
    ("ndis-oid", Style::Code(Codes::NdisOid)),
    ("wait-reason", Style::Code(Codes::WaitReason)),
    ("thread-state", Style::Code(Codes::ThreadState)),
    ("irp-major", Style::Code(Codes::IrpMajor)),
    ("file-access", Style::Access(AccessRights::File)),
    ("key-access", Style::Access(AccessRights::Key)),
    ("process-access", Style::Access(AccessRights::Process)),
    ("thread-access", Style::Access(AccessRights::Thread)),
    ("token-access", Style::Access(AccessRights::Token)),
    ("named", Style::Named),
    ("set", Style::Set),
    ("enum", Style::Enum),
    ("utc", Style::Utc),
    ("stamp", Style::Stamp),
    ("seconds", Style::Seconds),
    ("due", Style::Due),
    ("line", Style::Line),
    ("digits", Style::Digits),
];

impl Style {
    /// Returns the rendering of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        if name.is_empty() {
            return None;
        }
        WORDS.iter().find(|(word, _)| *word == name).map(|(_, style)| *style)
    }

    /// Returns its name in a format.
    pub fn name(self) -> &'static str {
        WORDS.iter().find(|(_, style)| *style == self).map_or("", |(word, _)| word)
    }

    /// Appends a value. One that the rendering is not for is written as its field states.
    pub(super) fn push(self, out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) {
        let time = value.as_u64().map(u64::cast_signed);
        match (self, value.bits(), time) {
            (Self::Code(codes), Some(code), _) => push_code(out, codes, code),
            (Self::Access(rights), Some(mask), _) => push_access(out, rights, mask),
            (Self::Named, Some(number), _) => push_named(out, number, context.map),
            (Self::Set, Some(number), _) => push_set(out, number, context.map),
            (Self::Enum, Some(number), _) => push_enum(out, number, context.map),
            (Self::Stamp, _, Some(units)) => time::push_stamp(out, FileTime(units)),
            (Self::Due, _, Some(span)) if span < 0 => push_seconds(out, span),
            (Self::Utc | Self::Due, _, Some(units)) => time::push_utc(out, FileTime(units)),
            (Self::Seconds, _, Some(span)) => push_seconds(out, span),
            (Self::Line, ..) => push_line(out, value, context),
            (Self::Digits, ..) => push_digits(out, value, context),
            _ => drop(value::push(out, value, context)),
        }
    }
}

fn push_code(out: &mut Vec<u8>, codes: Codes, code: u64) {
    let _ = if codes == Codes::Win32 { write!(out, "{code}") } else { write!(out, "{code:#010x}") };
    push_name(out, u32::try_from(code).ok().and_then(|code| codes.name(code)));
}

fn push_access(out: &mut Vec<u8>, rights: AccessRights, mask: u64) {
    let (names, left) = u32::try_from(mask).map_or_else(|_| (Vec::new(), 0), |mask| rights.names(mask));
    let mut separator = "";
    for name in &names {
        let _ = write!(out, "{separator}{name}");
        separator = " | ";
    }
    if left != 0 && !names.is_empty() {
        let _ = write!(out, "{separator}{left:#x}");
    }
    let _ = if names.is_empty() { write!(out, "{mask:#x}") } else { write!(out, "({mask:#x})") };
}

fn push_named(out: &mut Vec<u8>, number: u64, map: Option<&Map>) {
    let _ = write!(out, "{number:#010x}");
    push_name(out, map.and_then(|map| map.value(number)));
}

/// The name in parentheses, if there is one.
fn push_name(out: &mut Vec<u8>, name: Option<&str>) {
    if let Some(name) = name {
        out.push(b'(');
        out.extend_from_slice(name.as_bytes());
        out.push(b')');
    }
}

fn push_set(out: &mut Vec<u8>, number: u64, map: Option<&Map>) {
    out.push(b'[');
    push_bits(out, number, map, ",");
    out.push(b']');
}

fn push_enum(out: &mut Vec<u8>, number: u64, map: Option<&Map>) {
    if let Some(name) = map.filter(|map| map.kind() == MapKind::Values).and_then(|map| map.value(number)) {
        return out.extend_from_slice(name.as_bytes());
    }
    let has_bits = map.filter(|map| map.kind() == MapKind::Bits).is_some_and(|map| map.bits(number).0.next().is_some());
    if has_bits {
        push_bits(out, number, map, " | ");
        let _ = write!(out, "({number:#x})");
    } else {
        let _ = write!(out, "{number:#x}");
    }
}

/// Names of bits and, in hexadecimal, those without one.
fn push_bits(out: &mut Vec<u8>, number: u64, map: Option<&Map>, separator: &str) {
    let start = out.len();
    let mut left = number;
    if let Some(map) = map {
        let (names, unnamed) = map.bits(number);
        left = unnamed;
        for name in names {
            let separator = if out.len() > start { separator } else { "" };
            let _ = write!(out, "{separator}{name}");
        }
    }
    if left != 0 {
        let separator = if out.len() > start { separator } else { "" };
        let _ = write!(out, "{separator}{left:#x}");
    }
}

/// Whole milliseconds, towards zero.
fn push_seconds(out: &mut Vec<u8>, span: i64) {
    let milliseconds = span.unsigned_abs() / FileTime::UNITS_PER_MILLISECOND.unsigned_abs();
    let sign = if span < 0 { "-" } else { "" };
    let _ = write!(out, "{sign}{}.{:03}s", milliseconds / 1000, milliseconds % 1000);
}

fn push_line(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) {
    let start = out.len();
    value::push(out, value, context);
    while out.len() > start && matches!(out.last(), Some(b'\r' | b'\n')) {
        out.pop();
    }
}

fn push_digits(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) {
    let start = out.len();
    value::push(out, value, context);
    if let (Value::Bytes(_), Some(text)) = (value, out.get_mut(start..)) {
        text.make_ascii_uppercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Field, Scalar, Wire};

    fn styled(style: &str, value: Value<'_>, map: Option<&Map>) -> String {
        let field = Field::new("x", Wire::Scalar(Scalar::U32));
        let mut out = Vec::new();
        Style::from_name(style).unwrap().push(&mut out, value, ValueContext { field: &field, map, clock: None });
        String::from_utf8(out).unwrap()
    }

    fn code(style: &str, code: u32) -> String {
        styled(style, Value::Unsigned(code.into(), 4), None)
    }

    #[test]
    fn codes_have_names() {
        assert_eq!(code("ntstatus", 0xC000_0005), "0xc0000005(STATUS_ACCESS_VIOLATION)");
        assert_eq!(code("ntstatus", 0xC000_0135), "0xc0000135(STATUS_DLL_NOT_FOUND)");
        assert_eq!(code("ntstatus", 0x1234_5678), "0x12345678");
        assert_eq!(code("win32", 32), "32(ERROR_SHARING_VIOLATION)");
        assert_eq!(code("win32", 1450), "1450(ERROR_NO_SYSTEM_RESOURCES)");
        assert_eq!(code("win32", 0xF0F0_F0F0), "4042322160");
        assert_eq!(code("hresult", 0x8000_4003), "0x80004003(E_POINTER)");
        assert_eq!(code("hresult", 0x8007_0005), "0x80070005(ERROR_ACCESS_DENIED)");
        assert_eq!(code("wait-reason", 6), "0x00000006(UserRequest)");
        assert_eq!(code("thread-state", 5), "0x00000005(Waiting)");
        assert_eq!(code("irp-major", 14), "0x0000000e(IRP_MJ_DEVICE_CONTROL)");
        assert_eq!(styled("ntstatus", Value::Signed(-0x3FFF_FFDE, 4), None), "0xc0000022(STATUS_ACCESS_DENIED)");
    }

    #[test]
    fn access_masks_are_names_of_rights() {
        assert_eq!(code("process-access", 0x10_0010), "PROCESS_VM_READ | SYNCHRONIZE(0x100010)");
        assert_eq!(code("process-access", 0x8010), "PROCESS_VM_READ | 0x8000(0x8010)");
        assert_eq!(code("key-access", 0x2_0019), "KEY_READ(0x20019)");
        assert_eq!((code("file-access", 0), code("file-access", 0x8000)), ("0x0".into(), "0x8000".into()));
    }

    #[test]
    fn maps_are_shown_in_several_ways() {
        let values = Map::new("V", MapKind::Values, [(1, "true")]).unwrap();
        let bits = Map::new("B", MapKind::Bits, [(1, "Read"), (4, "Exec")]).unwrap();
        let with = |style, number, map| styled(style, Value::Unsigned(number, 4), Some(map));
        assert_eq!(with("named", 1, &values), "0x00000001(true)");
        assert_eq!(with("named", 9, &values), "0x00000009");
        assert_eq!((with("set", 5, &bits), with("set", 0, &bits)), ("[Read,Exec]".into(), "[]".into()));
        assert_eq!((with("set", 9, &bits), with("set", 8, &bits)), ("[Read,0x8]".into(), "[0x8]".into()));
        assert_eq!(with("enum", 5, &bits), "Read | Exec(0x5)");
        assert_eq!(with("enum", 8, &bits), "0x8");
        assert_eq!((with("enum", 1, &values), with("enum", 9, &values)), ("true".into(), "0x9".into()));
    }

    #[test]
    fn times_and_spans() {
        let time = Value::Signed(132_223_104_000_000_000, 8);
        assert_eq!(styled("utc", time, None), "2020-01-01 00:00:00.000Z");
        assert_eq!(styled("due", time, None), "2020-01-01 00:00:00.000Z");
        assert_eq!(styled("stamp", time, None), "01/01/2020-00:00:00.000");
        assert_eq!(styled("seconds", Value::Signed(50_000_000, 8), None), "5.000s");
        assert_eq!(styled("due", Value::Signed(-5_000, 8), None), "-0.000s");
        assert_eq!(styled("utc", Value::Signed(i64::MAX, 8), None), i64::MAX.to_string());
    }

    #[test]
    fn text_and_bytes() {
        assert_eq!(styled("line", Value::Utf8(b"a\nb\r\n"), None), "a\nb");
        assert_eq!(styled("digits", Value::Bytes(&[0xDE, 0xAD]), None), "DEAD");
        assert_eq!(styled("ntstatus", Value::Utf8(b"text"), None), "text");
        assert!(WORDS.iter().all(|(word, style)| Style::from_name(word) == Some(*style) && style.name() == *word));
    }
}
