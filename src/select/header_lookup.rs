//! Which events have a header field, and its value: the one place that decides it.
//!
//! [`HeaderField::value`] is for a decoded event. Queries evaluate most of a condition before they decode an event, so
//! the same rules answer in two earlier stages: for all events of a type, and for a raw header. There, the answer is
//! [`Settled::Open`] where a later stage decides.

use std::borrow::Cow;

use crate::decode::{Attribution, Event, EventType};
use crate::event::{Kind, RawEvent};
use crate::schema::{Names, Schema};

use super::derived::is_never_derived;
use super::header_field::HeaderField;
use super::header_value::{HeaderValue, ProviderGuids};
use super::rare_field::rare_value;
use super::schema_paths::layouts;

/// The knowledge of a stage about a header field.
#[derive(Clone, Debug)]
pub(crate) enum Settled<'e> {
    /// A later stage decides.
    Open,
    /// The event does not have the field.
    Absent,
    /// Its value.
    Value(HeaderValue<'e>),
}

impl<'e> From<Option<HeaderValue<'e>>> for Settled<'e> {
    #[inline]
    fn from(value: Option<HeaderValue<'e>>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }
}

impl HeaderField {
    /// Returns the value of an event's header field; `None` if the event does not have it.
    #[inline]
    pub fn value<'e>(self, event: &Event<'e>) -> Option<HeaderValue<'e>> {
        match self {
            Self::Provider => {
                provider(event.event_type().and_then(EventType::provider_name), ProviderGuids::of_event(event))
            }
            Self::ProviderGuid => provider_guid(ProviderGuids::of_event(event)),
            Self::Time => {
                let is_local = event.is_local_time();
                event.time().map(|time| HeaderValue::Time { time, is_local })
            }
            Self::File => file(event),
            Self::Event => event_name(event.schema()),
            Self::Pid | Self::Tid | Self::Process => self.of_attribution(event.attribution(), event),
            Self::Schema => {
                event.layout_schema().map(|schema| HeaderValue::Text(Cow::Owned(schema.origin().to_string())))
            }
            Self::Message => event.schema().and_then(Schema::message).map(HeaderValue::Message),
            Self::Fields => event.layout_schema().map(HeaderValue::Fields),
            Self::Extra => Some(event.remainder()).filter(|rest| !rest.is_empty()).map(HeaderValue::Bytes),
            _ if self.is_rare() => rare_value(self, event),
            _ => self.in_header(event.raw(), event.schema()),
        }
    }

    /// Returns [`HeaderField::Pid`], [`HeaderField::Tid`] or [`HeaderField::Process`] of an event whose attribution was
    /// found before: to find it for each of them costs time.
    #[inline]
    pub(crate) fn of_attribution<'e>(self, found: Attribution, event: &Event<'e>) -> Option<HeaderValue<'e>> {
        match self {
            Self::Pid => number(found.pid?, None),
            Self::Tid => number(found.tid?, None),
            Self::Process => event.system().process_name_at(found.pid?, event.raw()).map(text),
            _ => None,
        }
    }

    /// Returns the value of a field that the raw header has; the event's schema has names for it. `None` for all other
    /// fields.
    #[inline]
    pub(crate) fn in_header<'e>(self, event: &RawEvent<'_>, schema: Option<&'e Schema>) -> Option<HeaderValue<'e>> {
        if !self.has_header(event) {
            return None;
        }
        let names = schema.map(Schema::names);
        match self {
            Self::RawTime => Some(HeaderValue::Ticks(event.time())),
            Self::Id => number(event.id(), None),
            Self::Version => number(event.version(), None),
            Self::Level => number(event.level(), None),
            Self::Opcode => number(event.opcode(), names.and_then(|names| names.opcode.as_deref())),
            Self::Task => number(event.task(), names.and_then(|names| names.task.as_deref())),
            Self::Keywords => Some(HeaderValue::Bits(event.keywords())),
            Self::Channel => number(event.channel(), names.and_then(|names| names.channel.as_deref())),
            Self::Cpu => number(event.processor(), None),
            Self::Activity => event.activity_id().map(HeaderValue::Guid),
            Self::RelatedActivity => event.related_activity_id().map(HeaderValue::Guid),
            Self::Kind => Some(text(event.kind_name())),
            _ => None,
        }
    }

    /// Returns whether the event's header is of a layout that has such a field.
    #[inline]
    fn has_header(self, event: &RawEvent<'_>) -> bool {
        match self {
            Self::Id => matches!(event.kind(), Kind::Manifest | Kind::TraceLogging | Kind::Wpp),
            Self::Version | Self::Opcode => !matches!(event.kind(), Kind::Wpp | Kind::Error),
            Self::Level => !matches!(event.kind(), Kind::Wpp | Kind::Error) && event.hook().is_none(),
            Self::Task | Self::Keywords | Self::Channel => event.described().is_some(),
            _ => true,
        }
    }

    /// Looks for a value that is the same for all events of a type.
    pub(crate) fn of_type(self, row: &EventType) -> Settled<'_> {
        let guids = || ProviderGuids { provider: row.provider_guid(), header: row.key().provider };
        match self {
            Self::Provider => provider(row.provider_name(), guids()).into(),
            Self::ProviderGuid => provider_guid(guids()).into(),
            Self::Event if layouts_agree(row.schema(), Schema::name) => event_name(row.schema()).into(),
            // Events of the kernel and of others can have the same class.
            Self::Kind if row.key().kind != Kind::Classic => Settled::Value(text(row.key().kind.name())),
            Self::Schema | Self::Fields if !row.has_layout() => Settled::Absent,
            Self::Message if !has_message(row.schema()) => Settled::Absent,
            _ if is_never_derived(self, row.schema()) => Settled::Absent,
            _ => Settled::Open,
        }
    }

    /// Looks for a value that is settled before the event is decoded; `schema` is the first of its type's layouts.
    pub(crate) fn before_decoding<'e>(self, event: &RawEvent<'_>, schema: Option<&'e Schema>) -> Settled<'e> {
        match self {
            Self::Opcode | Self::Task | Self::Channel if !layouts_agree(schema, number_names) => Settled::Open,
            // A field of the payload states whom the event is about.
            Self::Pid | Self::Tid if layouts(schema).any(|schema| schema.subject().process.is_some()) => Settled::Open,
            Self::Pid | Self::Tid => match Attribution::of_header(event) {
                Attribution { pid: Some(pid), tid: Some(tid) } => {
                    number(if self == Self::Pid { pid } else { tid }, None).into()
                }
                _ => Settled::Open,
            },
            Self::RawTime
            | Self::Id
            | Self::Version
            | Self::Level
            | Self::Opcode
            | Self::Task
            | Self::Keywords
            | Self::Channel
            | Self::Cpu
            | Self::Activity
            | Self::RelatedActivity
            | Self::Kind => self.in_header(event, schema).into(),
            _ => Settled::Open,
        }
    }
}

