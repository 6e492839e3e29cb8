//! A value of every type, with its kind, so that a test can check that its text reads back as the same value.

use crate::event::PointerSize;
use crate::file::LogfileHeader;
use crate::guid::Guid;
use crate::payload::Payload;
use crate::time::{START, SystemTime, filetime};

/// All values of one in-type and out-type (`tdh.h`), each written as an event whose task has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueType {
    /// Task of its events.
    pub event: &'static str,
    /// `TDH_INTYPE_*`.
    pub in_type: u16,
    /// `TDH_OUTTYPE_*`.
    pub out_type: u16,
    /// Bytes of binary with a fixed length, else 0.
    pub length: u16,
    /// What the values are.
    pub kind: ValueKind,
    /// The values, in the order of their events.
    pub values: Vec<Value>,
}

/// The kind of a value, which determines how its text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A signed integer, as wide as its bytes.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// IEEE single or double.
    Float,
    /// Any number that is not 0.
    Bool,
    /// An unsigned integer in hexadecimal digits.
    Hex,
    /// FILETIME.
    Time,
    /// `SYSTEMTIME`.
    DateTime,
    /// GUID.
    Guid,
    /// Security identifier.
    Sid,
    /// Four bytes of an address.
    Ipv4,
    /// Sixteen bytes of an address.
    Ipv6,
    /// `sockaddr`.
    Socket,
    /// Bytes.
    Bytes,
    /// A port, the high byte first.
    Port,
    /// One character.
    Char,
    /// Text: [`Value::text`] is what it reads.
    Text,
    /// A number with names: [`NAMES`].
    Named,
    /// Bits with names: [`BITS`].
    Bits,
    /// An array or a struct: [`Value::text`] is its JSON.
    Json,
}

/// A value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Value {
    /// Its own bytes, without count or end mark.
    pub bytes: Vec<u8>,
    /// Its text, where it does not follow from the bytes alone.
    pub text: Option<String>,
    /// All bytes in the payload; `None` if the payload ends before it.
    pub wire: Option<Vec<u8>>,
}

/// Names of the values of [`ValueKind::Named`].
pub const NAMES: [(u32, &str); 2] = [(1, "red"), (2, "green, or \"so\"")];
/// Names of the bits of [`ValueKind::Bits`].
pub const BITS: [(u32, &str); 3] = [(1, "Read"), (2, "Write"), (4, "Delete")];

/// Values of every in-type and every out-type.
pub fn value_types() -> Vec<ValueType> {
    [integers(), shown_integers(), others(), texts(), groups()].concat()
}

fn of(event: &'static str, (in_type, out_type): (u16, u16), kind: ValueKind, values: Vec<Vec<u8>>) -> ValueType {
    let value = |bytes: Vec<u8>| Value { wire: Some(wire(in_type, &bytes)), bytes, text: None };
    ValueType { event, in_type, out_type, length: 0, kind, values: values.into_iter().map(value).collect() }
}

/// Returns a value's bytes with the count or the end mark of its in-type.
fn wire(in_type: u16, bytes: &[u8]) -> Vec<u8> {
    let new = Payload::new();
    let count = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    match in_type {
        1 => new.bytes(bytes).u16(0),
        2 => new.bytes(bytes).u8(0),
        22 | 23 | 25 | 300 | 301 => new.counted(bytes),
        302 | 303 => new.port(count).bytes(bytes),
        309 => new.u32(count.into()).bytes(bytes),
        310 => new.ptr(PointerSize::Eight, 0xffff_d20c_1234_5678).ptr(PointerSize::Eight, 0).bytes(bytes),
        _ => new.bytes(bytes),
    }
    .into_bytes()
}

/// The ends of a type's range, the values around zero, and those around the largest integer that a double has.
macro_rules! ends {
    ($($type:ident)*) => { $(
        fn $type() -> Vec<Vec<u8>> {
            let wide = [(1_i128 << 53) - 1, 1 << 53, (1 << 53) + 1, 1 << 63, -(1 << 53), -1, 0, 1];
            let all = [$type::MIN, $type::MAX].into_iter().chain(wide.into_iter().filter_map(|n| n.try_into().ok()));
            all.map(|number: $type| number.to_le_bytes().to_vec()).collect()
        }
    )* };
}
ends!(i8 u8 i16 u16 i32 u32 i64 u64);

