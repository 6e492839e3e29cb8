//! What all events of one key have in common.

use crate::bytes::Guid;
use crate::event::{EventKey, EventTypeId, Kind, Place};
use crate::format::SYSTEM_PROVIDER;
use crate::schema::Schema;

use super::LayoutId;
use super::recent_types::Seen;

/// An event type of a trace: a distinct [`EventKey`] with its names, its schema and its counts. Frozen after the first
/// pass; every event refers to its row.
#[derive(Debug)]
pub struct EventType {
    pub(crate) id: EventTypeId,
    pub(crate) key: EventKey,
    pub(crate) metadata: Box<[u8]>,
    pub(crate) traits_name: Box<[u8]>,
    /// The GUID under which its events are decoded, if that is not the provider's.
    pub(crate) decode_guid: Option<Guid>,
    pub(crate) events: u64,
    pub(crate) kernel_events: u64,
    pub(crate) first: Place,
    /// The parts of the first pass that want its events, one bit each.
    pub(crate) observed: u64,
    /// One bit, which it shares with few other types: the segments that have its events are marked with it.
    pub(crate) mark: u64,
    pub(crate) schema: Option<Schema>,
    pub(crate) undecoded: Option<UndecodedReason>,
    /// The provider's name, or its GUID as text.
    pub(crate) provider: Box<str>,
    pub(crate) is_provider_named: bool,
    pub(crate) naming_event: Option<Place>,
    pub(crate) provider_guid: Guid,
    /// Whether no stack that came in an event of its own belongs to its events.
    pub(crate) is_stackless: bool,
}

/// The provider of events with a kernel header, where no schema names it.
const KERNEL: &str = "Windows Kernel";

/// Why events of a type are not decoded, or only named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UndecodedReason {
    /// No parser knows the provider, class or message GUID.
    Provider,
    /// A parser knows the provider or class, but not this id or opcode in this version or a lower one.
    Event,
    /// A parser knows the event's name, but not what its payload holds.
    Fields,
    /// A parser found a schema that cannot be used; a problem of kind `bad-schema` has the details.
    Broken,
    /// The trace has more types or schemas than the limits allow.
    Limit,
}

impl UndecodedReason {
    /// Returns its name in outputs, such as `fields`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Event => "event",
            Self::Fields => "fields",
            Self::Broken => "broken",
            Self::Limit => "limit",
        }
    }
}

impl EventType {
    /// A type whose first event has this key, without names and schema.
    pub(super) fn new(id: EventTypeId, key: EventKey, first: Place) -> Self {
        let (metadata, traits_name, events, kernel_events, observed, provider, is_provider_named) = <_>::default();
        let (schema, undecoded, naming_event, provider_guid) = (None, None, None, key.provider);
        let mark = mark(&key);
        Self {
            id,
            key,
            metadata,
            traits_name,
            decode_guid: None,
            events,
            kernel_events,
            first,
            observed,
            mark,
            schema,
            undecoded,
            provider,
            is_provider_named,
            naming_event,
            provider_guid,
            is_stackless: false,
        }
    }

    /// Returns what the first pass notes of a segment with one of its events.
    pub(super) const fn seen(&self) -> Seen {
        Seen::new(self.mark, self.observed != 0)
    }

    /// Takes what the parsers stated about its first event, and its names with it; `in_traits` is the provider's name
    /// in the traits of an event of any of its types.
    pub(crate) fn settle(
        &mut self,
        schema: Option<Schema>,
        undecoded: Option<UndecodedReason>,
        in_traits: Option<(&str, Place)>,
    ) {
        let is_kernel = self.kernel_events > 0;
        let names = schema.as_ref().map(Schema::names);
        let guid = names.and_then(|names| names.provider_guid);
        self.provider_guid =
            guid.unwrap_or(if is_kernel && self.events == 0 { SYSTEM_PROVIDER } else { self.key.provider });
        let name = match names.and_then(|names| names.provider.as_deref()) {
            Some(name) => Some(name.to_owned()),
            None if !self.traits_name.is_empty() => Some(String::from_utf8_lossy(&self.traits_name).into_owned()),
            None => {
                self.naming_event = in_traits.map(|(_, place)| place);
                in_traits.map(|(name, _)| name).or(is_kernel.then_some(KERNEL)).map(str::to_owned)
            }
        };
        self.is_provider_named = name.is_some();
        self.provider = name.unwrap_or_else(|| self.key.provider.to_string()).into();
        (self.schema, self.undecoded) = (schema, undecoded);
    }

