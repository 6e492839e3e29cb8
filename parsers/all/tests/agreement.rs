//! The bundled facts of registered providers against what Windows itself wrote into traces: for each event that has a
//! `TRACE_EVENT_INFO` in its trace and a layout in the pack, both are compared field by field.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests, which clippy does not count as tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use etwkit::bytes::Guid;
use etwkit::event::{EventKey, Kind};
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::schema::{Field, Map, Schema, SchemaSource as Origin};
use etwkit::trace::{Filter, Order, Trace};
use etwkit_registered::Registered;
use etwkit_tei::TraceEventInfo;

mod common;

#[test]
fn the_pack_says_what_windows_said() {
    let mut all = Tally::default();
    for (name, files) in traces() {
        let before = all.strict.events.all;
        all.trace(&name, &files);
        let compared = all.strict.events.all - before;
        if compared > 0 {
            println!("{name}: {compared} events are in both");
        }
    }
    if all.strict.events.all == 0 {
        return etwkit_corpus::skipped("no events to compare");
    }
    all.print();
    for figures in [&all.types, &all.judged] {
        for share in [figures.events, figures.fields, figures.schemas, figures.schema_fields] {
            assert!(share.share() >= 0.9998, "{figures:?}");
        }
    }
    // A reason that nothing needs any more is to go.
    for reason in [Reason::Corrected, Reason::Newer, Reason::NoSource] {
        assert!(all.differences.keys().any(|(found, _)| *found == Some(reason)), "{reason:?}");
    }
}

/// Why a difference is not of the pack's making. Each is listed all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// The manifest, and so Windows, does not state what is written; the pack has what is (section 9.3 of
    /// `docs/format`).
    Corrected,
    /// All names of values that the trace has, and those that a newer build added.
    Newer,
    /// No licensed source has the provider's maps.
    NoSource,
}

/// The runtime and its rundown: the facts are of .NET Core 3.1, the traces of older ones.
const NEWER: [Guid; 2] =
    [Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4), Guid::from_u128(0xa669021c_c450_4609_a035_5af59af4df18)];

/// Providers without any maps in the facts: PktMon, DNS-Client.
const NO_MAPS: [Guid; 2] =
    [Guid::from_u128(0x4d4f80d9_c8bd_4d73_bb5b_19c90402c5ac), Guid::from_u128(0x1c95126e_7eea_49a9_a3fe_a378b03ddb4d)];

/// Events with a wrong manifest: provider, id.
const CORRECTED: [(Guid, u16); 1] = [(Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4), 82)];

