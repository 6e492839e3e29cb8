//! Writes schemas as text.

use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;

use hashbrown::HashMap;

use crate::bytes::Guid;
use crate::schema::{Map, Origin, Schema, SchemaEntry, SchemaSelector, SchemaSource, Subject};

use super::print_fields::Fields;
use super::quoted::{Name, Quoted};
use super::user_data::Tree;
use super::words::{self, EVENT_WORDS, MAP_KINDS};

/// Returns the origin as the text form can express it: a source of another crate may have any name.
fn readable(origin: Origin) -> Origin {
    let name = origin.source.name();
    let is_word = name.starts_with(words::begins_word) && name.chars().all(words::continues_word);
    Origin { source: if is_word { origin.source } else { SchemaSource::USER }, ..origin }
}

/// Writes entries as text that [`super::parse`] reads back as the same entries. The alternatives of a schema, which no
/// parsed one has, are written as entries of their own.
///
/// (An entry with an empty range of versions or builds is for no event, and the reader refuses its text.)
pub fn print(entries: &[SchemaEntry]) -> String {
    let mut printer = Printer::default();
    for entry in entries {
        entry.schema.with_alternatives().for_each(|schema| printer.entry(entry, schema));
    }
    printer.out
}

/// A schema as the text form writes it, with `schema` in place of the event it is for. For people and messages:
/// only [`print()`] writes what can be read back.
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer::default();
        let names = self.names();
        printer.provider(Provider {
            name: names.provider.as_deref(),
            guid: names.provider_guid,
            message: names.provider_message.as_deref(),
        });
        let maps = printer.maps(self);
        printer.out.push_str("schema");
        printer.task(names.task.as_deref(), None);
        printer.label("opcode", names.opcode.as_deref());
        printer.schema(self, &maps);
        f.write_str(&printer.out)
    }
}

impl Schema {
    /// Returns what the text form writes after the name of each field, such as `u32 x Count as hex`; in the order of
    /// [`Schema::fields`].
    pub fn field_layouts(&self) -> Vec<String> {
        let maps = Printer::default().maps(self);
        Fields { schema: self, maps: &maps }.layouts()
    }
}

/// The output so far, and the state after its statements.
#[derive(Default)]
struct Printer<'e> {
    out: String,
    provider: Provider<'e>,
    class: Option<(Option<&'e str>, Guid)>,
    /// How many `map` statements there are since the last `provider`.
    map_count: usize,
    /// The last map of each name and the number of its statement.
    map_names: HashMap<&'e str, (usize, &'e Map)>,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Provider<'e> {
    name: Option<&'e str>,
    guid: Option<Guid>,
    message: Option<&'e str>,
}

impl<'e> Printer<'e> {
    fn entry(&mut self, entry: &'e SchemaEntry, schema: &'e Schema) {
        let names = schema.names();
        let of_class = matches!(entry.select, SchemaSelector::Classic { .. } | SchemaSelector::Wpp { .. });
        self.provider(Provider {
            name: names.provider.as_deref(),
            guid: if of_class { names.provider_guid } else { Some(entry.select.guid()) },
            message: names.provider_message.as_deref(),
        });
        if of_class {
            self.class(names.task.as_deref(), entry.select.guid());
        }
        let maps = self.maps(schema);
        self.selector(&entry.select, names.opcode.as_deref());
        self.range("version", &entry.versions, 0..=u8::MAX);
        self.range("build", &entry.builds, 0..=u32::MAX);
        match &entry.select {
            SchemaSelector::Manifest { .. } => self.task(names.task.as_deref(), None),
            SchemaSelector::TraceLogging { name, .. } => self.task(names.task.as_deref(), Some(name)),
            SchemaSelector::Classic { .. } | SchemaSelector::Wpp { .. } => {}
        }
        if let Some(guid) = names.provider_guid.filter(|_| !of_class) {
            self.add(format_args!(" provider-guid {{{guid}}}"));
        }
        if matches!(entry.select, SchemaSelector::TraceLogging { .. }) {
            self.label("opcode", names.opcode.as_deref());
        }
        self.schema(schema, &maps);
    }

    fn provider(&mut self, provider: Provider<'e>) {
        if self.provider == provider {
            return;
        }
        self.paragraph();
        self.add(format_args!("provider"));
        if let Some(name) = provider.name {
            self.add(format_args!(" {}", Quoted(name)));
        }
        if let Some(guid) = provider.guid {
            self.add(format_args!(" {{{guid}}}"));
        }
        self.label("message", provider.message);
        self.out.push('\n');
        self.provider = provider;
        self.class = None;
        self.map_count = 0;
        self.map_names.clear();
    }

    fn class(&mut self, name: Option<&'e str>, guid: Guid) {
        if self.class == Some((name, guid)) {
            return;
        }
        self.paragraph();
        self.add(format_args!("class"));
        if let Some(name) = name {
            self.add(format_args!(" {}", Name(name, EVENT_WORDS)));
        }
        self.add(format_args!(" {{{guid}}}\n"));
        self.class = Some((name, guid));
    }

