//! `cargo xtask schemas`: packs the facts of `../shared/schemas` into `parsers/registered/data/pack.bin`.
//!
//! `parsers/registered/src/pack` describes the layout of the pack. Left out: messages (there are none), level,
//! channel and keyword numbers of events (their headers have them), and which source a fact is from. Names of tasks,
//! opcodes and keywords that the facts lack (`task85`), or that TraceEvent has otherwise, are taken from
//! `../shared/facts/traceevent`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use etwkit::bytes::Guid;
use serde_json::Value;

use crate::{Done, dates};

/// Unpacked bytes after which a block is full: one is unpacked at the first use of a provider.
const BLOCK: usize = 192 << 10;
const LEVEL: u8 = 10;

type Made<T> = Result<T, Box<dyn std::error::Error>>;

/// Writes the pack.
pub(crate) fn write() -> Done {
    let bytes = build(&sources()?)?;
    fs::create_dir_all(pack_path().parent().ok_or("no folder")?)?;
    fs::write(pack_path(), &bytes)?;
    println!("{}: {} bytes", pack_path().display(), bytes.len());
    Ok(())
}

/// Compares the pack with a fresh one.
pub(crate) fn check() -> Done {
    let same = fs::read(pack_path())? == build(&sources()?)?;
    if same { Ok(()) } else { Err("the pack is not what the sources make: run `cargo xtask schemas`".into()) }
}

fn pack_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../parsers/registered/data/pack.bin")
}

/// Returns the folder with `schemas` and `facts`.
pub(crate) fn sources() -> Made<PathBuf> {
    let shared = etwkit_corpus::shared().filter(|shared| shared.join("schemas").is_dir());
    shared.ok_or_else(|| "no folder schemas: set ETWKIT_SHARED to the folder that holds it".into())
}

/// Returns the whole pack.
fn build(shared: &Path) -> Made<Vec<u8>> {
    let (folder, better) = (shared.join("schemas"), better_names(&shared.join("facts/traceevent"))?);
    let mut providers = BTreeMap::new();
    for (kind, file) in [(0_u8, "manifest.jsonl"), (1, "classic.jsonl")] {
        for line in fs::read_to_string(folder.join(file))?.lines() {
            let mut value: Value = serde_json::from_str(line)?;
            let guid: Guid = text(&value, "g")?.parse()?;
            rename(&mut value, better.get(&guid));
            dates::restore(&mut value);
            // What has no provider cannot be found by an event.
            if !guid.is_null() {
                providers.insert((guid, kind), provider(&value)?);
            }
        }
    }
    Ok(assemble(&providers))
}

/// Names of tasks (`t`), opcodes (`o`) and keywords (`k`) by number, as the facts write them.
type Renames = BTreeMap<&'static str, BTreeMap<String, String>>;

/// Names of TraceEvent, and of HTTP.sys' own manifest.
fn better_names(folder: &Path) -> Made<BTreeMap<Guid, Renames>> {
    let read = |file: &str| -> Made<Value> { Ok(serde_json::from_slice(&fs::read(folder.join(file))?)?) };
    let mut all = BTreeMap::new();
    for file in ["tcpip_manifest.json", "antimalware_engine.json", "applicationserver.json", "wpf.json"] {
        let value = read(file)?;
        let parser = value.pointer("/parsers/0").ok_or("parser")?;
        all.insert(text(parser, "provider_guid")?.parse()?, event_names(parser, ("task", "task_name", "opcode_name"))?);
    }
    let value = read("schema_httpservice.json")?;
    let http = value.pointer("/providers/0").ok_or("provider")?;
    let tasks: BTreeMap<_, _> = object(http, "tasks").map(|(name, task)| (name, task.get("value"))).collect();
    let mut renames = Renames::new();
    for event in array(http, "events") {
        let Some(Some(task)) = event.get("task").and_then(Value::as_str).map(|name| tasks.get(name)) else { continue };
        let task = integer(task.ok_or("task")?)?;
        add_event(&mut renames, (task, text(event, "task")?), event.get("opcode_value"), event.get("opcode"));
    }
    for (name, mask) in object(http, "keywords") {
        renames.entry("k").or_default().insert(mask.as_str().ok_or("keyword")?.into(), name.into());
    }
    all.insert(text(http, "guid")?.parse()?, renames);
    Ok(all)
}