    /// Returns whether the parsers of the trace learn something from its events that others need: schemas, or facts
    /// about processes, images and other things that events name.
    pub const fn is_learned_from(&self) -> bool {
        self.observed != 0
    }

    /// Returns its place in the table of the trace's types.
    pub const fn id(&self) -> EventTypeId {
        self.id
    }

    /// Returns the header fields that make the type.
    pub const fn key(&self) -> &EventKey {
        &self.key
    }

    /// Returns the `TraceLogging` metadata that is part of the key; empty for other kinds.
    pub const fn metadata(&self) -> &[u8] {
        &self.metadata
    }

    /// Returns the provider's name; `None` if neither a schema nor the events' provider traits contain it.
    pub fn provider_name(&self) -> Option<&str> {
        self.is_provider_named.then_some(&*self.provider)
    }

    /// Returns where the event is whose provider traits have the provider's name, if neither a schema nor the traits of
    /// this type do: a copy without it does not have the name.
    pub const fn naming_event(&self) -> Option<Place> {
        self.naming_event
    }

    /// Returns the provider's name, or its GUID as text where no name is known.
    pub const fn provider(&self) -> &str {
        &self.provider
    }

    /// Returns the provider's GUID; for classes of the kernel, the kernel's.
    pub const fn provider_guid(&self) -> Guid {
        self.provider_guid
    }

    /// Returns the event's name, `Task/Opcode`; `None` if no schema names it.
    pub fn name(&self) -> Option<&str> {
        self.schema.as_ref()?.name()
    }

    /// Returns the GUID under which its events are decoded, if the provider's traits state another one than its own
    /// (section 7.3).
    pub const fn decode_guid(&self) -> Option<Guid> {
        self.decode_guid
    }

    /// Returns the schema; `None` if no parser has one.
    pub const fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }

    /// Returns the schema if it states what payloads hold.
    pub fn layout_schema(&self) -> Option<&Schema> {
        self.schema().filter(|schema| schema.has_layout())
    }

    /// Returns whether there is an [`EventType::layout_schema`].
    pub fn has_layout(&self) -> bool {
        self.layout_schema().is_some()
    }

    /// Returns whether its events count as undecoded: nothing states what payloads hold. Of events that the kernel could not
    /// write, no schema would help.
    pub fn is_undecoded(&self) -> bool {
        !self.has_layout() && self.key.kind != Kind::Error
    }

    /// Returns all layouts that its events may have: the schema and its alternatives, each with the id that
    /// [`Event::layout`](super::Event::layout) returns for it.
    pub fn layouts(&self) -> impl Iterator<Item = (LayoutId, &Schema)> {
        let schemas = self.schema().into_iter().flat_map(Schema::with_alternatives);
        (0..).zip(schemas).map(|(alternative, schema)| (LayoutId { key: Some(self.id), alternative }, schema))
    }

    /// Returns why its events are not decoded, judged by the first one; `None` if nothing is missing.
    pub const fn undecoded(&self) -> Option<UndecodedReason> {
        self.undecoded
    }

    /// Returns the number of its events, whatever their header.
    pub const fn events(&self) -> u64 {
        self.events + self.kernel_events
    }

    /// Returns the number of its events with a kernel header, which names a hook rather than a provider.
    pub const fn kernel_events(&self) -> u64 {
        self.kernel_events
    }

    /// Returns where its first event is, in file order.
    pub const fn first(&self) -> Place {
        self.first
    }
}

/// Returns the bit of a key, the same one in all parts of a trace.
fn mark(key: &EventKey) -> u64 {
    let EventKey { kind, provider, id, version, opcode, task } = *key;
    let guid = provider.to_u128();
    let numbers = u64::from(id) | u64::from(version) << 16 | u64::from(opcode) << 24 | u64::from(task) << 32;
    let words = [guid as u64, (guid >> 64) as u64, numbers | (kind as u64) << 48];
    let mixed = words.into_iter().fold(0_u64, |mixed, word| (mixed ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    1 << (((mixed >> 32) * u64::from(Seen::MARKS)) >> 32)
}
