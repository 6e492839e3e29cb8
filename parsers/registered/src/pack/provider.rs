//! One provider of a pack.
//!
//! ```text
//! texts      n count, n length of each, then all of them (UTF-8)
//! name       n text
//! owner      n 0, or n 1 + guid + n text: the provider that a classic class belongs to
//! tasks      n count x { n number, n text }
//! opcodes    n count x { n task + 1, or 0 for any, n number, n text }
//! keywords   n count x { n mask, n text }
//! channels   n count x { n number, n text }
//! maps       n count x { n text, u8 kind (0 values, 1 bits), n count x { n value, n text } }
//! builds     n count x { n first, n last + 1, or 0 if open }
//! fields     n count x { n text, n in-type, n out-type, u8 flags, [length], [count], [map], [members] }
//! templates  n count x { n count x { n field } }
//! events     n count, then columns: n id (classic: opcode) less the one before, n version, n task, n opcode,
//!            n number of layouts; then for each layout n template, n builds
//! ```
//!
//! Flags: bits 0-1 length (1 number, 2 text naming a field, 3 the rest), bits 2-3 count likewise, bit 4 map, bit 5
//! members (n count x { n field }, each earlier in the list).

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use etwkit::bytes::Guid;
use etwkit::error::{Error, Result};
use etwkit::schema::tdh::{InType, OutType};

use super::numbers::Numbers;

/// The facts of a provider or a classic class.
#[derive(Debug)]
pub struct Provider {
    text: Box<str>,
    /// Where each text ends.
    ends: Vec<u32>,
    name: u32,
    owner: Option<(Guid, u32)>,
    tasks: Vec<(u16, u32)>,
    opcodes: Vec<(Option<u16>, u8, u32)>,
    keywords: Vec<(u64, u32)>,
    /// The same with their names, once they are asked for.
    shared_keywords: OnceLock<Keywords>,
    channels: Vec<(u8, u32)>,
    maps: Vec<FactMap>,
    builds: Vec<Builds>,
    fields: Vec<FactField>,
    templates: Vec<Vec<u32>>,
    /// Id (or opcode) and version in one number, sorted.
    keys: Vec<u32>,
    events: Vec<Event>,
    layouts: Vec<(u32, u32)>,
}

/// Keywords by mask, as [`etwkit::schema::Names::provider_keywords`].
type Keywords = Arc<[(u64, Box<str>)]>;

/// OS builds of the recording machine that a layout was seen on, both ends included.
pub type Builds = (u32, u32);

/// An event of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// Task number of a manifest event.
    pub task: u16,
    /// Opcode number.
    pub opcode: u8,
    layouts: Range<u32>,
}

impl Event {
    /// Returns whether a source has its fields.
    pub const fn has_layouts(&self) -> bool {
        self.layouts.start < self.layouts.end
    }
}

/// In-type of a struct, reserved in `tdh.h`.
const STRUCT: InType = InType(24);

/// A field as its source has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactField {
    name: u32,
    /// In-type.
    pub in_type: InType,
    /// Out-type, [`OutType::NULL`] if not known.
    pub out_type: OutType,
    /// Length.
    pub len: Size,
    /// Number of elements.
    pub count: Size,
    map: Option<u32>,
    members: Vec<u32>,
}

/// A length or a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Not given.
    Absent,
    /// A number.
    Fixed(u16),
    /// The value of an earlier field, by its name: see [`Provider::text`].
    Named(u32),
    /// To the end of the payload.
    Rest,
}

/// A map of values or bits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactMap {
    name: u32,
    /// Whether its values are bits.
    pub bits: bool,
    entries: Vec<(u64, u32)>,
}

impl FactField {
    /// Returns whether it is a struct of members instead of a value.
    pub(crate) fn is_struct(&self) -> bool {
        self.in_type == STRUCT
    }

    /// Returns the place of its map among the provider's.
    pub(crate) const fn map(&self) -> Option<u32> {
        self.map
    }
}