fn event_names(parser: &Value, (task, task_name, opcode_name): (&str, &str, &str)) -> Made<Renames> {
    let mut renames = Renames::new();
    for event in array(parser, "events") {
        let number = integer(event.get(task).ok_or("task")?)?;
        // A provider without tasks has names of single events, which are no tasks.
        if number != 0 {
            add_event(&mut renames, (number, text(event, task_name)?), event.get("opcode"), event.get(opcode_name));
        }
    }
    Ok(renames)
}

fn add_event(renames: &mut Renames, (task, name): (u64, &str), opcode: Option<&Value>, opcode_name: Option<&Value>) {
    renames.entry("t").or_default().insert(task.to_string(), name.into());
    let opcode = opcode.and_then(Value::as_u64).filter(|opcode| *opcode != 0);
    if let (Some(opcode), Some(name)) = (opcode, opcode_name.and_then(Value::as_str).filter(|name| !name.is_empty())) {
        renames.entry("o").or_default().insert(format!("{task}:{opcode}"), clean(name).into());
    }
}

/// Takes better names, and leaves out those that are none: `task85`.
fn rename(value: &mut Value, better: Option<&Renames>) {
    for (key, word) in [("t", "task"), ("o", "opcode"), ("k", "keyword")] {
        let names = better.and_then(|better| better.get(key));
        if names.is_some() && value.get(key).is_none() {
            value[key] = Value::Object(serde_json::Map::new());
        }
        let Some(old) = value.get_mut(key).and_then(Value::as_object_mut) else { continue };
        old.retain(|_, name| !name.as_str().is_some_and(|name| is_numbered(name, word)));
        for (number, name) in names.into_iter().flatten() {
            old.insert(number.clone(), Value::String(name.clone()));
        }
    }
}

fn is_numbered(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Head, index, blocks, data.
fn assemble(providers: &BTreeMap<(Guid, u8), Vec<u8>>) -> Vec<u8> {
    let (mut index, mut blocks) = (Vec::new(), vec![Vec::new()]);
    for ((guid, kind), bytes) in providers {
        if blocks.last().is_some_and(|block: &Vec<u8>| block.len() >= BLOCK) {
            blocks.push(Vec::new());
        }
        let number = blocks.len() as u8 - 1;
        let Some(block) = blocks.last_mut() else { continue };
        index.extend(guid.to_bytes());
        index.extend([*kind, number, 0, 0]);
        index.extend((block.len() as u32).to_le_bytes());
        block.extend(bytes);
    }
    let mut start = 16 + index.len() + 12 * blocks.len();
    let mut head = b"ETWFACT1".to_vec();
    head.extend((providers.len() as u32).to_le_bytes());
    head.extend((blocks.len() as u32).to_le_bytes());
    head.extend(index);
    let mut data = Vec::new();
    for block in blocks {
        let packed = miniz_oxide::deflate::compress_to_vec(&block, LEVEL);
        for number in [start, packed.len(), block.len()] {
            head.extend((number as u32).to_le_bytes());
        }
        start += packed.len();
        data.extend(packed);
    }
    head.extend(data);
    head
}

/// Returns a provider or class.
fn provider(value: &Value) -> Made<Vec<u8>> {
    let mut out = Writer::default();
    out.text(text(value, "n")?);
    match value.get("p").and_then(Value::as_array).map(Vec::as_slice) {
        Some([guid, name]) => {
            out.number(1);
            out.bytes.extend(guid.as_str().ok_or("owner")?.parse::<Guid>()?.to_bytes());
            out.text(name.as_str().ok_or("owner")?);
        }
        _ => out.number(0),
    }
    out.tasks(value)?;
    out.opcodes(value)?;
    out.named(value, "k", |mask| Ok(u64::from_str_radix(mask.trim_start_matches("0x"), 16)?))?;
    out.named(value, "c", |number| Ok(number.parse()?))?;
    let maps = out.maps(value)?;
    let events = Events::of(value)?;
    out.number(events.builds.len() as u64);
    for (first, last) in &events.builds {
        out.number(*first);
        out.number(*last);
    }
    out.templates(value, &maps)?;
    events.write(&mut out);
    Ok(out.finish())
}

/// Bytes of a provider and its texts, each once.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    texts: Vec<String>,
    places: BTreeMap<String, u64>,
    /// Each distinct field, as it is written.
    fields: BTreeMap<Vec<u8>, u64>,
    field_bytes: Vec<u8>,
}

