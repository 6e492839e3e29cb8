//! The item types of TMF: how they are stored in a payload and shown (sections 12.4 and 12.5).

use etwkit::schema::{DisplayFormat, Encoding, Len, Scalar, Wire};

/// The properties of an item type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ItemType {
    /// Its layout in the payload.
    pub(crate) wire: Wire,
    /// As a field shows it.
    pub(crate) show: DisplayFormat,
    /// As the text shows it.
    pub(crate) text: Text,
    /// Where its names are.
    pub(crate) names: Names,
}

/// The meaning of `!s!` in a message's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// The value as its field shows it.
    Plain,
    /// The value as its field shows it, whatever the form states.
    Fixed,
    /// A number: `!s!` is this conversion, other forms are as they are.
    Number(char),
    /// A rendering (`etwkit::render::Style`); other forms are of the number.
    Style(&'static str),
    /// A rendering, whatever the form states.
    FixedStyle(&'static str),
}

/// Where the names of an item's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Names {
    /// There are none.
    No,
    /// In its list: a name per value, from 0.
    List,
    /// In its list: a name per bit, from bit 0.
    Set,
    /// In the enumeration that it names: a name per value.
    Enum,
    /// In the enumeration that it names: a name per bit.
    Flags,
}

/// Returns whether this item type is known: an unknown one takes the rest of the payload.
pub fn is_known_item(name: &str) -> bool {
    form(name).is_some()
}

/// Returns the properties of an item type.
pub(crate) fn form(name: &str) -> Option<ItemType> {
    let base = name.strip_prefix("Item")?;
    integer(base).or_else(|| text(base)).or_else(|| code(base)).or_else(|| named(base)).or_else(|| other(base))
}

const fn plain(wire: Wire, show: DisplayFormat, text: Text) -> ItemType {
    ItemType { wire, show, text, names: Names::No }
}

/// Numbers that printf forms are for.
fn integer(base: &str) -> Option<ItemType> {
    let (scalar, show, conversion) = match base {
        "Char" | "CharSign" => (Scalar::I8, DisplayFormat::Plain, 'c'),
        "UChar" | "CharShort" => (Scalar::U8, DisplayFormat::Plain, 'u'),
        "Short" => (Scalar::I16, DisplayFormat::Plain, 'd'),
        "UShort" => (Scalar::U16, DisplayFormat::Plain, 'u'),
        "Long" | "Int" => (Scalar::I32, DisplayFormat::Plain, 'd'),
        "ULong" | "UInt" => (Scalar::U32, DisplayFormat::Plain, 'u'),
        "ULongX" | "LongX" => (Scalar::U32, DisplayFormat::Hex, 'x'),
        "LongLong" => (Scalar::I64, DisplayFormat::Plain, 'd'),
        "ULongLong" => (Scalar::U64, DisplayFormat::Plain, 'u'),
        "LongLongX" => (Scalar::U64, DisplayFormat::Hex, 'x'),
        "LongLongXX" => (Scalar::U64, DisplayFormat::Hex, 'X'),
        "LongLongO" => (Scalar::U64, DisplayFormat::Plain, 'o'),
        "Double" => (Scalar::F64, DisplayFormat::Plain, 'g'),
        "Float" => (Scalar::F32, DisplayFormat::Plain, 'g'),
        "Ptr" | "Handle" => (Scalar::Pointer, DisplayFormat::Plain, 'p'),
        "Size" => (Scalar::Pointer, DisplayFormat::Unsigned, 'u'),
        _ => return None,
    };
    Some(plain(Wire::Scalar(scalar), show, Text::Number(conversion)))
}

/// Text: up to a NUL, or counted.
fn text(base: &str) -> Option<ItemType> {
    let (encoding, len, text) = match base {
        "String" => (Encoding::Ansi, Len::Nul, Text::Plain),
        "RString" => (Encoding::Ansi, Len::Nul, Text::Style("line")),
        "WString" => (Encoding::Utf16, Len::Nul, Text::Plain),
        "RWString" => (Encoding::Utf16, Len::Nul, Text::Style("line")),
        "PString" | "DSString" => (Encoding::Ansi, Len::Prefix16, Text::Plain),
        "PWString" | "DWString" => (Encoding::Utf16, Len::Prefix16, Text::Plain),
        // A four-character code, in memory order.
        "Char4" => (Encoding::Ansi, Len::Fixed(4), Text::Plain),
        _ => return None,
    };
    Some(plain(Wire::Text { encoding, len }, DisplayFormat::Plain, text))
}

