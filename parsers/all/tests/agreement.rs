//! The bundled facts of registered providers against what Windows itself wrote into traces: for each event that has a
//! `TRACE_EVENT_INFO` in its trace and a layout in the pack, both are compared field by field.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests, which clippy does not count as tests")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use etwkit::event::EventKey;
use etwkit::parser::Parsers;
use etwkit::schema::{Field, Map, Schema};
use etwkit::source::Source;
use etwkit::trace::{Census, Filter, Order, Trace};
use etwkit_registered::Registered;
use etwkit_tei::TraceEventInfo;

mod common;

#[test]
fn the_pack_says_what_windows_said() {
    let mut all = Tally::default();
    for (name, files) in traces() {
        let before = all.events;
        all.trace(&name, &files);
        if all.events.all > before.all {
            println!("{name}: {} events are in both", all.events.all - before.all);
        }
    }
    if all.events.all == 0 {
        println!("SKIPPED: no events to compare");
        return;
    }
    all.print();
    assert!(all.fields.share() >= 0.9998, "{:?} of the events' fields agree", all.fields);
    assert!(all.events.share() >= 0.9998, "{:?} of the events agree", all.events);
}

/// The real traces, and the four files of one collection as one.
fn traces() -> Vec<(String, Vec<PathBuf>)> {
    let mut traces = BTreeMap::<String, Vec<PathBuf>>::new();
    for (name, path) in common::corpus_files() {
        let trace = if name.starts_with("diaghub") { "diaghub".to_owned() } else { name };
        traces.entry(trace).or_default().push(path);
    }
    traces.into_iter().collect()
}

/// How many of how many agree.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    same: u64,
    all: u64,
}

impl Share {
    const fn add(&mut self, same: u64, all: u64) {
        self.same += same;
        self.all += all;
    }

    fn share(self) -> f64 {
        self.same as f64 / self.all as f64
    }
}

/// What was compared. An event agrees if all of its fields do; a schema is one key of one trace with one pair of layouts.
#[derive(Debug, Default)]
struct Tally {
    events: Share,
    fields: Share,
    schemas: Share,
    schema_fields: Share,
    /// Of the names of the event: not part of the figures.
    names: Share,
    /// By what differs, then by event: events.
    differences: BTreeMap<&'static str, BTreeMap<String, u64>>,
}

/// The layouts by which an event is decoded, told apart by their places.
type Pair<'s> = (&'s Schema, &'s Schema);

impl Tally {
    fn trace(&mut self, trace: &str, files: &[PathBuf]) {
        let with = Parsers::none().with(TraceEventInfo::new());
        let (Some(windows), Some(pack)) = (census(files, with), census(files, Parsers::none().with(Registered::new())))
        else {
            return;
        };
        for ((key, ..), ((told, packed), events)) in pairs(&windows, &pack) {
            self.pair(
                &format!("{trace} {} {} v{} {}", key.provider, key.id.max(key.opcode.into()), key.version, name(told)),
                (told, packed),
                events,
            );
        }
    }

    fn pair(&mut self, event: &str, (told, packed): Pair<'_>, events: u64) {
        let found = differences((told, packed));
        let all = told.fields().len().max(packed.fields().len()) as u64;
        let wrong = found.iter().map(|(at, ..)| at).collect::<std::collections::BTreeSet<_>>().len() as u64;
        let is_same = u64::from(found.is_empty());
        self.events.add(events * is_same, events);
        self.fields.add(events * (all - wrong), events * all);
        self.schemas.add(is_same, 1);
        self.schema_fields.add(all - wrong, all);
        self.names.add(events * u64::from(told.names().full() == packed.names().full()), events);
        for (_, class, what) in found {
            *self.differences.entry(class).or_default().entry(format!("{event}: {what}")).or_default() += events;
        }
    }

    fn print(&self) {
        let line = |what: &str, share: Share| {
            println!("{what}: {} of {} agree, {:.4} %", share.same, share.all, share.share() * 100.0);
        };
        line("events", self.events);
        line("fields of events", self.fields);
        line("schemas", self.schemas);
        line("fields of schemas", self.schema_fields);
        line("(names of events)", self.names);
        for (class, list) in &self.differences {
            println!("{class}: {} kinds of events", list.len());
            for (what, events) in list {
                println!("  {events:>7} {what}");
            }
        }
    }
}