impl Writer {
    fn number(&mut self, value: u64) {
        push(&mut self.bytes, value);
    }

    /// Returns the place of a text.
    fn place(&mut self, text: &str) -> u64 {
        if let Some(place) = self.places.get(text) {
            return *place;
        }
        let place = self.texts.len() as u64;
        self.texts.push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        place
    }

    fn text(&mut self, text: &str) {
        let place = self.place(text);
        self.number(place);
    }

    /// Returns a list of numbers with names, sorted by number.
    fn named(&mut self, value: &Value, key: &str, number: impl Fn(&str) -> Made<u64>) -> Done {
        let mut list = Vec::new();
        for (text, name) in object(value, key) {
            list.push((number(text)?, name.as_str().ok_or("name")?));
        }
        list.sort_unstable();
        self.number(list.len() as u64);
        for (number, name) in list {
            self.number(number);
            self.text(clean(name));
        }
        Ok(())
    }

    fn tasks(&mut self, value: &Value) -> Done {
        self.named(value, "t", |number| Ok(number.parse()?))
    }

    /// Returns a manifest's opcodes belong to a task or to all of them; a class' own are under `y`.
    fn opcodes(&mut self, value: &Value) -> Done {
        let mut list = Vec::new();
        for (place, name) in object(value, "o").chain(object(value, "y")) {
            let (task, opcode) = place.split_once(':').unwrap_or(("", place));
            let task = if task.is_empty() { 0 } else { task.parse::<u64>()? + 1 };
            list.push((task, opcode.parse::<u64>()?, name.as_str().ok_or("name")?));
        }
        list.sort_unstable();
        self.number(list.len() as u64);
        for (task, opcode, name) in list {
            self.number(task);
            self.number(opcode);
            self.text(clean(name));
        }
        Ok(())
    }

    /// Writes the maps; returns their places.
    fn maps(&mut self, value: &Value) -> Made<BTreeMap<String, u64>> {
        let maps: Vec<_> = object(value, "m").collect();
        self.number(maps.len() as u64);
        for (name, map) in &maps {
            self.text(name);
            let bits = map.get(0).and_then(Value::as_str) == Some("b");
            self.bytes.push(u8::from(bits));
            let entries = map.get(1).and_then(Value::as_array).ok_or("map")?;
            self.number(entries.len() as u64);
            for entry in entries {
                self.number(integer(entry.get(0).ok_or("map value")?)?);
                self.text(entry.get(1).and_then(Value::as_str).ok_or("map label")?);
            }
        }
        Ok(maps.iter().zip(0..).map(|((name, _), place)| ((*name).to_owned(), place)).collect())
    }

    /// Returns all fields, then the templates.
    fn templates(&mut self, value: &Value, maps: &BTreeMap<String, u64>) -> Done {
        let mut templates = Vec::new();
        for template in array(value, "T") {
            let fields = template.as_array().ok_or("template")?;
            templates.push(fields.iter().map(|field| self.field(field, maps)).collect::<Made<Vec<_>>>()?);
        }
        self.number(self.fields.len() as u64);
        let fields = std::mem::take(&mut self.field_bytes);
        self.bytes.extend(fields);
        self.number(templates.len() as u64);
        for template in templates {
            self.number(template.len() as u64);
            for field in template {
                self.number(field);
            }
        }
        Ok(())
    }