fn integers() -> Vec<ValueType> {
    use ValueKind::{Signed, Unsigned};
    let mut int32 = of("int32", (7, 0), Signed, i32());
    int32.values.push(Value::default());
    vec![
        of("int8", (3, 0), Signed, i8()),
        of("uint8", (4, 0), Unsigned, u8()),
        of("int16", (5, 0), Signed, i16()),
        of("uint16", (6, 0), Unsigned, u16()),
        int32,
        of("uint32", (8, 0), Unsigned, u32()),
        of("int64", (9, 0), Signed, i64()),
        of("uint64", (10, 0), Unsigned, u64()),
        of("uint8_as_byte", (4, 3), Signed, i8()),
        of("int8_as_unsigned", (3, 4), Unsigned, u8()),
        of("uint16_as_short", (6, 5), Signed, i16()),
        of("int16_as_unsigned", (5, 6), Unsigned, u16()),
        of("uint32_as_int", (8, 7), Signed, i32()),
        of("int32_as_unsigned", (7, 8), Unsigned, u32()),
        of("uint64_as_long", (10, 9), Signed, i64()),
        of("int64_as_unsigned", (9, 10), Unsigned, u64()),
        of("pointer_as_unsigned", (16, 10), Unsigned, u64()),
    ]
}

fn shown_integers() -> Vec<ValueType> {
    use ValueKind::{Bool, Char, Hex, Ipv4, Port, Time, Unsigned};
    let bools = |width: usize| [0, 1].map(|bit| [vec![bit], vec![0; width - 1]].concat()).to_vec();
    let chars = |units: &[u16]| units.iter().map(|unit| unit.to_le_bytes().to_vec()).collect();
    let narrow = |units: &[u8]| units.iter().map(|unit| vec![*unit]).collect();
    let mut clock = of("etwtime", (10, 27), ValueKind::Text, vec![LogfileHeader::default().t0.to_le_bytes().to_vec()]);
    clock.values.iter_mut().for_each(|value| value.text = Some("2026-01-02T03:04:05.0000000Z".to_owned()));
    vec![
        of("boolean", (13, 0), Bool, bools(4)),
        of("uint8_as_boolean", (4, 13), Bool, bools(1)),
        of("hexint32", (20, 0), Hex, u32()),
        of("hexint64", (21, 0), Hex, u64()),
        of("uint8_as_hex", (4, 16), Hex, u8()),
        of("uint16_as_hex", (6, 17), Hex, u16()),
        of("uint32_as_hex", (8, 18), Hex, u32()),
        of("uint64_as_hex", (10, 19), Hex, u64()),
        of("pointer", (16, 0), Hex, u64()),
        of("sizet", (308, 0), Hex, u64()),
        of("code_pointer", (21, 37), Hex, u64()),
        of("pid", (8, 20), Unsigned, u32()),
        of("tid", (8, 21), Unsigned, u32()),
        of("errorcode", (8, 29), Unsigned, u32()),
        of("win32error", (8, 30), Unsigned, u32()),
        of("ntstatus", (8, 31), Hex, u32()),
        of("hresult", (7, 32), Hex, u32()),
        of("port", (6, 22), Port, u16()),
        of("ipv4", (8, 23), Ipv4, vec![vec![0; 4], vec![255; 4], vec![192, 0, 2, 33]]),
        of("unicodechar", (306, 0), Char, chars(&[0x41, 0x22, 0x2c, 0x3a9, 0xfffd])),
        of("ansichar", (307, 0), Char, narrow(b"A\",")),
        of("uint16_as_string", (6, 1), Char, chars(&[0x41, 0x0a, 0x3a9])),
        of("filetime", (17, 0), Time, times()),
        of("uint64_as_datetime", (10, 2), Time, times()),
        of("uint64_as_datetime_insensitive", (10, 33), Time, times()),
        of("uint64_as_datetime_utc", (10, 38), Time, times()),
        clock,
    ]
}

/// Returns the ends of the printable range, times before 1970 and far ahead, and values outside all dates.
fn times() -> Vec<Vec<u8>> {
    let last = filetime(10_000, 1, 1) - 1;
    let all = [0, 1, filetime(1969, 12, 31), filetime(1970, 1, 1) - 1, START + 1_234_567, last, last + 1, i64::MAX];
    all.map(|time| time.to_le_bytes().to_vec()).to_vec()
}

