//! The raw values of one moment.

use etwkit::bytes::{Cursor, Guid, utf16_nul};
use etwkit::error::{Error, Result};

use crate::HEAD;
use crate::calculate::Raw;
use crate::catalog;

/// Number before all records of a sample, and before each: `BL`, then a kind.
mod kind {
    pub(super) const ALL: u32 = 0x0003_4C42;
    pub(super) const SINGLE: u32 = 0x0103_4C42;
    pub(super) const SEVERAL: u32 = 0x0203_4C42;
}

/// Bytes of a record of one value.
const SINGLE: usize = 48;
/// Bytes of a record of several before its items, and of an item.
const SEVERAL: usize = 32;
const ITEM: usize = 24;
/// Where the length of the inner block begins, from which names are counted.
const BLOCK: usize = 8;

/// The values of all counters at one moment, in the order of the [`crate::Catalog`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sample {
    /// The GUID that the events of one log share.
    pub log: Guid,
    /// One per counter.
    pub records: Vec<Record>,
}

/// The raw values of a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Record {
    /// Of a counter with one value.
    Single {
        /// FILETIME of the queried machine, in its own time zone.
        time: i64,
        /// The value.
        raw: Raw,
    },
    /// Of a counter for all instances.
    Several {
        /// FILETIME as above.
        time: i64,
        /// Name and value of each instance.
        items: Vec<(String, Raw)>,
        /// Bytes after the last name; `None` if the names are not contiguous.
        padding: Option<u16>,
    },
}

impl Sample {
    /// Reads the payload of an event of opcode [`crate::SAMPLE`].
    pub fn parse(payload: &[u8]) -> Result<Self> {
        let mut cursor = Cursor::new(payload);
        let log = cursor.guid("GUID of a performance log")?;
        cursor.take(8, "head of a sample")?;
        let (found, len) = (cursor.u32("kind of a sample")?, cursor.u32("length of a sample")? as usize);
        if found != kind::ALL {
            return Err(Error::invalid("kind of a sample", found.into()).at(24));
        }
        if len != payload.len() - (HEAD - 8) {
            return Err(Error::truncated("sample", len, payload.len() - (HEAD - 8)).at(28));
        }
        let mut rest = cursor.rest();
        let mut records = Vec::new();
        while !rest.is_empty() {
            let (record, after) = Record::parse(rest)?;
            records.push(record);
            rest = after;
        }
        Ok(Self { log, records })
    }
}

impl Record {
    /// Returns the first record of these bytes, and the bytes after it.
    fn parse(bytes: &[u8]) -> Result<(Self, &[u8])> {
        let mut cursor = Cursor::new(bytes);
        let (found, len) = (cursor.u32("kind of a record")?, cursor.u32("length of a record")? as usize);
        let Some((record, after)) = bytes.split_at_checked(len) else {
            return Err(Error::truncated("record of a sample", len, bytes.len()));
        };
        let parsed = match found {
            kind::SINGLE if len == SINGLE => Self::single(record)?,
            kind::SEVERAL if len >= SEVERAL => Self::several(record)?,
            kind::SINGLE | kind::SEVERAL => return Err(Error::invalid("length of a record", len as u64)),
            _ => return Err(Error::invalid("kind of a record", found.into())),
        };
        Ok((parsed, after))
    }

    /// `PDH_RAW_COUNTER` of `pdh.h`: status, time, two values, count of values.
    fn single(record: &[u8]) -> Result<Self> {
        let mut cursor = Cursor::new(record);
        cursor.take(8, "kind and length of a record")?;
        let status = cursor.u32("status of a value")?;
        let time = cursor.u64("time of a value")?.cast_signed();
        cursor.take(4, "padding of a value")?;
        let first = cursor.u64("first part of a value")?.cast_signed();
        let second = cursor.u64("second part of a value")?.cast_signed();
        let multi = cursor.u32("number of instances of a value")?;
        Ok(Self::Single { time, raw: Raw { status, first, second, multi } })
    }

    fn several(record: &[u8]) -> Result<Self> {
        let mut cursor = Cursor::new(record);
        cursor.take(12, "kind and lengths of a record")?;
        let count = cursor.u32("number of instances")? as usize;
        cursor.take(4, "reserved number of a record")?;
        let status = cursor.u32("status of a record")?;
        let time = cursor.u64("time of a record")?.cast_signed();
        let have = cursor.rest().len() / ITEM;
        if count > have {
            return Err(Error::truncated("instances of a record", count, have));
        }
        let mut items = Vec::with_capacity(count);
        // A schema can describe contiguous names only.
        let mut names = 0;
        let mut next = Some(SEVERAL + count * ITEM);
        for _ in 0..count {
            let name = cursor.u32("name of an instance")? as usize;
            let multi = cursor.u32("number of instances of a value")?;
            let first = cursor.u64("first part of a value")?.cast_signed();
            let second = cursor.u64("second part of a value")?.cast_signed();
            let start = BLOCK.saturating_add(name);
            let Some(bytes) = record.get(start..) else {
                return Err(Error::invalid("name of an instance", name as u64));
            };
            let (text, taken) = utf16_nul(bytes);
            next = next.filter(|next| *next == start).map(|next| next + taken);
            // Names share no bytes, or a few would be many names.
            names += taken;
            if names > record.len() {
                return Err(Error::invalid("bytes of the names of instances", names as u64));
            }
            items.push((catalog::name(text)?, Raw { status, first, second, multi }));
        }
        let padding = next.and_then(|next| u16::try_from(record.len().checked_sub(next)?).ok());
        Ok(Self::Several { time, items, padding })
    }
}
