//! A provider as described by a manifest, independent of the form of the manifest.

use std::collections::HashMap;
use std::sync::Arc;

use etwkit::bytes::Guid;
use etwkit::error::{Error, Result};
use etwkit::limits;
use etwkit::schema::tdh::{self, Property};
use etwkit::schema::{
    Map, MapKind, Message, MessagePart, Names, Origin, Schema, SchemaEntry, SchemaSelector, SchemaSource, UserData,
    standard_opcode,
};

/// A text that many parts of a manifest may share.
pub(crate) type Text = Arc<str>;

/// A provider and its events. Schemas are made of it one by one, when an event asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provider {
    pub(crate) guid: Guid,
    pub(crate) name: Option<Text>,
    pub(crate) message: Option<Text>,
    /// Sorted by id and version; of several for one pair the last counts.
    pub(crate) events: Vec<Event>,
    /// Class, opcode and version of those whose task has a class, with their places; sorted.
    pub(crate) classic: Vec<((Guid, u8, u8), usize)>,
    pub(crate) templates: Vec<Template>,
    pub(crate) maps: Vec<ValueMap>,
}

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) id: u16,
    pub(crate) version: u8,
    pub(crate) opcode: u8,
    /// The class of the task (`eventGUID`), under which classic events of the provider go.
    pub(crate) class: Option<Guid>,
    pub(crate) task: Option<Text>,
    pub(crate) opcode_name: Option<Text>,
    pub(crate) level: Option<Text>,
    pub(crate) channel: Option<Text>,
    pub(crate) channel_message: Option<Text>,
    pub(crate) task_message: Option<Text>,
    pub(crate) opcode_message: Option<Text>,
    pub(crate) keywords: Vec<(u64, Text)>,
    /// Mask of the keywords whose text is their message.
    pub(crate) keyword_messages: u64,
    pub(crate) symbol: Option<Text>,
    pub(crate) message: Option<Text>,
    /// Index of its template; without one it has no payload.
    pub(crate) template: Option<usize>,
    /// What is wrong with it, if something is.
    pub(crate) defect: Option<Text>,
}

/// The properties of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Template {
    /// As `tdh` wants them, but for the maps.
    pub(crate) properties: Vec<Property>,
    /// Index of each property's map.
    pub(crate) maps: Vec<Option<usize>>,
    /// How many of them are not members of structs.
    pub(crate) top_level: usize,
    /// The elements that show them, if they are in `UserData`.
    pub(crate) user_data: Option<Arc<UserData>>,
}

/// Names of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValueMap {
    pub(crate) name: Box<str>,
    pub(crate) is_bits: bool,
    pub(crate) entries: Vec<(u64, Text)>,
}

/// All texts of a map together: a manifest may name one long text many times.
const MAX_MAP_TEXT: usize = 4 << 20;

impl Provider {
    /// Returns its GUID.
    pub const fn guid(&self) -> Guid {
        self.guid
    }

    /// Returns its name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Id and version of its events, sorted.
    pub fn events(&self) -> impl Iterator<Item = (u16, u8)> {
        self.events.iter().map(|event| (event.id, event.version))
    }

    /// Returns the schema of an event; `None` if the manifest has no such event.
    pub fn schema(&self, id: u16, version: u8, origin: impl Into<Origin>) -> Result<Option<Schema>> {
        self.event(id, version).map(|event| self.compile(event, origin.into())).transpose()
    }