impl ProviderGuids {
    pub(super) fn of_event(event: &Event<'_>) -> Self {
        Self { provider: event.provider_guid(), header: event.raw().provider_guid() }
    }
}

/// Returns the file that an event is from.
fn file<'e>(event: &Event<'e>) -> Option<HeaderValue<'e>> {
    event.file().map(text)
}

/// Returns whether events of this schema may have a message.
pub(super) fn has_message(schema: Option<&Schema>) -> bool {
    layouts(schema).any(|schema| schema.message().is_some())
}

fn provider(name: Option<&str>, guids: ProviderGuids) -> Option<HeaderValue<'_>> {
    (name.is_some() || !guids.provider.is_null()).then_some(HeaderValue::Provider { name, guids })
}

fn provider_guid<'e>(guids: ProviderGuids) -> Option<HeaderValue<'e>> {
    (!guids.provider.is_null()).then_some(HeaderValue::ProviderGuid(guids))
}

fn event_name(schema: Option<&Schema>) -> Option<HeaderValue<'_>> {
    schema.and_then(Schema::name).map(text)
}

#[inline]
fn text(text: &str) -> HeaderValue<'_> {
    HeaderValue::Text(Cow::Borrowed(text))
}

/// Always a value; an option because its callers return one.
#[inline]
#[expect(clippy::unnecessary_wraps, reason = "its callers return options")]
fn number(value: impl Into<u64>, name: Option<&str>) -> Option<HeaderValue<'_>> {
    Some(HeaderValue::Number { value: value.into(), name })
}

