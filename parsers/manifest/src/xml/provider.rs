//! A provider element.

use std::collections::HashMap;
use std::sync::Arc;

use etwkit::bytes::Guid;
use etwkit::error::Result;

use super::lexical::{number, syntax};
use super::strings::Strings;
use super::template;
use super::tree::Element;
use crate::model::{Event, Provider, Text, ValueMap, display, opcode_name};

/// Compiles a provider. Its GUID must be right; an event that is not gets a defect and the others are read.
pub(super) fn compile(element: &Element, strings: &Strings) -> Result<Provider> {
    let guid = element.get("guid").and_then(|guid| guid.trim().parse::<Guid>().ok());
    let Some(guid) = guid else { return Err(syntax(element.line, "a provider needs a guid")) };
    let maps: Vec<ValueMap> = maps(element, strings);
    let map_places = maps.iter().enumerate().map(|(at, map)| (&*map.name, at)).collect();
    let mut templates = Templates::default();
    for element in element.grouped("templates", "template") {
        templates.add(element, &map_places);
    }
    let definitions = Definitions::new(element, strings);
    let events = element.grouped("events", "event");
    let events: Result<Vec<Event>> = events.map(|event| definitions.event(event, strings, &templates)).collect();
    let mut provider = Provider {
        guid,
        name: element.get("name").cloned(),
        message: strings.resolve(element.get("message")),
        events: events?,
        classic: Vec::new(),
        templates: templates.list,
        maps,
    };
    provider.sort();
    Ok(provider)
}

/// Templates by their `tid`; one that cannot be compiled is known with what is wrong.
#[derive(Default)]
struct Templates {
    list: Vec<crate::model::Template>,
    by_id: HashMap<Text, Result<usize, Text>>,
}

impl Templates {
    fn add(&mut self, element: &Element, maps: &HashMap<&str, usize>) {
        let Some(id) = element.get("tid") else { return };
        let compiled = template::compile(element, maps).map_err(|error| Text::from(error.to_string()));
        let place = compiled.map(|template| {
            self.list.push(template);
            self.list.len() - 1
        });
        self.by_id.insert(Arc::clone(id), place);
    }
}

/// What events refer to by name.
struct Definitions {
    tasks: HashMap<Text, Task>,
    opcodes: HashMap<Text, Named>,
    levels: HashMap<Text, Named>,
    keywords: HashMap<Text, Keyword>,
    channels: HashMap<Text, Channel>,
}

/// A name with its number.
#[derive(Clone)]
struct Named {
    value: u64,
    shown: Option<Text>,
    message: Option<Text>,
}

struct Keyword {
    mask: u64,
    shown: Text,
    /// Whether it is shown by its message.
    is_message: bool,
}

struct Task {
    shown: Option<Text>,
    message: Option<Text>,
    class: Option<Guid>,
    opcodes: HashMap<Text, Named>,
}

impl Definitions {
    fn new(provider: &Element, strings: &Strings) -> Self {
        let tasks = provider.grouped("tasks", "task").filter_map(|task| {
            let class = task.get("eventGUID").and_then(|guid| guid.trim().parse::<Guid>().ok());
            let class = class.filter(|class| !class.is_null());
            let (shown, message) = shown(task, strings);
            Some((name(task)?, Task { shown, message, class, opcodes: named(task, OPCODES, strings) }))
        });
        let keywords = provider.grouped("keywords", "keyword").filter_map(|keyword| {
            let mask = keyword.get("mask").and_then(|mask| number(mask))?;
            let (shown, message) = shown(keyword, strings);
            let is_message = shown == message;
            Some((name(keyword)?, Keyword { mask, shown: shown?, is_message }))
        });
        Self {
            tasks: tasks.collect(),
            opcodes: named(provider, OPCODES, strings),
            levels: named(provider, LEVELS, strings),
            keywords: keywords.collect(),
            channels: channels(provider, strings),
        }
    }

    fn event(&self, element: &Element, strings: &Strings, templates: &Templates) -> Result<Event> {
        let small = |name: &str, most: u64| element.get(name).and_then(|v| number(v)).filter(|v| *v <= most);
        let Some(id) = small("value", u16::MAX.into()) else {
            return Err(syntax(element.line, "an event needs a value from 0 to 65535"));
        };
        let task = element.get("task").and_then(|name| self.tasks.get(name));
        let (opcode, opcode_name, opcode_message) = self.opcode(element.get("opcode"), task);
        let (keywords, keyword_messages) = self.keywords(element.get("keywords"));
        let channel = element.get("channel");
        let known_channel = channel.and_then(|id| self.channels.get(id));
        let mut event = Event {
            id: id as u16,
            version: small("version", u8::MAX.into()).unwrap_or(0) as u8,
            opcode,
            class: task.and_then(|task| task.class),
            task: task.map_or_else(|| element.get("task").map(unprefixed), |task| task.shown.clone()),
            opcode_name,
            task_message: task.and_then(|task| task.message.clone()),
            opcode_message,
            level: element.get("level").and_then(|name| self.level(name)),
            channel: channel.map(|id| known_channel.map_or(id, |(name, _)| name)).cloned(),
            channel_message: known_channel.and_then(|(_, message)| message.clone()),
            keywords,
            keyword_messages,
            symbol: element.get("symbol").cloned(),
            message: strings.resolve(element.get("message")),
            template: None,
            defect: None,
        };
        match element.get("template").map(|id| (id, templates.by_id.get(id))) {
            None => {}
            Some((_, Some(Ok(place)))) => event.template = Some(*place),
            Some((_, Some(Err(defect)))) => event.defect = Some(Arc::clone(defect)),
            Some((id, None)) => event.defect = Some(format!("line {}: no template `{id}`", element.line).into()),
        }
        Ok(event)
    }

