//! Numbers of TDH types (`TDH_INTYPE_*`, `TDH_OUTTYPE_*` of `tdh.h`) and what they mean in the schema form.

use etwkit::schema::{Encoding, Len, Scalar, Show, Wire};

/// In-type of a `struct` in the pack.
pub(crate) const STRUCT: u16 = 24;
/// In-type of bytes, whose length must be told.
pub(crate) const BINARY: u16 = 14;
/// In-type of an address.
const POINTER: u16 = 16;
/// Out-type of an IPv6 address: without a length its bytes are 16.
pub(crate) const IPV6: u16 = 24;

/// Out-types that say that 8-bit text is UTF-8: XML, JSON, UTF8.
const UTF8: [u16; 3] = [28, 34, 35];

/// How an in-type lies in the payload; `len` is for those that do not tell their own. `None` for numbers that are no
/// type of a property.
pub(crate) fn wire(in_type: u16, out_type: u16, len: Option<Len>) -> Option<Wire> {
    let ansi = if UTF8.contains(&out_type) { Encoding::Utf8 } else { Encoding::Ansi };
    let text = |encoding, len| Wire::Text { encoding, len };
    Some(match in_type {
        1 => text(Encoding::Utf16, len.unwrap_or(Len::Nul)),
        2 => text(ansi, len.unwrap_or(Len::Nul)),
        BINARY => Wire::Bytes { len: len? },
        19 => Wire::Sid { wrapped: false },
        22 | 300 => text(Encoding::Utf16, Len::Prefix16),
        23 | 301 => text(ansi, Len::Prefix16),
        25 => Wire::Bytes { len: Len::Prefix16 },
        302 => text(Encoding::Utf16, Len::Prefix16Swapped),
        303 => text(ansi, Len::Prefix16Swapped),
        304 => text(Encoding::Utf16, Len::Rest),
        305 => text(ansi, Len::Rest),
        306 => text(Encoding::Utf16, Len::Fixed(1)),
        307 => text(ansi, Len::Fixed(1)),
        309 => Wire::Bytes { len: Len::Prefix32 },
        310 => Wire::Sid { wrapped: true },
        _ => Wire::Scalar(scalar(in_type)?),
    })
}

const fn scalar(in_type: u16) -> Option<Scalar> {
    Some(match in_type {
        3 => Scalar::I8,
        4 => Scalar::U8,
        5 => Scalar::I16,
        6 => Scalar::U16,
        7 => Scalar::I32,
        8 | 13 | 20 => Scalar::U32,
        9 => Scalar::I64,
        10 | 17 | 21 => Scalar::U64,
        11 => Scalar::F32,
        12 => Scalar::F64,
        15 => Scalar::Guid,
        POINTER | 308 => Scalar::Pointer,
        18 => Scalar::SystemTime,
        _ => return None,
    })
}

/// How a value is shown.
pub(crate) const fn show(in_type: u16, out_type: u16) -> Show {
    match out_type {
        // One character, where the in-type is a small integer.
        1 if matches!(in_type, 3..=6) => Show::Char,
        // Dates: 64-bit integers that count from 1601.
        2 | 33 | 38 if matches!(in_type, 9 | 10) => Show::FileTime,
        3 | 5 | 7 | 9 if is_unsigned(in_type) => Show::Signed,
        4 | 6 | 8 | 10 if is_signed(in_type) => Show::Unsigned,
        13 => Show::Bool,
        14 if in_type == BINARY => Show::Guid,
        // Addresses are hexadecimal anyway, and stay addresses: as `etwkit::schema::tdh` has it.
        16..=19 if in_type == POINTER => Show::Plain,
        16..=19 => Show::Hex,
        20 => Show::Pid,
        21 => Show::Tid,
        22 => Show::Port,
        23 => Show::Ipv4,
        IPV6 => Show::Ipv6,
        25 => Show::SocketAddress,
        27 => Show::ClockTime,
        28 => Show::Xml,
        29 => Show::ErrorCode,
        30 => Show::Win32Error,
        31 => Show::NtStatus,
        32 => Show::HResult,
        34 => Show::Json,
        36 => Show::Pkcs7,
        37 => Show::CodePointer,
        301 => Show::Hidden,
        _ => of_in_type(in_type),
    }
}

/// How a value is shown when its out-type is not known, or says nothing more.
const fn of_in_type(in_type: u16) -> Show {
    match in_type {
        13 => Show::Bool,
        20 | 21 => Show::Hex,
        17 => Show::FileTime,
        _ => Show::Plain,
    }
}

const fn is_unsigned(in_type: u16) -> bool {
    matches!(in_type, 4 | 6 | 8 | 10)
}

const fn is_signed(in_type: u16) -> bool {
    matches!(in_type, 3 | 5 | 7 | 9)
}