    /// Returns the place of a field; its members get theirs first.
    fn field(&mut self, field: &Value, maps: &BTreeMap<String, u64>) -> Made<u64> {
        let part = |at: usize| field.get(at).filter(|part| !part.is_null());
        let mut members = Vec::new();
        for member in part(6).and_then(Value::as_array).into_iter().flatten() {
            members.push(self.field(member, maps)?);
        }
        let mut bytes = Vec::new();
        push(&mut bytes, self.place(part(0).and_then(Value::as_str).ok_or("field name")?));
        push(&mut bytes, integer(part(1).ok_or("in-type")?)?);
        push(&mut bytes, part(2).map_or(Ok(0), integer)?);
        let flags = bytes.len();
        bytes.push(0);
        let len = self.size(part(3), &mut bytes)?;
        let count = self.size(part(4), &mut bytes)?;
        let map = part(5).and_then(Value::as_str).and_then(|map| maps.get(map));
        if let Some(map) = map {
            push(&mut bytes, *map);
        }
        if !members.is_empty() {
            push(&mut bytes, members.len() as u64);
            for member in &members {
                push(&mut bytes, *member);
            }
        }
        let last = u8::from(map.is_some()) << 4 | u8::from(!members.is_empty()) << 5;
        if let Some(byte) = bytes.get_mut(flags) {
            *byte = len | count << 2 | last;
        }
        Ok(self.field_place(bytes))
    }

    fn field_place(&mut self, bytes: Vec<u8>) -> u64 {
        let next = self.fields.len() as u64;
        if let Some(place) = self.fields.get(&bytes) {
            return *place;
        }
        self.field_bytes.extend(&bytes);
        self.fields.insert(bytes, next);
        next
    }

    /// Writes a length or a count; returns its form.
    fn size(&mut self, size: Option<&Value>, bytes: &mut Vec<u8>) -> Made<u8> {
        Ok(match size {
            None => 0,
            Some(Value::String(name)) if name == "*" => 3,
            Some(Value::String(name)) => {
                push(bytes, self.place(name));
                2
            }
            Some(number) => {
                push(bytes, integer(number)?);
                1
            }
        })
    }

    /// Returns the texts before everything else.
    fn finish(self) -> Vec<u8> {
        let mut out = Vec::new();
        push(&mut out, self.texts.len() as u64);
        self.texts.iter().for_each(|text| push(&mut out, text.len() as u64));
        self.texts.iter().for_each(|text| out.extend(text.as_bytes()));
        out.extend(self.bytes);
        out
    }
}

/// Events by column.
#[derive(Default)]
struct Events {
    /// Id or opcode, version, task, opcode, layouts as template and place of the builds.
    rows: BTreeMap<(u64, u64), Row>,
    builds: Vec<(u64, u64)>,
}

struct Row {
    task: u64,
    opcode: u64,
    layouts: Vec<(u64, u64)>,
}

impl Events {
    fn of(value: &Value) -> Made<Self> {
        let mut events = Self::default();
        let classic = value.get("y").is_some();
        for event in array(value, "e") {
            let number = |at: usize| event.get(at).map_or(Ok(0), integer);
            let (opcode, task) = if classic { (number(0)?, 0) } else { (number(4)?, number(5)?) };
            let layouts = if classic { events.classic_layout(event) } else { events.layouts(event)? };
            // Sources that differ on a class are rows of their own there.
            let row = events.rows.entry((number(0)?, number(1)?)).or_insert(Row { task, opcode, layouts: Vec::new() });
            row.layouts.extend(layouts);
        }
        Ok(events)
    }

    /// Returns the one layout of a row of a class.
    fn classic_layout(&mut self, event: &Value) -> Vec<(u64, u64)> {
        let template = event.get(2).and_then(Value::as_u64);
        template.map(|template| (template, self.build((0, 0)))).into_iter().collect()
    }

    fn layouts(&mut self, event: &Value) -> Made<Vec<(u64, u64)>> {
        let mut layouts = Vec::new();
        for layout in event.get(7).and_then(Value::as_array).into_iter().flatten() {
            let number = |at: usize| layout.get(at).and_then(Value::as_u64);
            let last = number(2).map_or(0, |last| last + 1);
            let builds = self.build((number(1).unwrap_or(0), last));
            layouts.push((number(0).ok_or("template of an event")?, builds));
        }
        Ok(layouts)
    }

    fn build(&mut self, builds: (u64, u64)) -> u64 {
        let at = self.builds.iter().position(|other| *other == builds).unwrap_or_else(|| {
            self.builds.push(builds);
            self.builds.len() - 1
        });
        at as u64
    }