    /// Opcodes of the task go before those of the provider, both before those of Windows.
    fn opcode(&self, name: Option<&Text>, task: Option<&Task>) -> (u8, Option<Text>, Option<Text>) {
        let Some(name) = name else { return (0, None, None) };
        let own = task.and_then(|task| task.opcodes.get(name)).or_else(|| self.opcodes.get(name));
        if let Some(opcode) = own {
            let value = opcode.value as u8;
            return (value, opcode.shown.clone(), opcode.message.clone());
        }
        let value = OPCODE_VALUES.iter().find(|(known, _)| *known == &**name).map(|(_, value)| *value);
        // An unknown one keeps its name; its number is in the event's header.
        let (value, shown) =
            value.map_or_else(|| (u8::MAX, unprefixed(name)), |value| (value, opcode_name(name, value)));
        (value, Some(shown), None)
    }

    /// Standard levels have no name of the provider's.
    fn level(&self, name: &Text) -> Option<Text> {
        match self.levels.get(name) {
            Some(level) => level.shown.clone(),
            None => (!name.starts_with("win:")).then(|| Arc::clone(name)),
        }
    }

    /// Returns keywords and the mask of those that are shown by their messages. Names are separated by blanks.
    fn keywords(&self, names: Option<&Text>) -> (Vec<(u64, Text)>, u64) {
        let names = names.map_or("", |names| &**names).split_whitespace();
        let mut messages = 0;
        let keyword = |name: &str| {
            let Some(own) = self.keywords.get(name) else { return standard_keyword(name) };
            messages |= if own.is_message { own.mask } else { 0 };
            Some((own.mask, Text::clone(&own.shown)))
        };
        (names.filter_map(keyword).collect(), messages)
    }
}

const OPCODES: (&str, &str) = ("opcodes", "opcode");
const LEVELS: (&str, &str) = ("levels", "level");

/// Opcodes of `winmeta.xml`.
const OPCODE_VALUES: [(&str, u8); 11] = [
    ("win:Info", 0),
    ("win:Start", 1),
    ("win:Stop", 2),
    ("win:DC_Start", 3),
    ("win:DC_Stop", 4),
    ("win:Extension", 5),
    ("win:Reply", 6),
    ("win:Resume", 7),
    ("win:Suspend", 8),
    ("win:Send", 9),
    ("win:Receive", 240),
];

/// Keywords of `winmeta.xml`.
const KEYWORDS: [(&str, u64); 8] = [
    ("win:ResponseTime", 1 << 48),
    ("win:WDIContext", 1 << 49),
    ("win:WDIDiag", 1 << 50),
    ("win:SQM", 1 << 51),
    ("win:AuditFailure", 1 << 52),
    ("win:AuditSuccess", 1 << 53),
    ("win:CorrelationHint", 1 << 54),
    ("win:EventlogClassic", 1 << 55),
];

fn standard_keyword(name: &str) -> Option<(u64, Text)> {
    let (name, mask) = KEYWORDS.iter().find(|(known, _)| *known == name)?;
    Some((*mask, unprefixed(&Text::from(*name))))
}

fn name(element: &Element) -> Option<Text> {
    element.get("name").cloned()
}

/// Returns the display text of an element, and its message.
fn shown(element: &Element, strings: &Strings) -> (Option<Text>, Option<Text>) {
    let message = strings.resolve(element.get("message"));
    (display(element.get("name"), message.as_ref()), message)
}

fn unprefixed(name: &Text) -> Text {
    name.strip_prefix("win:").map_or_else(|| Arc::clone(name), Text::from)
}

/// Returns a table of names with values. What is shown is made here, once: many events may have the same.
fn named(parent: &Element, (group, kind): (&str, &str), strings: &Strings) -> HashMap<Text, Named> {
    let items = parent.children(group).flat_map(|group| group.children(kind));
    let entry = |item: &Element| {
        let value = item.get("value").and_then(|value| number(value))?;
        let (shown, message) = shown(item, strings);
        let shown = if (group, kind) == OPCODES {
            shown.map(|name| opcode_name(&name, value as u8))
        } else {
            shown.map(|name| unprefixed(&name))
        };
        Some((name(item)?, Named { value, shown, message }))
    };
    items.filter_map(entry).collect()
}

/// Name and message.
type Channel = (Text, Option<Text>);

/// Channels by `chid`, by name and by symbol: events may use either of the first two.
fn channels(provider: &Element, strings: &Strings) -> HashMap<Text, Channel> {
    let mut channels = HashMap::new();
    for element in provider.children("channels").flat_map(Element::elements) {
        let Some(name) = name(element) else { continue };
        for key in [element.get("chid"), Some(&name), element.get("symbol")].into_iter().flatten() {
            let message = || strings.resolve(element.get("message"));
            channels.entry(Arc::clone(key)).or_insert_with(|| (Arc::clone(&name), message()));
        }
    }
    channels
}

fn maps(provider: &Element, strings: &Strings) -> Vec<ValueMap> {
    let all = provider.children("maps").flat_map(Element::elements);
    let maps = all.filter_map(|element| {
        let is_bits = match &*element.name {
            "valueMap" => false,
            "bitMap" => true,
            // Pattern maps match parts of texts; nothing in a payload needs them.
            _ => return None,
        };
        let entry = |entry: &Element| {
            let value = entry.get("value").and_then(|value| number(value))?;
            let text = strings.resolve(entry.get("message")).or_else(|| entry.get("symbol").cloned())?;
            Some((value, text))
        };
        let entries = element.children("map").filter_map(entry).collect();
        Some(ValueMap { name: (**element.get("name")?).into(), is_bits, entries })
    });
    maps.collect()
}