    /// Returns the schemas of all events, as [`crate::Manifests::entries`].
    pub(crate) fn entries(&self) -> impl Iterator<Item = Result<SchemaEntry>> + '_ {
        let entry =
            |select, version, schema: Result<Schema>| Ok(SchemaEntry::new(select, schema?).versions(version..=version));
        self.events.iter().flat_map(move |event| {
            let origin = || Origin::from(SchemaSource::USER);
            let select = SchemaSelector::Manifest { provider: self.guid, id: event.id };
            let own = entry(select, event.version, self.compile(event, origin()));
            let classic = event.class.map(|class| {
                let select = SchemaSelector::Classic { class, opcode: event.opcode };
                entry(select, event.version, self.compile_class(event, origin()))
            });
            std::iter::once(own).chain(classic)
        })
    }

    pub(crate) fn event(&self, id: u16, version: u8) -> Option<&Event> {
        let at = self.events.binary_search_by_key(&(id, version), |event| (event.id, event.version)).ok()?;
        self.events.get(at)
    }

    /// Returns the highest version of an event that is lower than `version`.
    pub(crate) fn lower_version(&self, id: u16, version: u8) -> Option<u8> {
        let before = self.events.partition_point(|event| (event.id, event.version) < (id, version));
        let event = self.events.get(before.checked_sub(1)?)?;
        (event.id == id).then_some(event.version)
    }

    /// Returns the events that a classic event with this class, opcode and version may be, in their order.
    pub(crate) fn classic_events(&self, class: Guid, opcode: u8, version: u8) -> impl Iterator<Item = &Event> {
        let key = (class, opcode, version);
        let from = self.classic.partition_point(|(other, _)| *other < key);
        let same = self.classic.iter().skip(from).take_while(move |(other, _)| *other == key);
        same.filter_map(|(_, at)| self.events.get(*at))
    }

    /// Sorts the events, so that they can be looked up; of several with one id and version the last is kept.
    pub(crate) fn sort(&mut self) {
        self.events.reverse();
        self.events.sort_by_key(|event| (event.id, event.version));
        self.events.dedup_by_key(|event| (event.id, event.version));
        let classic = |(at, event): (usize, &Event)| Some(((event.class?, event.opcode, event.version), at));
        self.classic = self.events.iter().enumerate().filter_map(classic).collect();
        self.classic.sort_unstable();
    }

    /// Takes the classes off its events: none of them is written as a classic event.
    pub(crate) fn forget_classes(&mut self) {
        self.classic = Vec::new();
        self.events.iter_mut().for_each(|event| event.class = None);
    }

    /// Returns the schema of a classic event, which has the class of its task where the provider's GUID would be.
    pub(crate) fn compile_class(&self, event: &Event, origin: Origin) -> Result<Schema> {
        let mut names = self.names(event);
        names.provider_guid = Some(self.guid);
        self.compile_named(event, names, origin)
    }

    pub(crate) fn compile(&self, event: &Event, origin: Origin) -> Result<Schema> {
        self.compile_named(event, self.names(event), origin)
    }

    fn compile_named(&self, event: &Event, names: Names, origin: Origin) -> Result<Schema> {
        if let Some(defect) = &event.defect {
            return Err(Error::schema(&**defect));
        }
        let message = event.message.as_deref().map(Message::parse);
        let mut builder = Schema::builder(origin).names(names).message(message);
        if let Some(template) = event.template.and_then(|at| self.templates.get(at)) {
            let properties = template.properties(&self.maps)?;
            builder = builder.user_data(template.user_data.clone());
            tdh::compile(&properties, template.top_level, &mut builder)?;
        }
        builder.build()
    }

    fn names(&self, event: &Event) -> Names {
        let text = |text: &Option<Text>| text.as_deref().map(Box::from);
        let mut names = Names::default();
        names.provider = text(&self.name);
        names.task = text(&event.task);
        names.opcode = text(&event.opcode_name).filter(|_| event.opcode != 0);
        names.level = text(&event.level);
        names.channel = text(&event.channel);
        names.keywords = event.keywords.iter().map(|(mask, name)| (*mask, (**name).into())).collect();
        // The symbol is for C headers; it names the event where nothing else does.
        names.event = text(&event.symbol).filter(|_| event.task.is_none());
        names.provider_message = text(&self.message);
        names.details = event.messages().collect();
        names
    }
}

impl Event {
    /// Returns the messages of its parts as details of its names.
    fn messages(&self) -> impl Iterator<Item = (Box<str>, Box<str>)> {
        let keywords = (self.keyword_messages != 0).then(|| format!("{:#x}", self.keyword_messages).into());
        [
            (Names::TASK_MESSAGE, self.task_message.clone()),
            (Names::OPCODE_MESSAGE, self.opcode_message.clone()),
            (Names::CHANNEL_MESSAGE, self.channel_message.clone()),
            (Names::KEYWORD_MESSAGES, keywords),
        ]
        .into_iter()
        .filter_map(|(key, message)| Some((key.into(), (*message?).into())))
    }
}

impl Template {
    fn properties(&self, maps: &[ValueMap]) -> Result<Vec<Property>> {
        let mut compiled = Compiled { maps, done: HashMap::new(), weight: 0 };
        let with_map = |(property, map): (&Property, &Option<usize>)| {
            let mut property = property.clone();
            property.map = map.map(|at| compiled.map(at)).transpose()?.flatten();
            Ok(property)
        };
        self.properties.iter().zip(&self.maps).map(with_map).collect()
    }
}

/// Maps of a template, each compiled once: all of its properties may have the same.
struct Compiled<'m> {
    maps: &'m [ValueMap],
    done: HashMap<usize, Arc<Map>>,
    weight: usize,
}

impl Compiled<'_> {
    fn map(&mut self, at: usize) -> Result<Option<Arc<Map>>> {
        if let Some(done) = self.done.get(&at) {
            return Ok(Some(Arc::clone(done)));
        }
        let Some(map) = self.maps.get(at) else { return Ok(None) };
        let map = Arc::new(map.compile()?);
        self.weight += map.weight();
        if self.weight > limits::MAX_SCHEMA {
            return Err(Error::limit("bytes of a schema", limits::MAX_SCHEMA));
        }
        self.done.insert(at, Arc::clone(&map));
        Ok(Some(map))
    }
}

impl ValueMap {
    fn compile(&self) -> Result<Map> {
        let texts: usize = self.entries.iter().map(|(_, text)| text.len()).sum();
        if texts > MAX_MAP_TEXT {
            return Err(Error::limit("texts of a map", MAX_MAP_TEXT));
        }
        let kind = if self.is_bits { MapKind::Bits } else { MapKind::Values };
        // Texts of maps are messages: TDH makes a blank of the line break at their ends, which events' messages show.
        Map::new(&*self.name, kind, self.entries.iter().map(|(value, text)| (*value, format!("{text} "))))
    }
}