    /// Writes the maps of a schema that are not defined yet. Returns how the text refers to each.
    fn maps(&mut self, schema: &'e Schema) -> Vec<String> {
        let numbers: Vec<usize> = schema.maps().iter().map(|map| self.map(map)).collect();
        let refer = |(map, number): (&Map, usize)| match self.map_names.get(map.name()) {
            Some((last, _)) if *last == number => Name(map.name(), EVENT_WORDS).to_string(),
            _ => format!("#{number}"),
        };
        let maps = schema.maps().iter().zip(numbers).map(refer).collect();
        self.paragraph();
        maps
    }

    /// Writes a map unless it is the last one of its name. The result is the number of its statement.
    fn map(&mut self, map: &'e Map) -> usize {
        if let Some((number, last)) = self.map_names.get(map.name())
            && *last == map
        {
            return *number;
        }
        self.paragraph();
        let kind = words::word(MAP_KINDS, &map.kind()).unwrap_or_default();
        self.add(format_args!("map {} {kind} {{\n", Name(map.name(), EVENT_WORDS)));
        for (value, label) in map.texts() {
            self.add(format_args!("  {value:#x} {}\n", Quoted(label)));
        }
        self.out.push_str("}\n");
        let number = self.map_count;
        self.map_names.insert(map.name(), (number, map));
        self.map_count += 1;
        number
    }

    fn selector(&mut self, select: &SchemaSelector, opcode: Option<&str>) {
        match select {
            SchemaSelector::Classic { opcode, .. } => self.add(format_args!("event opcode {opcode}")),
            SchemaSelector::Manifest { id, .. } => self.add(format_args!("event id {id}")),
            SchemaSelector::Wpp { number, .. } => self.add(format_args!("event message {number}")),
            SchemaSelector::TraceLogging { name, .. } => {
                return self.add(format_args!("event name {}", Quoted(name)));
            }
        }
        if let Some(opcode) = opcode {
            self.add(format_args!(" {}", Name(opcode, EVENT_WORDS)));
        }
    }

    fn range<T: PartialEq + fmt::Display>(&mut self, word: &str, range: &RangeInclusive<T>, all: RangeInclusive<T>) {
        let (first, last) = (range.start(), range.end());
        if *range == all {
        } else if first == last {
            self.add(format_args!(" {word} {first}"));
        } else if last == all.end() {
            self.add(format_args!(" {word} {first}.."));
        } else {
            self.add(format_args!(" {word} {first}..{last}"));
        }
    }

    /// Writes the task unless it is the one that is understood.
    fn task(&mut self, task: Option<&str>, understood: Option<&str>) {
        match task {
            _ if task == understood => {}
            None => self.out.push_str(" task none"),
            task => self.label("task", task),
        }
    }

    /// Writes the other attributes and the fields.
    fn schema(&mut self, schema: &Schema, maps: &[String]) {
        let names = schema.names();
        self.label("name", names.event.as_deref());
        self.label("level", names.level.as_deref());
        self.label("channel", names.channel.as_deref());
        for (mask, name) in &names.keywords {
            self.add(format_args!(" keyword {mask:#x} {}", Quoted(name)));
        }
        for (key, value) in &names.details {
            self.add(format_args!(" detail {} {}", Name(key, EVENT_WORDS), Quoted(value)));
        }
        if let Some(message) = schema.message() {
            self.label("message", Some(&message.to_string()));
        }
        let origin = readable(*schema.origin());
        if origin != Origin::from(SchemaSource::USER) {
            self.add(format_args!(" origin {origin}"));
        }
        let Subject { process, thread, no_thread } = schema.subject();
        self.subject("process-from", schema, process);
        self.subject("thread-from", schema, thread);
        if no_thread {
            self.add(format_args!(" thread-none"));
        }
        if let Some(from) = schema.lznt1_from() {
            self.add(format_args!(" lznt1 {from}"));
        }
        if !in_order_of_use(schema) {
            self.add(format_args!(" maps {}", maps.join(", ")));
        }
        if let Some(user_data) = schema.user_data() {
            self.add(format_args!(" user-data {}", Tree(user_data)));
        }
        self.add(format_args!(" {{\n{}}}\n", Fields { schema, maps }));
    }

    /// A field by its name, or by its place if a later one has the same name.
    fn subject(&mut self, word: &str, schema: &Schema, place: Option<u16>) {
        let Some(place) = place.map(usize::from) else { return };
        let Some(field) = schema.fields().get(place) else { return };
        if schema.fields().iter().rposition(|other| other.name == field.name) == Some(place) {
            self.add(format_args!(" {word} {}", Name(&field.name, EVENT_WORDS)));
        } else {
            self.add(format_args!(" {word} #{place}"));
        }
    }

    fn label(&mut self, word: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.add(format_args!(" {word} {}", Quoted(text)));
        }
    }

    /// An empty line between statements.
    fn paragraph(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn add(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.out.write_fmt(text);
    }
}

/// Returns whether the maps and their order follow from the fields alone.
fn in_order_of_use(schema: &Schema) -> bool {
    let mut used = 0;
    for map in schema.fields().iter().filter_map(|field| field.map).map(usize::from) {
        match map {
            map if map == used => used += 1,
            map if map > used => return false,
            _ => {}
        }
    }
    used == schema.maps().len()
}
