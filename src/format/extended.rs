//! Extended data items and provider traits (sections 7.1 to 7.3).

use std::fmt;

use zerocopy::little_endian::U16;

use crate::bytes::{Guid, u8_at, u16_at};

wire_struct! {
    /// The head of an extended item on disk, 8 bytes. (The API's in-memory form is another structure.)
    pub struct ItemHeader {
        /// Bytes of the item with this head and its padding; a multiple of 8.
        size: U16 as u16,
        /// `ExtType`.
        item_type: U16 as u16,
        /// Bit 0: another item follows.
        linkage: U16 as u16,
        /// Bytes of data, without padding.
        data_size: U16 as u16,
    }
}

wire_constants! {
    /// `EVENT_HEADER_EXT_TYPE_*` (`evntcons.h`).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct ExtendedType(u16) {
        /// GUID of the related activity.
        RELATED_ACTIVITY = 1, "RELATED_ACTIVITYID";
        /// SID of the writing user.
        SID = 2, "SID";
        /// `u32` terminal session.
        TERMINAL_SESSION = 3, "TS_ID";
        /// Instance, parent instance and parent class.
        INSTANCE = 4, "INSTANCE_INFO";
        /// `u64` match id, `u32` addresses.
        STACK_32 = 5, "STACK_TRACE32";
        /// `u64` match id, `u64` addresses.
        STACK_64 = 6, "STACK_TRACE64";
        /// `u64` index of PEBS data.
        PEBS_INDEX = 7, "PEBS_INDEX";
        /// `u64` hardware counters.
        PMC_COUNTERS = 8, "PMC_COUNTERS";
        /// Process state manager key.
        PSM_KEY = 9, "PSM_KEY";
        /// `u64` event key.
        EVENT_KEY = 10, "EVENT_KEY";
        /// TraceLogging metadata of the event.
        SCHEMA = 11, "EVENT_SCHEMA_TL";
        /// Provider traits: name and group.
        PROVIDER_TRAITS = 12, "PROV_TRAITS";
        /// `u64` start key of the process.
        PROCESS_START_KEY = 13, "PROCESS_START_KEY";
        /// Control GUID.
        CONTROL_GUID = 14, "CONTROL_GUID";
        /// `u64` QPC delta.
        QPC_DELTA = 15, "QPC_DELTA";
        /// GUID of the container.
        CONTAINER_ID = 16, "CONTAINER_ID";
        /// `u64` match id, `u32` key of a cached stack.
        STACK_KEY_32 = 17, "STACK_KEY32";
        /// `u64` match id, `u64` key of a cached stack.
        STACK_KEY_64 = 18, "STACK_KEY64";
    }
}

impl ExtendedType {
    /// Returns Windows' name without its prefix.
    pub const fn name(self) -> Option<&'static str> {
        self.known_name()
    }
}

impl fmt::Debug for ExtendedType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Provider traits: the contents of item 12 (`TraceLoggingProvider.h`, `EventSetInformation`; section 7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Traits<'d> {
    /// Provider name, UTF-8.
    pub name: &'d [u8],
    /// Provider group.
    pub group: Option<Guid>,
    /// GUID under which decoding information is to be looked up.
    pub decode: Option<Guid>,
}

impl<'d> Traits<'d> {
    /// Reads a traits blob: `u16` size with itself, NUL-terminated name, then {`u16` size, `u8` type, data} parts.
    /// A part that does not fit ends the list.
    pub fn read(blob: &'d [u8]) -> Option<Self> {
        let size = usize::from(u16_at(blob, 0)).min(blob.len());
        let body = blob.get(2..size)?;
        let name = body.split(|&b| b == 0).next()?;
        let mut traits = Self { name, ..Self::default() };
        let mut rest = body.get(name.len() + 1..).unwrap_or_default();
        while let Some(part) = rest.get(..usize::from(u16_at(rest, 0))).filter(|part| part.len() >= 3) {
            let guid = part.get(3..).and_then(|data| data.first_chunk()).map(|b| Guid::from_bytes(*b));
            match u8_at(part, 2) {
                1 => traits.group = guid,
                2 => traits.decode = guid,
                _ => {}
            }
            rest = rest.get(part.len()..).unwrap_or_default();
        }
        Some(traits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_have_a_name_and_perhaps_a_group() {
        let mut blob = vec![0x1B, 0]; // size
        blob.extend(b"Demo\0"); // name
        blob.extend([0x13, 0, 1]); // a group GUID of 16 bytes
        blob.extend([7; 16]);
        blob.push(0x99); // beyond the size
        let traits = Traits::read(&blob).unwrap();
        assert_eq!(traits.name, b"Demo");
        assert_eq!(traits.group, Some(Guid::from_bytes([7; 16])));
        assert_eq!(Traits::read(&[1]), None);
        assert_eq!(Traits::read(&[9, 0, b'x']).unwrap().name, b"x");
    }
}
