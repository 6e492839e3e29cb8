//! Writes the packed little-endian bytes of event payloads (section 9).

use crate::event::PointerSize;
use crate::guid::Guid;
use crate::narrow::{u8_of, u16_of};
use crate::time::SystemTime;

/// A payload being written; each method appends one value without alignment and hands the payload on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payload(Vec<u8>);

macro_rules! numbers {
    ($($name:ident)*) => { $(
        #[doc = concat!("Appends a little-endian `", stringify!($name), "`.")]
        #[must_use]
        pub fn $name(mut self, value: $name) -> Self {
            self.0.extend_from_slice(&value.to_le_bytes());
            self
        }
    )* };
}

impl Payload {
    /// Nothing written yet.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    numbers!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

    /// Appends a pointer of the writer's size; the upper half is dropped for 4 bytes.
    #[must_use]
    pub fn ptr(self, size: PointerSize, value: u64) -> Self {
        let bytes = value.to_le_bytes();
        match size {
            PointerSize::Four => self.bytes(&bytes[..4]),
            PointerSize::Eight => self.bytes(&bytes),
        }
    }

    /// Appends a big-endian u16, as ports are (TDH out-type PORT).
    #[must_use]
    pub fn port(self, value: u16) -> Self {
        self.bytes(&value.to_be_bytes())
    }

    /// Appends a 4-byte BOOL.
    #[must_use]
    pub fn bool32(self, value: bool) -> Self {
        self.u32(u32::from(value))
    }

    /// Appends a GUID.
    #[must_use]
    pub fn guid(self, value: Guid) -> Self {
        self.bytes(&value.to_bytes())
    }

    /// Appends UTF-16LE text and its 2-byte NUL.
    #[must_use]
    pub fn utf16z(self, text: &str) -> Self {
        self.utf16(text).u16(0)
    }

    /// Appends UTF-16LE text without any end mark.
    #[must_use]
    pub fn utf16(mut self, text: &str) -> Self {
        self.0.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        self
    }

    /// Appends a u16 *byte* count and UTF-16LE text (TDH `MANIFEST_COUNTEDSTRING`, WPP `ItemPWString`).
    #[must_use]
    pub fn utf16_counted(self, text: &str) -> Self {
        self.u16(u16_of(text.encode_utf16().count() * 2)).utf16(text)
    }

    /// Appends a big-endian u16 byte count and UTF-16LE text (TDH `REVERSEDCOUNTEDSTRING`).
    #[must_use]
    pub fn utf16_reverse_counted(self, text: &str) -> Self {
        self.port(u16_of(text.encode_utf16().count() * 2)).utf16(text)
    }

    /// Appends exactly `units` UTF-16 units: the text, cut if need be, then NULs.
    #[must_use]
    pub fn utf16_fixed(mut self, text: &str, units: usize) -> Self {
        let padded = text.encode_utf16().chain(std::iter::repeat(0)).take(units);
        self.0.extend(padded.flat_map(u16::to_le_bytes));
        self
    }

    /// Appends 8-bit text (UTF-8 here) and its NUL.
    #[must_use]
    pub fn ansi_z(self, text: &str) -> Self {
        self.bytes(text.as_bytes()).u8(0)
    }

    /// Appends a u16 byte count and 8-bit text.
    #[must_use]
    pub fn ansi_counted(self, text: &str) -> Self {
        self.counted(text.as_bytes())
    }

    /// Appends a u16 byte count and bytes (`TraceLogging` BINARY, WPP `ItemHexDump`).
    #[must_use]
    pub fn counted(self, bytes: &[u8]) -> Self {
        self.u16(u16_of(bytes.len())).bytes(bytes)
    }

    /// Appends a SID: revision 1, count, 6-byte big-endian authority, sub-authorities (section 9.5).
    #[must_use]
    pub fn sid(self, authority: u64, sub_authorities: &[u32]) -> Self {
        let head = self.u8(1).u8(u8_of(sub_authorities.len())).bytes(&authority.to_be_bytes()[2..]);
        sub_authorities.iter().fold(head, |payload, &sub| payload.u32(sub))
    }

    /// Appends a SID as in MOF events: after a `TOKEN_USER` image of two pointers (section 9.5).
    #[must_use]
    pub fn mof_sid(self, size: PointerSize, authority: u64, sub_authorities: &[u32]) -> Self {
        self.ptr(size, 0xffff_d20c_1234_5678).ptr(size, 0).sid(authority, sub_authorities)
    }

    /// Appends a FILETIME: 100 ns since 1601-01-01 UTC.
    #[must_use]
    pub fn filetime(self, value: i64) -> Self {
        self.i64(value)
    }

    /// Appends a `SYSTEMTIME`, eight u16.
    #[must_use]
    pub fn systemtime(self, value: SystemTime) -> Self {
        [value.year, value.month, value.weekday, value.day, value.hour, value.minute, value.second, value.millisecond]
            .into_iter()
            .fold(self, Self::u16)
    }

    /// Appends bytes as they are.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// Appends whatever another writer made: the unread rest of a payload.
    #[must_use]
    pub fn rest(self, other: impl Into<Vec<u8>>) -> Self {
        self.bytes(&other.into())
    }

    /// Appends `count` zero bytes.
    #[must_use]
    pub fn zeros(mut self, count: usize) -> Self {
        self.0.resize(self.0.len() + count, 0);
        self
    }

    /// Number of bytes written.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl From<Payload> for Vec<u8> {
    fn from(payload: Payload) -> Self {
        payload.0
    }
}
