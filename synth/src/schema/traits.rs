//! Provider traits: extended item 12 and `EventSetInformation` (section 7.3; `evntprov.h`).

use crate::guid::Guid;
use crate::narrow::u16_of;
use crate::payload::Payload;

/// Builds traits: u16 size, UTF-8 name with NUL, then {u16 size, u8 type, data}.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traits {
    name: String,
    list: Payload,
}

impl Traits {
    /// Traits that only name the provider.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), list: Payload::new() }
    }

    /// Type 1: provider group.
    #[must_use]
    pub fn group(self, guid: Guid) -> Self {
        self.raw(1, &guid.to_bytes())
    }

    /// Type 2: GUID to look decoding information up by.
    #[must_use]
    pub fn decode_guid(self, guid: Guid) -> Self {
        self.raw(2, &guid.to_bytes())
    }

    /// Any type.
    #[must_use]
    pub fn raw(mut self, kind: u8, data: &[u8]) -> Self {
        self.list = self.list.u16(u16_of(3 + data.len())).u8(kind).bytes(data);
        self
    }

    /// Item data of type 12.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = 2 + self.name.len() + 1 + self.list.len();
        Payload::new().u16(u16_of(size)).ansi_z(&self.name).rest(self.list.clone()).into_bytes()
    }
}

impl From<Traits> for Vec<u8> {
    fn from(traits: Traits) -> Self {
        traits.to_bytes()
    }
}