    fn write(&self, out: &mut Writer) {
        out.number(self.rows.len() as u64);
        let mut before = 0;
        for (id, _) in self.rows.keys() {
            out.number(id - before);
            before = *id;
        }
        self.rows.keys().for_each(|(_, version)| out.number(*version));
        self.rows.values().for_each(|row| out.number(row.task));
        self.rows.values().for_each(|row| out.number(row.opcode));
        self.rows.values().for_each(|row| out.number(row.layouts.len() as u64));
        for (template, builds) in self.rows.values().flat_map(|row| &row.layouts) {
            out.number(*template);
            out.number(*builds);
        }
    }
}

/// Names of Windows' own values have a prefix in manifests.
fn clean(name: &str) -> &str {
    name.strip_prefix("win:").unwrap_or(name)
}

fn push(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn text<'v>(value: &'v Value, key: &str) -> Made<&'v str> {
    Ok(value.get(key).and_then(Value::as_str).ok_or_else(|| format!("no text {key}"))?)
}

fn array<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn object<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = (&'v str, &'v Value)> {
    let object = value.get(key).and_then(Value::as_object);
    object.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

/// Negative map values are the bits of a `u32`, as stored in the event; what is not known is 0.
fn integer(value: &Value) -> Made<u64> {
    let signed = || value.as_i64().map(|number| u64::from((number as i32).cast_unsigned()));
    let number = value.as_u64().or_else(signed).or_else(|| value.is_null().then_some(0));
    Ok(number.ok_or_else(|| format!("no number: {value}"))?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use etwkit_registered::pack::{Naming, Pack, Provider};
    use serde_json::Value;

    use super::{array, check, integer, sources, text};

    /// The committed pack is what the sources make of it.
    #[test]
    fn the_pack_is_fresh() {
        match sources() {
            Ok(_) => check().unwrap(),
            Err(error) => etwkit_corpus::skipped(&format!("the pack is not compared with its sources: {error}")),
        }
    }

    /// The reader finds in the pack what the sources contain, with the dates that `dates` puts back.
    #[test]
    fn the_pack_has_every_fact() {
        let Ok(shared) = sources() else {
            return etwkit_corpus::skipped("there are no sources to compare the pack with");
        };
        let pack = Pack::built_in().unwrap();
        for (naming, file) in [(Naming::Manifest, "manifest.jsonl"), (Naming::Classic, "classic.jsonl")] {
            for line in fs::read_to_string(shared.join("schemas").join(file)).unwrap().lines() {
                let mut value: Value = serde_json::from_str(line).unwrap();
                crate::dates::restore(&mut value);
                let guid: etwkit::bytes::Guid = text(&value, "g").unwrap().parse().unwrap();
                if !guid.is_null() {
                    compare(&pack, naming, guid, &value);
                }
            }
        }
    }

    fn compare(pack: &Pack, naming: Naming, guid: etwkit::bytes::Guid, value: &Value) {
        let provider = pack.provider(guid, naming).unwrap();
        assert_eq!(provider.name(), text(value, "n").unwrap());
        for event in array(value, "e") {
            let number = |at: usize| event.get(at).map_or(0, |value| integer(value).unwrap());
            let found = provider.find(number(0) as u16, number(1) as u8).unwrap();
            let templates: Vec<usize> = match naming {
                Naming::Classic => vec![number(2) as usize],
                Naming::Manifest => {
                    let layouts = event[7].as_array().unwrap().iter();
                    layouts.map(|layout| layout[0].as_u64().unwrap() as usize).collect()
                }
            };
            let layouts: Vec<_> = provider.layouts(found).map(|(_, layout)| fields(provider, layout)).collect();
            for template in templates {
                let wanted = value["T"][template].as_array().unwrap().iter();
                let wanted: Vec<_> = wanted.map(|f| (f[0].as_str().unwrap(), f[1].as_u64().unwrap())).collect();
                assert!(layouts.contains(&wanted), "{} {event}", provider.name());
            }
        }
    }

    /// Names and in-types.
    fn fields<'p>(provider: &'p Provider, layout: &[u32]) -> Vec<(&'p str, u64)> {
        let fields = layout.iter().map(|place| provider.field(*place).unwrap());
        fields.map(|field| (provider.field_name(field), field.in_type.0.into())).collect()
    }
}
