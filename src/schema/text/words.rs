//! The words of the grammar: one table for the reader and the printer alike.

use crate::codes::Codes;
use crate::schema::{DisplayFormat, Encoding, MapKind, Scalar};

/// Words that may follow the type of a field, so that a field of such a name is quoted.
pub(super) const FIELD_WORDS: &[&str] = &[
    "alias",
    "as",
    "counted",
    "counted-be",
    "counted32",
    "is",
    "map",
    "nonzero",
    "of",
    "optional",
    "rest",
    "tag",
    "wrapped",
    "x",
];

/// Words that begin statements and attributes, so that an opcode, class, map or provider of such a name is quoted.
pub(super) const EVENT_WORDS: &[&str] = &[
    "build",
    "channel",
    "class",
    "detail",
    "event",
    "keyword",
    "level",
    "lznt1",
    "map",
    "maps",
    "message",
    "name",
    "none",
    "opcode",
    "origin",
    "process-from",
    "provider",
    "provider-guid",
    "task",
    "thread-from",
    "thread-none",
    "user-data",
    "version",
];

/// Types of fixed size.
pub(super) const SCALARS: &[(&str, Scalar)] = &[
    ("i8", Scalar::I8),
    ("u8", Scalar::U8),
    ("i16", Scalar::I16),
    ("u16", Scalar::U16),
    ("i32", Scalar::I32),
    ("u32", Scalar::U32),
    ("i64", Scalar::I64),
    ("u64", Scalar::U64),
    ("f32", Scalar::F32),
    ("f64", Scalar::F64),
    ("ptr", Scalar::Pointer),
    ("guid", Scalar::Guid),
    ("systemtime", Scalar::SystemTime),
];

/// Types of text.
pub(super) const ENCODINGS: &[(&str, Encoding)] =
    &[("utf16", Encoding::Utf16), ("ansi", Encoding::Ansi), ("utf8", Encoding::Utf8)];

/// The types that are neither.
pub(super) const OTHER_TYPES: &[&str] = &["sid", "bytes", "bits", "struct"];

/// How a value is shown. [`DisplayFormat::Plain`] has no word.
pub(super) const DISPLAY_FORMATS: &[(&str, DisplayFormat)] = &[
    ("hidden", DisplayFormat::Hidden),
    ("hex", DisplayFormat::Hex),
    ("bool", DisplayFormat::Bool),
    ("char", DisplayFormat::Char),
    ("signed", DisplayFormat::Signed),
    ("unsigned", DisplayFormat::Unsigned),
    ("pid", DisplayFormat::Pid),
    ("tid", DisplayFormat::Tid),
    ("port", DisplayFormat::Port),
    ("ipv4", DisplayFormat::Ipv4),
    ("ipv6", DisplayFormat::Ipv6),
    ("sockaddr", DisplayFormat::SocketAddress),
    ("mac", DisplayFormat::Mac),
    ("filetime", DisplayFormat::FileTime),
    ("unixtime", DisplayFormat::UnixTime),
    ("clocktime", DisplayFormat::ClockTime),
    ("xml", DisplayFormat::Xml),
    ("json", DisplayFormat::Json),
    ("win32", DisplayFormat::Win32Error),
    ("ntstatus", DisplayFormat::NtStatus),
    ("hresult", DisplayFormat::HResult),
    ("error", DisplayFormat::ErrorCode),
    ("code", DisplayFormat::CodePointer),
    ("pkcs7", DisplayFormat::Pkcs7),
    ("guid", DisplayFormat::Guid),
];

/// How a map is read.
pub(super) const MAP_KINDS: &[(&str, MapKind)] =
    &[("values", MapKind::Values), ("bits", MapKind::Bits), ("texts", MapKind::Texts)];

/// Tables of codes whose names a map of values may take over.
pub(super) const CODE_TABLES: &[(&str, Codes)] =
    &[("wait-reason", Codes::WaitReason), ("thread-state", Codes::ThreadState), ("irp-major", Codes::IrpMajor)];

/// Returns the meaning of a word.
pub(super) fn meaning<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// Returns the word for a value.
pub(super) fn word<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> Option<&'static str> {
    table.iter().find(|(_, other)| other == value).map(|(name, _)| *name)
}

/// Returns all words of a table, for a message.
pub(super) fn list<T>(table: &[(&'static str, T)]) -> String {
    table.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

/// Returns whether a word may begin with this character.
pub(super) const fn begins_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Returns whether a word may go on with this character.
pub(super) const fn continues_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}