impl Provider {
    /// Reads a provider and states how many bytes it took; what comes after it is another's.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, usize)> {
        let numbers = &mut Numbers::new(bytes);
        let (text, ends) = texts(numbers)?;
        let texts = ends.len();
        let name = numbers.place(texts)?;
        let owner = owner(numbers, texts)?;
        let tasks = numbers.list(|n| Ok((n.small()?, n.place(texts)?)))?;
        let opcodes = numbers.list(|n| Ok((n.small::<u16>()?.checked_sub(1), n.small()?, n.place(texts)?)))?;
        let keywords = numbers.list(|n| Ok((n.number()?, n.place(texts)?)))?;
        let channels = numbers.list(|n| Ok((n.small()?, n.place(texts)?)))?;
        let maps = numbers.list(|n| map(n, texts))?;
        let builds = numbers.list(|n| Ok((n.small()?, n.small::<u32>()?.checked_sub(1).unwrap_or(u32::MAX))))?;
        let fields = fields(numbers, texts, maps.len())?;
        let templates = numbers.list(|n| n.list(|n| n.place(fields.len())))?;
        let (keys, mut events) = events(numbers)?;
        let layouts = layouts(numbers, &mut events, templates.len(), builds.len())?;
        let taken = numbers.position();
        let provider = Self {
            text,
            ends,
            name,
            owner,
            tasks,
            opcodes,
            keywords,
            shared_keywords: OnceLock::new(),
            channels,
            maps,
            builds,
            fields,
            templates,
            keys,
            events,
            layouts,
        };
        Ok((provider, taken))
    }

    /// Returns a text by its place.
    pub fn text(&self, place: u32) -> &str {
        let place = place as usize;
        let end = |at: usize| self.ends.get(at).copied().unwrap_or(0) as usize;
        let start = place.checked_sub(1).map_or(0, end);
        self.text.get(start..end(place)).unwrap_or_default()
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        self.text(self.name)
    }

    /// Returns the provider of a classic class, if it is known.
    pub fn owner(&self) -> Option<(Guid, &str)> {
        self.owner.map(|(guid, name)| (guid, self.text(name)))
    }

    /// Returns the event of this id (or opcode) and version, with its place.
    #[inline]
    pub fn find(&self, number: u16, version: u8) -> Option<&Event> {
        self.events.get(self.keys.binary_search(&key(number, version)).ok()?)
    }

    /// Returns the event of this id (or opcode) with the highest version that is lower than `version`.
    pub fn find_lower(&self, number: u16, version: u8) -> Option<&Event> {
        let after = self.keys.partition_point(|other| *other < key(number, version));
        let at = after.checked_sub(1)?;
        let same = self.keys.get(at).is_some_and(|other| other >> 8 == u32::from(number));
        self.events.get(at).filter(|_| same)
    }

    /// Returns the event of this id (or opcode) with the highest version that is lower than `version` and has a layout.
    pub fn find_described(&self, number: u16, version: u8) -> Option<&Event> {
        let after = self.keys.partition_point(|other| *other < key(number, version));
        let lower = self.keys.iter().zip(&self.events).take(after).rev();
        let mut same = lower.take_while(|(other, _)| *other >> 8 == u32::from(number)).map(|(_, event)| event);
        same.find(|event| event.has_layouts())
    }

    /// Returns all events with their id (or opcode) and version.
    pub fn events(&self) -> impl Iterator<Item = (u16, u8, &Event)> {
        let split = |key: &u32| ((key >> 8) as u16, *key as u8);
        self.keys.iter().map(split).zip(&self.events).map(|((number, version), event)| (number, version, event))
    }

    /// Returns the layouts of an event with their builds, newest first.
    pub fn layouts(&self, event: &Event) -> impl Iterator<Item = (Builds, &[u32])> {
        let range = event.layouts.start as usize..event.layouts.end as usize;
        self.layouts.get(range).unwrap_or_default().iter().filter_map(|(template, builds)| {
            Some((*self.builds.get(*builds as usize)?, self.templates.get(*template as usize)?.as_slice()))
        })
    }

    /// Returns a field by its place.
    pub fn field(&self, place: u32) -> Option<&FactField> {
        self.fields.get(place as usize)
    }

    /// Returns the name of a task.
    pub fn task(&self, task: u16) -> Option<&str> {
        let at = self.tasks.binary_search_by_key(&task, |(number, _)| *number).ok()?;
        self.tasks.get(at).map(|(_, name)| self.text(*name))
    }

    /// Returns the name of an opcode, the task's own before the provider's.
    pub fn opcode(&self, task: u16, opcode: u8) -> Option<&str> {
        let of = |wanted: Option<u16>| self.opcodes.iter().find(|(task, op, _)| *task == wanted && *op == opcode);
        of(Some(task)).or_else(|| of(None)).map(|(_, _, name)| self.text(*name))
    }

    /// Returns the keywords among the bits of `mask`.
    pub fn keywords(&self, mask: u64) -> impl Iterator<Item = (u64, &str)> {
        let named = self.keywords.iter().filter(move |(bits, _)| bits & mask != 0);
        named.map(|(bits, name)| (*bits, self.text(*name)))
    }

    /// Returns all keywords; the list is made once.
    pub(crate) fn all_keywords(&self) -> Keywords {
        let make = || self.keywords.iter().map(|(bits, name)| (*bits, self.text(*name).into())).collect();
        Arc::clone(self.shared_keywords.get_or_init(make))
    }

    /// Returns the name of a channel.
    pub fn channel(&self, channel: u8) -> Option<&str> {
        self.channels.iter().find(|(number, _)| *number == channel).map(|(_, name)| self.text(*name))
    }

    /// Returns a field's name.
    pub fn field_name(&self, field: &FactField) -> &str {
        self.text(field.name)
    }

    /// Returns a field's map.
    pub fn map(&self, field: &FactField) -> Option<&FactMap> {
        self.maps.get(field.map? as usize)
    }

    /// Returns the members of a field that is a struct.
    pub fn members(&self, field: &FactField) -> impl Iterator<Item = &FactField> {
        field.members.iter().filter_map(|place| self.field(*place))
    }

    /// Returns a map's name.
    pub fn map_name(&self, map: &FactMap) -> &str {
        self.text(map.name)
    }

    /// Returns a map's values and their names.
    pub fn map_entries(&self, map: &FactMap) -> impl Iterator<Item = (u64, &str)> {
        map.entries.iter().map(|(value, name)| (*value, self.text(*name)))
    }
}