fn name(schema: &Schema) -> String {
    let names = schema.names();
    format!("{}/{}", names.provider.as_deref().unwrap_or("?"), names.full().unwrap_or_default())
}

/// The trace as read by these parsers; nothing for what is no trace.
fn census(files: &[PathBuf], parsers: Parsers) -> Option<Census> {
    let sources = files.iter().map(|file| Source::open(file).unwrap()).collect();
    Some(Trace::open_all(sources, parsers).ok()?.census().unwrap())
}

/// A pair of layouts, by the event's key and the places of the layouts.
type Found<'s> = BTreeMap<(EventKey, usize, usize), (Pair<'s>, u64)>;

/// The layouts that decode the events which both know, with the number of these events.
fn pairs<'s>(windows: &'s Census, pack: &'s Census) -> Found<'s> {
    let mut pairs = Found::new();
    let place = |schema: &Schema| std::ptr::from_ref(schema) as usize;
    let known = windows.keys().any(|(id, _)| windows.schema(id).is_some() && pack.schema(id).is_some());
    if !known {
        return pairs;
    }
    let filter = Filter::default();
    let (mut left, mut right) = (windows.events(Order::File, &filter), pack.events(Order::File, &filter));
    while let (Some(told), Some(packed)) = (left.next().unwrap(), right.next().unwrap()) {
        assert_eq!(told.raw.place(), packed.raw.place());
        if let (Some(a), Some(b)) = (told.schema, packed.schema) {
            let entry = pairs.entry((told.raw.key(), place(a), place(b))).or_insert(((a, b), 0));
            entry.1 += 1;
        }
    }
    pairs
}

/// What differs: place of the field, class, details.
fn differences((told, packed): Pair<'_>) -> Vec<(usize, &'static str, String)> {
    let mut found = Vec::new();
    let (a, b) = (told.fields(), packed.fields());
    for at in 0..a.len().max(b.len()) {
        match (a.get(at), b.get(at)) {
            (Some(a), Some(b)) => {
                let maps = (told.map(a), packed.map(b));
                found.extend(field(a, b, maps).into_iter().map(|(class, what)| (at, class, what)));
            }
            (Some(a), None) => found.push((at, "field missing in the pack", a.name.to_string())),
            (None, Some(b)) => found.push((at, "field missing in the trace", b.name.to_string())),
            (None, None) => {}
        }
    }
    found
}

/// What differs between two fields.
fn field(told: &Field, packed: &Field, maps: (Option<&Map>, Option<&Map>)) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let mut check = |is_same: bool, class: &'static str, what: String| {
        if !is_same {
            found.push((class, what));
        }
    };
    let name = &told.name;
    check(*name == packed.name, "name", format!("{name}, pack {}", packed.name));
    check(told.wire == packed.wire, "type", format!("{name}: {:?}, pack {:?}", told.wire, packed.wire));
    check(told.count == packed.count, "count", format!("{name}: {:?}, pack {:?}", told.count, packed.count));
    check(told.show == packed.show, "out-type", format!("{name}: {:?}, pack {:?}", told.show, packed.show));
    match maps {
        (Some(a), Some(b)) => {
            let same = a.kind() == b.kind() && a.entries().eq(b.entries());
            check(
                same,
                "values of a map",
                format!("{name}: {:?} {:?}, pack {:?} {:?}", a.kind(), extra(a, b), b.kind(), extra(b, a)),
            );
        }
        (Some(a), None) => check(false, "map missing in the pack", format!("{name}: {}", a.name())),
        (None, Some(b)) => check(false, "map missing in the trace", format!("{name}: {}", b.name())),
        (None, None) => {}
    }
    found
}

/// What the first map has and the second has not.
fn extra<'m>(map: &'m Map, other: &Map) -> Vec<(u64, &'m str)> {
    map.entries().filter(|entry| !other.entries().any(|known| known == *entry)).collect()
}