/// Returns the name of a built-in of `winmeta.xml`, without its prefix; other names as they are. A standard opcode has
/// the name that goes with its number: `win:DC_Start` is `DCStart`.
pub(crate) fn opcode_name(name: &str, value: u8) -> Text {
    name.strip_prefix("win:").map_or(name, |bare| standard_opcode(value).unwrap_or(bare)).into()
}

/// Returns a task, opcode, keyword or channel by its name, or by its message where the name is one that a tool made up
/// because it had none: `task0`, `opcode12`. Else TDH shows names, too (seen in blobs of merged traces).
pub(crate) fn display(name: Option<&Text>, message: Option<&Text>) -> Option<Text> {
    let name = name.filter(|name| !name.is_empty());
    match (name, message) {
        (Some(name), Some(message)) if is_made_up(name) => Some(Arc::clone(message)),
        (Some(name), _) => Some(Arc::clone(name)),
        (None, message) => message.map(Arc::clone),
    }
}

fn is_made_up(name: &str) -> bool {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() < name.len() && ["task", "opcode", "keyword", "channel", "level"].contains(&word)
}

/// Returns a text without the line break that message tables have at its end, and with plain ones within.
pub(crate) fn message_text(text: &str) -> Option<Text> {
    let text = text.trim_end();
    (!text.is_empty()).then(|| if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() })
}

/// Characters that are kept of a text, and bytes that its parameters may add: `FormatMessage` makes no texts of more than
/// 64 Ki characters.
pub(crate) const MAX_TEXT: usize = 1 << 16;

/// Replaces each `%%n` by its text, where `lookup` has them, as long as the whole is not too long: a text may
/// name another many times.
pub(crate) fn with_parameters(text: &Text, lookup: impl Fn(u32) -> Option<Text>) -> Text {
    if !text.contains("%%") {
        return Arc::clone(text);
    }
    let message = Message::parse(text);
    let mut left = MAX_TEXT;
    let mut found = |number| {
        let text = lookup(number).filter(|text| text.len() <= left)?;
        left -= text.len();
        Some(MessagePart::Text((*text).into()))
    };
    let replaced = message.parts().iter().map(|part| match part {
        MessagePart::Parameter(number) => found(*number).unwrap_or_else(|| part.clone()),
        part => part.clone(),
    });
    Message::new(replaced.collect()).to_string().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_tool_made_up_give_way_to_messages() {
        let text = |text: &str| Some(Text::from(text));
        let shown = |name: &str, message: &str| display(text(name).as_ref(), text(message).as_ref());
        assert_eq!(shown("task0", "HTTP Thread Pool"), text("HTTP Thread Pool"));
        assert_eq!(shown("GCStart", "Start"), text("GCStart"));
        assert_eq!(shown("", "Start"), text("Start"));
        assert_eq!(display(text("opcode7").as_ref(), None), text("opcode7"));
        assert_eq!(&*opcode_name("win:DC_Stop", 4), "DCStop");
        assert_eq!(&*opcode_name("win:Odd", 77), "Odd");
    }

    #[test]
    fn classic_events_are_found_by_class_opcode_and_version() {
        let class = |number: u16| Some(Guid::from_u128(number.into())).filter(|_| number != 9);
        let event = |id, opcode, version| Event { id, opcode, version, class: class(id % 10), ..Event::default() };
        // Several have one class, opcode and version; the last two have no class.
        let events = [(22, 1, 0), (12, 1, 0), (2, 1, 1), (2, 2, 0), (5, 1, 0), (32, 1, 0), (9, 1, 0), (19, 2, 0)];
        let mut provider = Provider::default();
        provider.events.extend(events.map(|(id, opcode, version)| event(id, opcode, version)));
        provider.sort();
        let found = |number, opcode, version| -> Vec<u16> {
            provider.classic_events(Guid::from_u128(number), opcode, version).map(|event| event.id).collect()
        };
        assert_eq!((found(2, 1, 0), found(2, 1, 1), found(2, 2, 0)), (vec![12, 22, 32], vec![2], vec![2]));
        assert_eq!((found(5, 1, 0), found(5, 1, 1), found(9, 1, 0), found(0, 0, 0)), (vec![5], vec![], vec![], vec![]));
    }

    #[test]
    fn parameter_strings_are_put_in() {
        let lookup = |number| (number == 5).then(|| Text::from("five"));
        assert_eq!(&*with_parameters(&"%1 %%5 %%6".into(), lookup), "%1 five %%6");
        let long = |_| Some(Text::from("x".repeat(MAX_TEXT / 2)));
        let text = with_parameters(&"%%5 ".repeat(1000).into(), long);
        assert!((MAX_TEXT..MAX_TEXT + 4000).contains(&text.len()) && text.ends_with("%%5 "));
    }
}
