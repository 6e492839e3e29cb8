//! A field's type as the text form of schemas writes it, and what its values mean.

use etwkit::schema::{Count, DisplayFormat, Encoding, Field, Len, MapKind, Scalar, Schema, Wire};

/// `u32`, `utf16[NameLength]`, `struct x Count`.
pub(super) fn wire(schema: &Schema, field: &Field) -> String {
    let element = match field.wire {
        Wire::Scalar(scalar) => self::scalar(scalar).to_owned(),
        Wire::Text { encoding, len } => self::encoding(encoding).to_owned() + &length(schema, len),
        Wire::Bytes { len } => "bytes".to_owned() + &length(schema, len),
        Wire::Sid { wrapped: true } => "sid wrapped".to_owned(),
        Wire::Sid { wrapped: false } => "sid".to_owned(),
        Wire::Bits { of, first, count } => format!("bits[{} {first}..{}]", name_of(schema, of), first + count - 1),
        Wire::Struct { .. } => "struct".to_owned(),
        _ => String::new(),
    };
    let optional = if field.optional { " optional" } else { "" };
    element + &count(schema, field.count) + optional
}

fn count(schema: &Schema, count: Count) -> String {
    match count {
        Count::Fixed(count) => format!(" x {count}"),
        Count::Field(place) => format!(" x {}", name_of(schema, place)),
        Count::Prefix16 => " x counted".to_owned(),
        Count::Rest => " x rest".to_owned(),
        _ => String::new(),
    }
}

fn length(schema: &Schema, len: Len) -> String {
    match len {
        Len::Fixed(len) => format!("[{len}]"),
        Len::Field(place) => format!("[{}]", name_of(schema, place)),
        Len::Within { used, room } => format!("[{} of {room}]", name_of(schema, used)),
        Len::Prefix16 => " counted".to_owned(),
        Len::Prefix16Swapped => " counted-be".to_owned(),
        Len::Prefix32 => " counted32".to_owned(),
        Len::Rest => " rest".to_owned(),
        _ => String::new(),
    }
}

fn name_of(schema: &Schema, place: u16) -> &str {
    schema.fields().get(usize::from(place)).map_or("", |field| &field.name)
}

const fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf16 => "utf16",
        Encoding::Ansi => "ansi",
        _ => "utf8",
    }
}

const fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 => "i8",
        Scalar::U8 => "u8",
        Scalar::I16 => "i16",
        Scalar::U16 => "u16",
        Scalar::I32 => "i32",
        Scalar::U32 => "u32",
        Scalar::I64 => "i64",
        Scalar::U64 => "u64",
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
        Scalar::Guid => "guid",
        Scalar::Pointer => "ptr",
        Scalar::SystemTime => "systemtime",
        _ => "",
    }
}

/// What the values mean: `process id`, `bits of IrpFlags`.
pub(super) fn of(schema: &Schema, field: &Field) -> String {
    match schema.map(field) {
        Some(map) if map.kind() == MapKind::Bits => format!("bits of `{}`", map.name()),
        Some(map) => format!("value of `{}`", map.name()),
        None => shown(field.display).to_owned(),
    }
}

const fn shown(display: DisplayFormat) -> &'static str {
    match display {
        DisplayFormat::Hidden => "padding or reserved",
        DisplayFormat::Hex => "hexadecimal",
        DisplayFormat::Bool => "boolean",
        DisplayFormat::Char => "character",
        DisplayFormat::Signed => "signed",
        DisplayFormat::Unsigned => "unsigned",
        DisplayFormat::Pid => "process id",
        DisplayFormat::Tid => "thread id",
        DisplayFormat::Port => "port, big endian",
        DisplayFormat::Ipv4 => "IPv4 address",
        DisplayFormat::Ipv6 => "IPv6 address",
        DisplayFormat::SocketAddress => "socket address",
        DisplayFormat::Mac => "MAC address",
        DisplayFormat::FileTime => "FILETIME, UTC",
        DisplayFormat::UnixTime => "seconds since 1970",
        DisplayFormat::ClockTime => "raw time of the session's clock",
        DisplayFormat::Xml => "XML",
        DisplayFormat::Json => "JSON",
        DisplayFormat::Win32Error => "Win32 error code",
        DisplayFormat::NtStatus => "NTSTATUS",
        DisplayFormat::HResult => "HRESULT",
        DisplayFormat::ErrorCode => "error code",
        DisplayFormat::CodePointer => "address of code",
        DisplayFormat::Pkcs7 => "PKCS#7 message",
        DisplayFormat::Guid => "GUID",
        _ => "",
    }
}