const fn key(number: u16, version: u8) -> u32 {
    (number as u32) << 8 | version as u32
}

fn texts(numbers: &mut Numbers<'_>) -> Result<(Box<str>, Vec<u32>)> {
    let mut end = 0_u32;
    let ends = numbers.list(|n| {
        let len = n.small::<u32>()?;
        end = end.checked_add(len).ok_or_else(|| Error::invalid("text in a pack", len.into()))?;
        Ok(end)
    })?;
    let text = std::str::from_utf8(numbers.bytes(end as usize)?);
    Ok((text.map_err(|_| Error::invalid("text in a pack", end.into()))?.into(), ends))
}

fn owner(numbers: &mut Numbers<'_>, texts: usize) -> Result<Option<(Guid, u32)>> {
    if numbers.number()? == 0 {
        return Ok(None);
    }
    let guid = numbers.bytes(16)?.first_chunk().map_or(Guid::NULL, |bytes| Guid::from_bytes(*bytes));
    Ok(Some((guid, numbers.place(texts)?)))
}

fn map(numbers: &mut Numbers<'_>, texts: usize) -> Result<FactMap> {
    let name = numbers.place(texts)?;
    let bits = numbers.byte()? != 0;
    let entries = numbers.list(|n| Ok((n.number()?, n.place(texts)?)))?;
    Ok(FactMap { name, bits, entries })
}

/// Members come before their structs: no field can contain itself.
fn fields(numbers: &mut Numbers<'_>, texts: usize, maps: usize) -> Result<Vec<FactField>> {
    let mut earlier = 0;
    numbers.list(|n| {
        let (name, in_type, out_type) = (n.place(texts)?, InType(n.small()?), OutType(n.small()?));
        let flags = n.byte()?;
        let len = size(n, flags & 3, texts)?;
        let count = size(n, flags >> 2 & 3, texts)?;
        let map = if flags & 0x10 == 0 { None } else { Some(n.place(maps)?) };
        let members = if flags & 0x20 == 0 { Vec::new() } else { n.list(|n| n.place(earlier))? };
        earlier += 1;
        Ok(FactField { name, in_type, out_type, len, count, map, members })
    })
}

fn size(numbers: &mut Numbers<'_>, form: u8, texts: usize) -> Result<Size> {
    Ok(match form {
        1 => Size::Fixed(numbers.small()?),
        2 => Size::Named(numbers.place(texts)?),
        3 => Size::Rest,
        _ => Size::Absent,
    })
}

/// Returns the events; the ends of their layouts are still the numbers of them.
fn events(numbers: &mut Numbers<'_>) -> Result<(Vec<u32>, Vec<Event>)> {
    let rows = numbers.count()?;
    let mut id = 0_u16;
    let mut ids = Vec::with_capacity(rows);
    for _ in 0..rows {
        let more = numbers.small::<u16>()?;
        id = id.checked_add(more).ok_or_else(|| Error::invalid("event in a pack", more.into()))?;
        ids.push(id);
    }
    let keys: Vec<u32> = ids.into_iter().zip(numbers.column(rows)?).map(|(id, version)| key(id, version)).collect();
    if !keys.is_sorted() {
        return Err(Error::invalid("order of events in a pack", rows as u64));
    }
    let tasks = numbers.column::<u16>(rows)?;
    let opcodes = numbers.column::<u8>(rows)?;
    let counts = numbers.column::<u32>(rows)?;
    let event = |((task, opcode), count)| Event { task, opcode, layouts: 0..count };
    Ok((keys, tasks.into_iter().zip(opcodes).zip(counts).map(event).collect()))
}

fn layouts(
    numbers: &mut Numbers<'_>,
    events: &mut [Event],
    templates: usize,
    builds: usize,
) -> Result<Vec<(u32, u32)>> {
    let mut layouts = Vec::new();
    for event in events {
        let start = layouts.len() as u32;
        for _ in 0..event.layouts.end {
            layouts.push((numbers.place(templates)?, numbers.place(builds)?));
        }
        event.layouts = start..layouts.len() as u32;
    }
    Ok(layouts)
}
