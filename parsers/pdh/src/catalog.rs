//! The list of counters of a log.

use etwkit::bytes::{Cursor, Guid, Utf16Text, utf16_nul};
use etwkit::error::{Error, Result};

use crate::HEAD;
use crate::counter_type::CounterType;

/// Bytes of an entry before its texts.
const ENTRY: usize = 52;
/// An offset that means that there is no such text.
const NONE: u32 = u32::MAX;

/// The counters of a log, in the order of their values in samples.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Catalog {
    /// The GUID that the events of one log share.
    pub log: Guid,
    /// The counters.
    pub counters: Vec<Counter>,
}

/// A counter that is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counter {
    /// How its values are to be understood.
    pub kind: CounterType,
    /// Ticks per second of what the values are measured by.
    pub time_base: i64,
    /// Power of ten by which graphs scale it.
    pub default_scale: i32,
    /// The machine, with its two backslashes.
    pub machine: String,
    /// The object, such as `Processor`.
    pub object: String,
    /// The instance, `*` for all; `None` for an object without instances.
    pub instance: Option<String>,
    /// The instance that the instance belongs to.
    pub parent: Option<String>,
    /// Which of several instances of one name.
    pub index: u32,
    /// The counter's own name.
    pub name: String,
    /// Its texts in the order of the payload.
    pub(crate) texts: Texts,
}

/// The texts of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    /// What they are, in order of their places; empty if they are not contiguous.
    pub(crate) order: Vec<&'static str>,
    /// Bytes after the last one.
    pub(crate) padding: u16,
}

impl Catalog {
    /// Reads the payload of an event of opcode [`crate::LIST`].
    pub fn parse(payload: &[u8]) -> Result<Self> {
        let log = Cursor::new(payload).guid("GUID of a performance log")?;
        let mut rest = payload.get(HEAD..).unwrap_or_default();
        let mut counters = Vec::new();
        while !rest.is_empty() {
            let len = Cursor::new(rest).u32("length of a counter")? as usize;
            if len < ENTRY {
                return Err(Error::invalid("length of a counter", len as u64));
            }
            let Some((entry, after)) = rest.split_at_checked(len) else {
                return Err(Error::truncated("counter", len, rest.len()));
            };
            counters.push(Counter::parse(entry)?);
            rest = after;
        }
        Ok(Self { log, counters })
    }
}

impl Counter {
    fn parse(entry: &[u8]) -> Result<Self> {
        let mut cursor = Cursor::new(entry);
        cursor.take(12, "length, flags and user data of a counter")?;
        let kind = CounterType(cursor.u32("type of a counter")?);
        let time_base = cursor.u64("time base of a counter")?.cast_signed();
        let default_scale = cursor.u32("scale of a counter")?.cast_signed();
        let mut number = || cursor.u32("text offset of a counter");
        let (machine, object, instance, parent) = (number()?, number()?, number()?, number()?);
        let (index, name) = (number()?, number()?);
        let area = entry.get(ENTRY..).unwrap_or_default();
        let text = |offset: u32| text(area, offset);
        let offsets = [(machine, "Machine"), (object, "Object"), (instance, "Instance"), (parent, "Parent")];
        let texts = Texts::of(area, offsets.into_iter().chain([(name, "Counter")]));
        Ok(Self {
            kind,
            time_base,
            default_scale,
            machine: text(machine)?.unwrap_or_default(),
            object: text(object)?.unwrap_or_default(),
            instance: text(instance)?,
            parent: text(parent)?,
            index,
            name: text(name)?.unwrap_or_default(),
            texts,
        })
    }

    /// Returns the path: `\\machine\object(parent/instance#index)\counter`.
    pub fn path(&self) -> String {
        self.path_with(self.instance.as_deref())
    }

    /// Returns the path with another instance: of a counter for all of them, the path of one.
    pub fn path_of(&self, instance: &str) -> String {
        self.path_with(Some(instance))
    }

    fn path_with(&self, instance: Option<&str>) -> String {
        let Self { machine, object, parent, index, name, .. } = self;
        let index = if *index == 0 { String::new() } else { format!("#{index}") };
        let instance = match (parent, instance) {
            (_, None) => String::new(),
            (Some(parent), Some(instance)) => format!("({parent}/{instance}{index})"),
            (None, Some(instance)) => format!("({instance}{index})"),
        };
        format!("{machine}\\{object}{instance}\\{name}")
    }
}

fn text(area: &[u8], offset: u32) -> Result<Option<String>> {
    if offset == NONE {
        return Ok(None);
    }
    let Some(bytes) = area.get(offset as usize..) else {
        return Err(Error::invalid("text offset of a counter", offset.into()));
    };
    name(utf16_nul(bytes).0).map(Some)
}

/// Returns a name as text.
pub(crate) fn name(utf16: &[u8]) -> Result<String> {
    if utf16.len() > 2 * MAX_NAME {
        return Err(Error::limit("characters of a name of a performance log", MAX_NAME));
    }
    Ok(String::from(Utf16Text(utf16)))
}

/// Units of UTF-16 of a name of a machine, an object, an instance or a counter: `PDH_MAX_COUNTER_NAME` of `pdh.h`.
/// Every path has them, and one object may have very many instances.
const MAX_NAME: usize = 1024;

impl Texts {
    fn of(area: &[u8], offsets: impl Iterator<Item = (u32, &'static str)>) -> Self {
        let mut there: Vec<_> = offsets.filter(|(offset, _)| *offset != NONE).collect();
        there.sort_by_key(|(offset, _)| *offset);
        let mut at = 0;
        for (offset, _) in &there {
            if *offset as usize != at {
                return Self::default();
            }
            at += utf16_nul(area.get(at..).unwrap_or_default()).1;
        }
        let padding = u16::try_from(area.len() - at.min(area.len())).unwrap_or(0);
        Self { order: there.into_iter().map(|(_, name)| name).collect(), padding }
    }
}