/// Codes that have names of their own.
fn code(base: &str) -> Option<ItemType> {
    let (show, style) = match base {
        "NTSTATUS" | "NTerror" => (DisplayFormat::NtStatus, "ntstatus"),
        "HRESULT" => (DisplayFormat::HResult, "hresult"),
        "WINERROR" | "SetupError" => (DisplayFormat::Win32Error, "win32"),
        "NDIS_STATUS" => (DisplayFormat::Hex, "ndis-status"),
        "NDIS_OID" => (DisplayFormat::Hex, "ndis-oid"),
        _ => return None,
    };
    Some(plain(Wire::Scalar(Scalar::U32), show, Text::Style(style)))
}

/// Numbers with names in the TMF text.
fn named(base: &str) -> Option<ItemType> {
    let (scalar, names, style) = match base {
        "ListByte" => (Scalar::U8, Names::List, "named"),
        "ListShort" => (Scalar::U16, Names::List, "named"),
        "ListLong" => (Scalar::U32, Names::List, "named"),
        "SetByte" => (Scalar::U8, Names::Set, "set"),
        "SetShort" => (Scalar::U16, Names::Set, "set"),
        "SetLong" => (Scalar::U32, Names::Set, "set"),
        "Enum" => (Scalar::U32, Names::Enum, "enum"),
        "FlagsEnum" => (Scalar::U32, Names::Flags, "enum"),
        _ => return None,
    };
    Some(ItemType { wire: Wire::Scalar(scalar), show: DisplayFormat::Plain, text: Text::Style(style), names })
}

fn other(base: &str) -> Option<ItemType> {
    let scalar = |scalar, show, text| plain(Wire::Scalar(scalar), show, text);
    Some(match base {
        "Guid" | "GUID" | "IID" | "CLSID" | "LIBID" => scalar(Scalar::Guid, DisplayFormat::Plain, Text::Fixed),
        "IPAddr" => scalar(Scalar::U32, DisplayFormat::Ipv4, Text::Fixed),
        "Port" => scalar(Scalar::U16, DisplayFormat::Port, Text::Fixed),
        "Timestamp" => scalar(Scalar::I64, DisplayFormat::FileTime, Text::FixedStyle("utc")),
        "WaitTime" => scalar(Scalar::I64, DisplayFormat::Plain, Text::Style("due")),
        "TimeDelta" => scalar(Scalar::I64, DisplayFormat::Plain, Text::Style("seconds")),
        "IPV6Addr" => plain(Wire::Bytes { len: Len::Fixed(16) }, DisplayFormat::Ipv6, Text::Fixed),
        "MACAddr" => plain(Wire::Bytes { len: Len::Fixed(6) }, DisplayFormat::Mac, Text::Fixed),
        "HexDump" | "HEXDump" => {
            plain(Wire::Bytes { len: Len::Prefix16 }, DisplayFormat::Plain, Text::FixedStyle("digits"))
        }
        "Sid" => plain(Wire::Sid { wrapped: false }, DisplayFormat::Plain, Text::Fixed),
        _ => return None,
    })
}

impl Text {
    /// Returns the form of an insert that the TMF text writes as `spec`: flags and width stay, the conversion may
    /// change.
    pub(crate) fn format(self, spec: &str) -> String {
        // Flags, width and precision: what follows states how wide C passes a value.
        let end = spec.find(|c: char| !"#0-+ .*123456789".contains(c)).unwrap_or(spec.len());
        let head = spec.get(..end).unwrap_or_default();
        let rendered = matches!(conversion(spec), 's' | 'S' | 'Z');
        match self {
            Self::Number(letter) if rendered => format!("{head}{letter}"),
            Self::Style(style) if rendered => format!("{head}s:{style}"),
            Self::FixedStyle(style) => format!("{head}s:{style}"),
            Self::Fixed => format!("{head}s"),
            Self::Plain | Self::Number(_) | Self::Style(_) => spec.to_owned(),
        }
    }
}

/// Returns the letter of a printf form; `s` if it has none.
pub(crate) fn conversion(spec: &str) -> char {
    spec.chars().last().filter(char::is_ascii_alphabetic).unwrap_or('s')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_inserts() {
        assert_eq!(form("ItemLong").unwrap().text.format("s"), "d");
        assert_eq!(form("ItemLong").unwrap().text.format("08x"), "08x");
        assert_eq!(form("ItemDouble").unwrap().text.format(".3s"), ".3g");
        assert_eq!(form("ItemNTSTATUS").unwrap().text.format("-40s"), "-40s:ntstatus");
        assert_eq!(form("ItemNTSTATUS").unwrap().text.format("#x"), "#x");
        assert_eq!(form("ItemPort").unwrap().text.format("d"), "s");
        assert_eq!(form("ItemTimestamp").unwrap().text.format("I64d"), "s:utc");
        assert_eq!(form("ItemString").unwrap().text.format("10s"), "10s");
        assert!(form("ItemVar").is_none() && form("Long").is_none());
    }
}