/// Returns the real traces, and the four files of one collection as one.
fn traces() -> Vec<(String, Vec<PathBuf>)> {
    let mut traces = BTreeMap::<String, Vec<PathBuf>>::new();
    for (name, path) in etwkit_corpus::traces() {
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

/// An event agrees if all of its fields do; a schema is one key of one trace with one pair of layouts.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    events: Share,
    fields: Share,
    schemas: Share,
    schema_fields: Share,
}

impl Figures {
    /// Adds the events of a pair of layouts with this many fields, `wrong` of them different.
    fn add(&mut self, events: u64, fields: u64, wrong: u64) {
        let is_same = u64::from(wrong == 0);
        self.events.add(events * is_same, events);
        self.fields.add(events * (fields - wrong), events * fields);
        self.schemas.add(is_same, 1);
        self.schema_fields.add(fields - wrong, fields);
    }

    fn print(&self, title: &str) {
        println!("{title}");
        let Self { events, fields, schemas, schema_fields } = *self;
        let all = [("events", events), ("their fields", fields), ("schemas", schemas), ("their fields", schema_fields)];
        for (what, share) in all {
            println!("  {what}: {} of {} agree, {:.4} %", share.same, share.all, share.share() * 100.0);
        }
    }
}

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    /// Any difference counts.
    strict: Figures,
    /// Only names and types count, whatever the reason.
    types: Figures,
    /// Only names, types and counts count, whatever the reason.
    layouts: Figures,
    /// Names, types, counts and out-types count; names of values do not.
    shown: Figures,
    /// Differences with a reason do not count.
    judged: Figures,
    /// Events that a table of ours decodes, not the pack: such tables are there to differ.
    tables: u64,
    /// By reason and what differs, then by event: events.
    differences: BTreeMap<(Option<Reason>, &'static str), BTreeMap<String, u64>>,
}

/// The layouts by which an event is decoded, distinguished by their places.
type Pair<'s> = (&'s Schema, &'s Schema);

impl Tally {
    fn trace(&mut self, trace: &str, files: &[PathBuf]) {
        let with = Parsers::none().with(TraceEventInfo::new());
        let (Some(windows), Some(pack)) = (open(files, with), open(files, Parsers::none().with(Registered::new())))
        else {
            return;
        };
        let kernel = etwkit_kernel::tables().guids();
        for ((key, ..), ((told, packed), events)) in &pairs(&windows, &pack) {
            if packed.origin().source == Origin::BUILT_IN || kernel.contains(&key.provider) {
                self.tables += events;
                continue;
            }
            let event = format!("{trace} {} {} v{} {}", key.provider, number(key), key.version, name(told));
            self.pair(&event, key, (told, packed), *events);
        }
    }

    fn pair(&mut self, event: &str, key: &EventKey, pair: Pair<'_>, events: u64) {
        let found = differences(pair);
        let fields = pair.0.fields().len().max(pair.1.fields().len()) as u64;
        let reason = |difference: &Difference| reason(key, difference);
        let wrong = |counts: &dyn Fn(&Difference) -> bool| {
            found.iter().filter(|found| counts(found)).map(|found| found.at).collect::<BTreeSet<_>>().len() as u64
        };
        self.strict.add(events, fields, wrong(&|_| true));
        self.types.add(events, fields, wrong(&|found| TYPES.contains(&found.class)));
        self.layouts.add(events, fields, wrong(&|found| found.class == COUNT || TYPES.contains(&found.class)));
        self.shown.add(events, fields, wrong(&|found| !MAPS.contains(&found.class)));
        self.judged.add(events, fields, wrong(&|found| reason(found).is_none()));
        for difference in &found {
            let list = self.differences.entry((reason(difference), difference.class)).or_default();
            *list.entry(format!("{event}: {}", difference.what)).or_default() += events;
        }
    }

    fn print(&self) {
        self.strict.print("all that differs counts:");
        self.types.print("names and types of fields alone:");
        self.layouts.print("names, types and counts of fields:");
        self.shown.print("names, types, counts and out-types of fields:");
        self.judged.print("what has no reason counts:");
        println!("not compared: {} events that tables of ours decode", self.tables);
        for ((reason, class), list) in &self.differences {
            let reason = reason.map_or("NO REASON".to_owned(), |reason| format!("{reason:?}"));
            println!("{reason}, {class}: {} fields, {} events", list.len(), list.values().sum::<u64>());
            for (what, events) in list {
                println!("  {events:>7} {what}");
            }
        }
    }
}

/// Why a difference is not of the pack's making, if so.
fn reason(key: &EventKey, difference: &Difference) -> Option<Reason> {
    match difference.class {
        COUNT if CORRECTED.contains(&(key.provider, key.id)) => Some(Reason::Corrected),
        MORE_VALUES if NEWER.contains(&key.provider) => Some(Reason::Newer),
        NO_MAP if NO_MAPS.contains(&key.provider) => Some(Reason::NoSource),
        _ => None,
    }
}

fn number(key: &EventKey) -> u16 {
    if key.kind == Kind::Classic { key.opcode.into() } else { key.id }
}

fn name(schema: &Schema) -> String {
    let names = schema.names();
    format!("{}/{}", names.provider.as_deref().unwrap_or("?"), names.full().unwrap_or_default())
}

/// Returns the trace as read by these parsers; nothing for what is not a trace.
fn open(files: &[PathBuf], parsers: Parsers) -> Option<Trace> {
    let sources = files.iter().map(|file| Input::open(file).unwrap());
    Trace::open_all(sources, parsers).ok()
}

/// A pair of layouts, by the event's key and the places of the layouts.
type Found = BTreeMap<(EventKey, usize, usize), ((Schema, Schema), u64)>;

/// Returns the layouts that decode the events which both know, with the number of these events.
fn pairs(windows: &Trace, pack: &Trace) -> Found {
    let mut pairs = Found::new();
    let place = |schema: &Schema| std::ptr::from_ref(schema) as usize;
    let known = windows.types().iter().zip(pack.types()).any(|(a, b)| a.schema().is_some() && b.schema().is_some());
    if !known {
        return pairs;
    }
    let filter = Filter::default();
    let (mut left, mut right) = (windows.events_in(Order::File, &filter), pack.events_in(Order::File, &filter));
    while let (Some(told), Some(packed)) = (left.next().unwrap(), right.next().unwrap()) {
        assert_eq!(told.raw().place(), packed.raw().place());
        if let (Some(a), Some(b)) = (told.schema(), packed.schema()) {
            let entry =
                pairs.entry((told.raw().key(), place(a), place(b))).or_insert_with(|| ((a.clone(), b.clone()), 0));
            entry.1 += 1;
        }
    }
    pairs
}

/// What differs.
#[derive(Debug)]
struct Difference {
    /// Place of the field.
    at: usize,
    class: &'static str,
    what: String,
}

const COUNT: &str = "count";
const MORE_VALUES: &str = "the pack's map has more values";
const NO_MAP: &str = "map missing in the pack";
/// Differences of the fields themselves.
const TYPES: [&str; 4] = ["field missing in the pack", "field missing in the trace", "name", "type"];
/// Differences in the names of values.
const MAPS: [&str; 4] = [NO_MAP, MORE_VALUES, "map missing in the trace", "values of a map"];

fn differences((told, packed): Pair<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    let (a, b) = (told.fields(), packed.fields());
    for at in 0..a.len().max(b.len()) {
        let mut add = |class, what| found.push(Difference { at, class, what });
        match (a.get(at), b.get(at)) {
            (Some(a), Some(b)) => field(a, b, (told.map(a), packed.map(b)), &mut add),
            (Some(a), None) => add("field missing in the pack", a.name.to_string()),
            (None, Some(b)) => add("field missing in the trace", b.name.to_string()),
            (None, None) => {}
        }
    }
    found
}

/// What differs between two fields.
fn field(told: &Field, packed: &Field, maps: (Option<&Map>, Option<&Map>), add: &mut dyn FnMut(&'static str, String)) {
    let name = &told.name;
    if told.name != packed.name {
        add("name", format!("{name}, pack {}", packed.name));
    }
    if told.wire != packed.wire {
        add("type", format!("{name}: {:?}, pack {:?}", told.wire, packed.wire));
    }
    if told.count != packed.count {
        add(COUNT, format!("{name}: {:?}, pack {:?}", told.count, packed.count));
    }
    if told.display != packed.display {
        add("out-type", format!("{name}: {:?}, pack {:?}", told.display, packed.display));
    }
    match maps {
        (Some(a), Some(b)) if a.kind() == b.kind() && a.entries().eq(b.entries()) => {}
        (Some(a), Some(b)) => {
            let (lost, more) = (extra(a, b), extra(b, a));
            let class = if a.kind() == b.kind() && lost.is_empty() { MORE_VALUES } else { "values of a map" };
            add(class, format!("{name}: {:?} {lost:?}, pack {:?} {more:?}", a.kind(), b.kind()));
        }
        (Some(a), None) => add(NO_MAP, format!("{name}: {}", a.name())),
        (None, Some(b)) => add("map missing in the trace", format!("{name}: {}", b.name())),
        (None, None) => {}
    }
}

/// What the first map has and the second has not.
fn extra<'m>(map: &'m Map, other: &Map) -> Vec<(u64, &'m str)> {
    map.entries().filter(|entry| !other.entries().any(|known| known == *entry)).collect()
}
