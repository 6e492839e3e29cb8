//! Fields of an event by name.

use etwkit::decode::{Event, Value};

/// The readable fields of an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'e, 'a>(pub(crate) &'e Event<'a>);

impl<'a> Fields<'_, 'a> {
    /// Returns a number, signed ones by their bits.
    pub(crate) fn number(self, name: &str) -> Option<u64> {
        self.0.field(name)?.value()?.as_u64()
    }

    /// Returns a number; 0 if there is none.
    pub(crate) fn or_zero(self, name: &str) -> u64 {
        self.number(name).unwrap_or(0)
    }

    /// Text.
    pub(crate) fn text(self, name: &str) -> Option<String> {
        match self.0.field(name)?.value()? {
            Value::Utf16(text) => Some(text.to_string()),
            Value::Ansi(text) => Some(text.to_string()),
            Value::Guid(guid) => Some(guid.to_string()),
            _ => None,
        }
    }

    /// Bytes.
    pub(crate) fn bytes(self, name: &str) -> Option<&'a [u8]> {
        match self.0.field(name)?.value()? {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the name of a number in the trace's own map.
    pub(crate) fn name_of(self, name: &str) -> Option<String> {
        let view = self.0.field(name)?;
        let text = view.map()?.value(view.value()?.as_u64()?)?;
        Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
    }
}

/// Text up to its NUL: fields of a fixed length are filled with them.
pub(crate) fn until_nul(text: &str) -> &str {
    text.split('\0').next().unwrap_or_default()
}

/// Returns a hardware address, if these bytes begin with one and `len` states that it is one.
pub(crate) fn mac(bytes: &[u8], len: u64) -> Option<[u8; 6]> {
    if len != 6 {
        return None;
    }
    bytes.first_chunk().copied().filter(|mac| *mac != [0; 6])
}
