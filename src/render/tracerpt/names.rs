//! What the report calls classic events and their fields, where schemas use other names.

use std::collections::BTreeMap;

use crate::bytes::Guid;
use crate::event::RawEvent;
use crate::format::hook_guid;
use crate::schema::{Schema, Show};

/// How the report prints a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Look {
    /// As its schema says.
    #[default]
    Schema,
    /// An integer in decimal.
    Decimal,
    /// An integer in hexadecimal.
    Hex,
    /// Not at all.
    Hidden,
}

/// What the report calls an event.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Alias {
    /// Event name: the display name of the MOF class.
    pub event: Box<str>,
    /// Name of the event type.
    pub opcode: Box<str>,
    /// Name and look of each field that the report has, in order; those of the schema if their number is another.
    pub fields: Box<[(Box<str>, Look)]>,
}

/// Aliases of the events of some classes: class GUID, opcode, version.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    all: BTreeMap<(Guid, u8, u8), Alias>,
}

impl Aliases {
    /// Adds an alias for an event of this class, opcode and version.
    pub fn add(&mut self, class: Guid, opcode: u8, version: u8, alias: Alias) {
        self.all.insert((class, opcode, version), alias);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The alias of an event, of its version only.
    pub(super) fn of(&self, event: &RawEvent<'_>) -> Option<&Alias> {
        self.all.get(&(event.provider(), event.opcode(), event.version()))
    }
}

/// Name and look of each top-level field of a schema, by place; members of structs are as they are.
pub(super) fn fields<'a>(event: &RawEvent<'_>, schema: &'a Schema, alias: Option<&'a Alias>) -> Vec<(&'a str, Look)> {
    let own = |show: Show| if show == Show::Hidden { Look::Hidden } else { Look::Schema };
    let mut all: Vec<(&str, Look)> = schema.fields().iter().map(|field| (&*field.name, own(field.show))).collect();
    if is_file_header(event) {
        all.iter_mut().for_each(|field| *field = header_field(field));
        return all;
    }
    let visible: Vec<usize> =
        schema.top_level().filter(|(_, field)| field.show != Show::Hidden).map(|(at, _)| at).collect();
    let renamed =
        alias.filter(|alias| alias.fields.iter().filter(|(_, look)| *look != Look::Hidden).count() == visible.len());
    let names = renamed.into_iter().flat_map(|alias| alias.fields.iter().filter(|(_, look)| *look != Look::Hidden));
    for (at, (name, look)) in visible.into_iter().zip(names) {
        if let Some(slot) = all.get_mut(at) {
            *slot = (name, *look);
        }
    }
    all
}

/// Whether it is the event with a file's header.
pub(super) fn is_file_header(event: &RawEvent<'_>) -> bool {
    event.hook() == Some(0) || event.provider() == hook_guid(0) && event.opcode() == 0 && event.level() == 0
}

/// The file header's fields: the two addresses are there, the time zone is not.
fn header_field<'a>(field: &(&'a str, Look)) -> (&'a str, Look) {
    match field.0 {
        "LoggerNamePointer" => ("LoggerName", Look::Hex),
        "LogFileNamePointer" => ("LogFileName", Look::Hex),
        "SessionName" => ("SessionNameString", Look::Schema),
        "LogFileName" => ("LogFileNameString", Look::Schema),
        "LogFileMode" | "ReservedFlags" => (field.0, Look::Hex),
        "UtcOffsetMinutes" | "StandardName" | "StandardDate" | "StandardBias" | "DaylightName" | "DaylightDate"
        | "DaylightBias" => (field.0, Look::Hidden),
        "Version" => (field.0, Look::Decimal),
        _ => *field,
    }
}
