//! The names that Windows' own classes give to classic events and their fields.

use std::collections::BTreeMap;
use std::sync::Arc;

use etwkit::bytes::Guid;
use etwkit::event::RawEvent;

/// How a report prints a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum FieldAppearance {
    /// As its schema states.
    #[default]
    Schema,
    /// An integer in decimal.
    Decimal,
    /// An integer in hexadecimal.
    Hex,
    /// Not at all.
    Hidden,
    /// An integer in decimal that is this many fields of the schema, the first one lowest.
    Whole(u8),
}

/// The names of a classic event in reports.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Alias {
    /// Event name: the display name of the MOF class.
    pub event: Box<str>,
    /// Name of the event type; `None` if it is that of the schema, which depends on the build.
    pub opcode: Option<Box<str>>,
    /// Name and appearance of each field that a report has, in order.
    pub fields: Box<[(Box<str>, FieldAppearance)]>,
}

/// Aliases of the events of some classes, by class GUID and opcode. A clone shares them.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    all: Arc<BTreeMap<(Guid, u8), Vec<Versioned>>>,
}

/// An alias and the version that it is for; `None` for any.
type Versioned = (Option<u8>, Alias);

impl Aliases {
    /// Adds an alias for the events of a class with this opcode and version, or with any version.
    pub fn add(&mut self, class: Guid, opcode: u8, version: Option<u8>, alias: Alias) {
        let list = Arc::make_mut(&mut self.all).entry((class, opcode)).or_default();
        list.push((version, alias));
        list.sort_by_key(|(version, _)| *version);
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the name of an event's class, where any event of the class has an alias.
    pub fn class_name(&self, event: &RawEvent<'_>) -> Option<&str> {
        let class = event.provider_guid();
        let (_, list) = self.all.range((class, 0)..=(class, u8::MAX)).next()?;
        list.first().map(|(_, alias)| &*alias.event)
    }

    /// Returns the alias for an event's version or the nearest lower one, and whether its fields are those of that very
    /// version.
    pub fn of(&self, event: &RawEvent<'_>) -> Option<(&Alias, bool)> {
        let version = event.version();
        let list = self.all.get(&(event.provider_guid(), event.opcode()))?;
        let (found, alias) = list.iter().rev().find(|(of, _)| of.is_none_or(|of| of <= version))?;
        Some((alias, found.is_none_or(|of| of == version)))
    }
}