/// Returns the names that belong to numbers of the header.
fn number_names(schema: &Schema) -> [Option<&str>; 3] {
    let Names { opcode, task, channel, .. } = schema.names();
    [opcode.as_deref(), task.as_deref(), channel.as_deref()]
}

/// Returns whether something is the same in all layouts of a schema, so that it does not matter which one fits.
fn layouts_agree<'s, T: PartialEq>(schema: Option<&'s Schema>, of: impl Fn(&'s Schema) -> T) -> bool {
    let mut all = layouts(schema).map(of);
    all.next().is_none_or(|first| all.all(|other| other == first))
}

#[cfg(test)]
mod tests {
    use etwkit_synth::event::record;
    use etwkit_synth::{
        ClassicEvent, ErrorEvent, ExtendedItem, Guid, HeaderKind, InstanceEvent, MessageEvent, ModernEvent,
        PointerSize, SystemEvent,
    };

    use super::*;
    use crate::decode::Scratch;
    use crate::event::BufferContext;
    use crate::format::Framing;

    const EIGHT: PointerSize = PointerSize::Eight;

    /// Fields that an event may have or not, and their texts.
    fn found(event: impl Into<etwkit_synth::Event>, framing: Framing) -> String {
        let event = event.into();
        let is_record = matches!(event.kind, HeaderKind::Record32 | HeaderKind::Record64);
        let framing = if is_record { Framing::Records } else { framing };
        let marker = framing.marker(&event.bytes);
        let context = BufferContext { framing, ..BufferContext::default() };
        let raw = RawEvent::new(&event.bytes, marker.unwrap(), context).unwrap();
        let mut scratch = Scratch::default();
        let event = Event::locate(raw, None, None, &mut scratch);
        let constant = [HeaderField::RawTime, HeaderField::Cpu, HeaderField::Extra];
        let mut out = Vec::new();
        for field in HeaderField::columns().filter(|field| !constant.contains(field)) {
            let settled = field.before_decoding(&raw, None);
            let Some(value) = field.value(&event) else {
                assert!(!matches!(settled, Settled::Value(_)), "{field:?}");
                continue;
            };
            assert!(!matches!(settled, Settled::Absent), "{field:?}");
            out.push(format!("{}={}", field.name(), value.text(&event)));
        }
        out.join(" ")
    }

    fn check(event: impl Into<etwkit_synth::Event>, expected: &str) {
        assert_eq!(found(event, Framing::default()), expected);
    }

    /// Returns all but the provider, whose GUID is 1.
    fn modern(event: ModernEvent) -> ModernEvent {
        event.id(7).version(2).level(4).opcode(1).task(3).keyword(0x10).channel(9).by(4, 8)
    }

    const ONE: &str =
        "provider=00000000-0000-0000-0000-000000000001 provider_guid=00000000-0000-0000-0000-000000000001";
    const DESCRIPTOR: &str = "version=2 level=4 opcode=1 task=3 keywords=0x10 channel=9";

    #[test]
    fn described_events_have_all_but_a_lone_text_its_id() {
        let activity = ModernEvent::new(Guid::new(1)).activity(Guid::new(2));
        let activity = modern(activity).item(ExtendedItem::related_activity(Guid::new(3)));
        let activities = "activity=00000000-0000-0000-0000-000000000002 \
                          related_activity=00000000-0000-0000-0000-000000000003";
        let manifest = format!("{ONE} id=7 {DESCRIPTOR} pid=4 tid=8");
        check(activity.clone(), &format!("{manifest} {activities} kind=manifest"));
        check(record(activity, 0), &format!("{manifest} {activities} kind=manifest"));
        let lone_text = modern(ModernEvent::string_only(Guid::new(1), "text"));
        check(lone_text.clone(), &format!("{ONE} {DESCRIPTOR} pid=4 tid=8 kind=string"));
        check(record(lone_text, 0), &format!("{ONE} {DESCRIPTOR} pid=4 tid=8 kind=string"));
        let trace_logging = modern(ModernEvent::new(Guid::new(1))).item(ExtendedItem::schema_tl([0; 8]));
        check(trace_logging.clone(), &format!("{manifest} kind=tracelogging"));
        check(record(trace_logging, 0), &format!("{manifest} kind=tracelogging"));
    }