fn others() -> Vec<ValueType> {
    use ValueKind::{Bytes, DateTime, Float, Ipv6, Sid, Socket, Unsigned};
    let singles = [0.0, -0.0, 1.5, 0.1, f32::MIN, f32::MAX, f32::MIN_POSITIVE, 1e-45, f32::EPSILON];
    let singles = singles.into_iter().chain([f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
    let doubles = [0.0, -0.0, 1.5, 0.1, f64::MIN, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::EPSILON];
    let doubles = doubles.into_iter().chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
    let days = [SystemTime::date(1601, 1, 1, 1), SystemTime::date(1969, 12, 3, 31).at(23, 59, 59, 999)];
    let days = days.into_iter().chain([SystemTime::date(9999, 12, 5, 31), SystemTime::date(30827, 12, 5, 31)]);
    let guids = [0, u128::MAX, 0x5e7a1000_0001_4b1d_9c0d_e7a51d0c0001];
    let guids: Vec<Vec<u8>> = guids.map(|bits| Guid::new(bits).to_bytes().to_vec()).to_vec();
    let sid = |authority, parts: &[u32]| Payload::new().sid(authority, parts).into_bytes();
    let sids = || vec![sid(0, &[0]), sid(5, &[18]), sid(5, &[21, u32::MAX, 7, 1001]), sid(0xffff_ffff_ffff, &[1, 2])];
    let blobs = || vec![vec![], vec![0], (0..=255).collect::<Vec<u8>>()];
    let fixed = |event, types, kind, length, values| ValueType { length, ..of(event, types, kind, values) };
    vec![
        ValueType {
            values: vec![Value { wire: Some(Vec::new()), ..Value::default() }],
            ..of("null", (0, 0), Bytes, vec![])
        },
        of("float", (11, 11), Float, singles.map(|number| number.to_le_bytes().to_vec()).collect()),
        of("double", (12, 12), Float, doubles.map(|number| number.to_le_bytes().to_vec()).collect()),
        of("systemtime", (18, 0), DateTime, days.map(|day| Payload::new().systemtime(day).into_bytes()).collect()),
        of("guid", (15, 14), ValueKind::Guid, guids.clone()),
        fixed("binary_as_guid", (14, 14), ValueKind::Guid, 16, guids),
        of("sid", (19, 0), Sid, sids()),
        of("wbemsid", (310, 0), Sid, sids()),
        fixed("ipv6", (14, 24), Ipv6, 16, addresses()),
        of("sockaddr", (25, 25), Socket, sockets()),
        fixed("binary", (14, 0), Bytes, 4, vec![vec![0; 4], vec![255; 4], vec![1, 2, 3, 4]]),
        of("countedbinary", (25, 15), Bytes, blobs()),
        of("pkcs7", (25, 36), Bytes, blobs()),
        of("hexdump", (309, 0), Bytes, blobs()),
        of("noprint", (8, 301), Unsigned, u32()),
    ]
}

fn addresses() -> Vec<Vec<u8>> {
    let texts = ["::", "::1", "::ffff:1.2.3.4", "2001:db8::8:800:200c:417a", "fe80::1"];
    texts.iter().filter_map(|text| Some(text.parse::<std::net::Ipv6Addr>().ok()?.octets().to_vec())).collect()
}

fn sockets() -> Vec<Vec<u8>> {
    let v4 = |port, address: [u8; 4]| Payload::new().u16(2).port(port).bytes(&address).zeros(8).into_bytes();
    let v6 =
        |port, scope, address: &[u8]| Payload::new().u16(23).port(port).u32(0).bytes(address).u32(scope).into_bytes();
    let mut all = vec![v4(443, [192, 0, 2, 1]), v4(0, [0; 4]), v4(u16::MAX, [255; 4])];
    all.extend(addresses().iter().map(|address| v6(80, 0, address)));
    all.extend(addresses().last().map(|address| v6(80, 7, address)));
    all.push(Payload::new().u16(99).bytes(&[1, 2, 3]).into_bytes());
    all
}

/// Texts that a table or a reader might trip over.
const TEXTS: [&str; 16] = [
    "",
    "plain",
    "comma, quote \" and \"\" more",
    "two\r\nlines\nand one more",
    "\t\u{1}\u{1b}[31m\u{7f}",
    "backslash \\ and \\n and \\u0041",
    " blanks around ",
    "null",
    "NaN",
    "007",
    "1e5",
    "true",
    "=1+1",
    "\u{2028}\u{feff}\u{202e}",
    "äöü ✓ 日本",
    "𝄞 and 👍",
];

/// The worst of them.
const FEW: [&str; 5] = ["", "comma, quote \" and \"\" more", "two\r\nlines\nand one more", "007", "𝄞 and 👍"];

fn texts() -> Vec<ValueType> {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let narrow = |text: &str| text.as_bytes().to_vec();
    let some = |event, types, of_text: &dyn Fn(&str) -> Vec<u8>, texts: &[&str]| {
        let mut all = of(event, types, ValueKind::Text, texts.iter().map(|text| of_text(text)).collect());
        all.values.iter_mut().zip(texts).for_each(|(value, text)| value.text = Some((*text).to_owned()));
        all
    };
    let read = |event, types, of_text: &dyn Fn(&str) -> Vec<u8>| some(event, types, of_text, &TEXTS);
    let few = |event, types, of_text: &dyn Fn(&str) -> Vec<u8>| some(event, types, of_text, &FEW);
    let mut utf16 = read("unicodestring", (1, 1), &wide);
    utf16.values.extend([("a\u{fffd}b", [0x61, 0xd800, 0x62]), ("\u{fffd}ab", [0xdc00, 0x61, 0x62])].map(lone));
    let mut ansi = read("ansistring", (2, 1), &narrow);
    let bytes = b"caf\xe9 \x80".to_vec();
    ansi.values.push(Value { wire: Some(wire(2, &bytes)), bytes, text: Some("café €".to_owned()) });
    let mut counted = read("manifest_countedstring", (22, 0), &wide);
    let bytes = wide("a\0b");
    counted.values.push(Value { wire: Some(wire(22, &bytes)), bytes, text: Some("a\0b".to_owned()) });
    vec![
        utf16,
        ansi,
        counted,
        few("utf8", (2, 35), &narrow),
        few("xml", (1, 28), &wide),
        few("json", (2, 34), &narrow),
        few("cimdatetime", (1, 26), &wide),
        few("reducedstring", (1, 300), &wide),
        few("manifest_countedansistring", (23, 0), &narrow),
        few("countedstring", (300, 0), &wide),
        few("countedansistring", (301, 0), &narrow),
        few("reversedcountedstring", (302, 0), &wide),
        few("reversedcountedansistring", (303, 0), &narrow),
        few("nonnullterminatedstring", (304, 0), &wide),
        few("nonnullterminatedansistring", (305, 0), &narrow),
    ]
}

/// Returns a text with half of a pair, for which there is no character.
fn lone((text, units): (&str, [u16; 3])) -> Value {
    let bytes: Vec<u8> = units.into_iter().flat_map(u16::to_le_bytes).collect();
    Value { wire: Some(wire(1, &bytes)), bytes, text: Some(text.to_owned()) }
}

fn groups() -> Vec<ValueType> {
    let numbers = |list: &[u32]| list.iter().map(|number| number.to_le_bytes().to_vec()).collect();
    let json = |bytes: Payload, text: &str| {
        let bytes = bytes.into_bytes();
        Value { wire: Some(bytes.clone()), bytes, text: Some(text.to_owned()) }
    };
    let new = Payload::new;
    let group = |event, values| ValueType { values, ..of(event, (7, 0), ValueKind::Json, vec![]) };
    vec![
        of("named", (8, 8), ValueKind::Named, numbers(&[1, 2, 0, u32::MAX])),
        of("bits", (8, 8), ValueKind::Bits, numbers(&[0, 1, 3, 7, 8, 9, u32::MAX])),
        group("array", vec![json(new().i32(-1).i32(0).i32(i32::MAX), "[-1,0,2147483647]")]),
        group(
            "struct",
            vec![json(
                new().i32(1).utf16z("one, \"two\"").i32(-2).utf16z(""),
                r#"[{"x":1,"y":"one, \"two\""},{"x":-2,"y":""}]"#,
            )],
        ),
    ]
}