    /// What kernel events and instance events have in their headers, others have in extended items.
    #[test]
    fn counters_and_instances_are_items_of_described_events() {
        let items = [
            ExtendedItem::pmc_counters(&[5, 6]),
            ExtendedItem::pebs_index(9),
            ExtendedItem::instance_info(3, 4, Guid::new(7)),
        ];
        let event = items.into_iter().fold(modern(ModernEvent::new(Guid::new(1))), ModernEvent::item);
        let fields = ["counters", "pebs_index", "instance", "parent_instance", "parent_class", "extended"];
        for (event, framing) in [(event.clone().into(), Framing::Markers), (record(event, 0), Framing::Records)] {
            let event: etwkit_synth::Event = event;
            let context = BufferContext { framing, ..BufferContext::default() };
            let raw = RawEvent::new(&event.bytes, framing.marker(&event.bytes).unwrap(), context).unwrap();
            let mut scratch = Scratch::default();
            let event = Event::locate(raw, None, None, &mut scratch);
            let text = |name: &str| {
                let value = HeaderField::rare().find(|field| field.name() == name)?.value(&event)?;
                Some(value.text(&event))
            };
            let found: Vec<_> = fields.iter().map(|name| text(name).unwrap_or_default()).collect();
            assert_eq!(found, ["[5,6]", "9", "3", "4", "00000000-0000-0000-0000-000000000007", ""]);
        }
    }

    #[test]
    fn classic_events_have_version_level_and_opcode() {
        let classic = ClassicEvent::new(EIGHT, Guid::new(1), 5).version(2).level(4).by(4, 8);
        let expected = format!("{ONE} version=2 level=4 opcode=5 pid=4 tid=8 kind=classic");
        check(classic.clone(), &expected);
        check(record(classic, 0), &expected);
        let instance = InstanceEvent::new(EIGHT, Guid::new(1), 5, 1).by(4, 8);
        check(instance.clone(), &format!("{ONE} version=0 level=0 opcode=5 pid=4 tid=8 kind=classic"));
        let old = found(instance.old_layout(1, 2), Framing::ShortInstanceMarkers);
        assert_eq!(old, "version=0 level=0 opcode=5 pid=4 tid=8 kind=classic");
    }

    #[test]
    fn events_of_the_kernel_have_no_level() {
        let process = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c";
        let provider = format!("provider={process} provider_guid={process}");
        let system = SystemEvent::system(EIGHT, 0x0301).version(3).by(4, 8);
        check(system, &format!("{provider} version=3 opcode=1 pid=4 tid=8 kind=kernel"));
        let compact = SystemEvent::compact(EIGHT, 0x0301).version(3).by(4, 8);
        check(compact, &format!("{provider} version=3 opcode=1 pid=4 tid=8 kind=kernel"));
        let perfinfo = SystemEvent::perfinfo(EIGHT, 0x0301).version(3);
        check(perfinfo, &format!("{provider} version=3 opcode=1 kind=kernel"));
    }

    #[test]
    fn messages_have_a_number_and_errors_have_nothing() {
        let message = MessageEvent::new(Guid::new(1), 7).by(4, 8);
        check(message.clone(), &format!("{ONE} id=7 pid=4 tid=8 kind=wpp"));
        check(record(message, 0), &format!("{ONE} id=7 pid=4 tid=8 kind=wpp"));
        check(ErrorEvent::new(), "kind=error");
    }
}
