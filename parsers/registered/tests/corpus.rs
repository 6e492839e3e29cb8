//! Every registered event of the corpus, decoded. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etwkit::EventType;
use etwkit::bytes::Guid;
use etwkit::decode::Fit;
use etwkit::event::{EventKey, Kind};
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::schema::SchemaSource as Origin;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_registered::{Overrides, Registered};

#[test]
fn registered_events_decode() {
    let Some(files) = corpus() else { return };
    let mut all = Tally::default();
    let mut worse = Vec::new();
    for file in &files {
        let (with, without) = (tally(file, with()), tally(file, without()));
        for (key, row) in &without.keys {
            let now = &with.keys[key];
            if now.exact < row.exact || now.bytes < row.bytes {
                worse.push(format!("{} {key:?}: {row:?}, now {now:?}", file.display()));
            }
        }
        all.add(with);
    }
    all.print();
    assert!(worse.is_empty(), "{worse:#?}");
    let [events, known, exact] = all.sums();
    assert!(known * 1000 >= events * 999, "{known} of {events} have a schema");
    assert!(exact * 1000 >= events * 997, "{exact} of {events} are exact");
}

/// Manifest events by provider, id and version.
#[derive(Default)]
struct Tally {
    keys: BTreeMap<(Guid, u16, u8), Row>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    name: String,
    source: &'static str,
    events: u64,
    known: u64,
    exact: u64,
    /// Bytes of payload in fields.
    bytes: usize,
}

impl Tally {
    fn add(&mut self, other: Self) {
        for (key, row) in other.keys {
            let entry = self.keys.entry(key).or_default();
            let sums = (entry.events + row.events, entry.known + row.known, entry.exact + row.exact);
            *entry = Row { events: sums.0, known: sums.1, exact: sums.2, bytes: entry.bytes + row.bytes, ..row };
        }
    }

    /// Events, with a layout, exact.
    fn sums(&self) -> [u64; 3] {
        self.keys.values().fold([0; 3], |[a, b, c], row| [a + row.events, b + row.known, c + row.exact])
    }

    fn print(&self) {
        let mut sources = BTreeMap::<_, (u64, u64)>::new();
        for row in self.keys.values() {
            let sum = sources.entry(row.source).or_default();
            *sum = (sum.0 + row.events, sum.1 + row.exact);
        }
        let [events, known, exact] = self.sums();
        println!("registered events {events}, with a schema {known}, exact {exact}; by source: {sources:?}");
        for ((guid, id, version), row) in self.keys.iter().filter(|(_, row)| row.events != row.exact) {
            let Row { name, source, events, known, exact, .. } = row;
            println!("  {guid} {name} {id} v{version}: {exact} of {events} exact, {known} with a schema ({source})");
        }
    }
}

fn with() -> Parsers {
    without().with_first(Overrides).with(Registered::new())
}

fn without() -> Parsers {
    Parsers::none().with(etwkit_kernel::Kernel).with(etwkit_clr::tables())
}

fn tally(file: &Path, parsers: Parsers) -> Tally {
    let mut tally = Tally::default();
    // Some of the corpus is not a trace.
    let Ok(trace) = Input::open(file).and_then(|source| Trace::open(source, parsers)) else { return tally };
    // An EventSource writes its schema into the trace, and another parser reads it.
    let is_event_source = |key: &EventKey| key.kind == Kind::Manifest && key.id == 0xfffe;
    let event_sources: Vec<Guid> =
        trace.types().iter().map(EventType::key).filter(|key| is_event_source(key)).map(|key| key.provider).collect();
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        let key = event.raw().key();
        if key.kind != Kind::Manifest || event_sources.contains(&key.provider) {
            continue;
        }
        let row = tally.keys.entry((key.provider, key.id, key.version)).or_default();
        row.events += 1;
        if let Some(schema) = event.schema() {
            let names = schema.names();
            row.name = format!("{}/{}", names.provider.as_deref().unwrap_or("?"), names.full().unwrap_or_default());
            row.source = schema.origin().source.name();
            row.known += u64::from(!schema.fields().is_empty() || event.payload().is_empty());
            row.exact += u64::from(event.fit() == Fit::Exact);
            row.bytes += event.payload().len() - event.remainder().len();
        }
    }
    tally
}

/// What the tables and the pack call events whose names are known from Windows' own reports.
#[test]
fn names_are_what_windows_reports() {
    let Some(files) = corpus() else { return };
    let Some(file) = files.iter().find(|file| file.ends_with("tx/HTTP_Server.etl")) else { return };
    let trace = Trace::open(Input::open(file).unwrap(), with()).unwrap();
    let mut events = trace.events_in(Order::File, &Filter::default());
    let mut names = BTreeMap::<_, u64>::new();
    while let Some(event) = events.next().unwrap() {
        let schema = event.schema().unwrap();
        assert_eq!(event.fit(), Fit::Exact);
        if schema.origin().source == Origin::REGISTERED {
            *names.entry(schema.names().full().unwrap_or_default()).or_default() += 1;
        }
    }
    println!("{names:?}");
    assert!(names.contains_key("HTTPRequestTraceTask/RecvReq"));
}

fn corpus() -> Option<Vec<PathBuf>> {
    let files: Vec<PathBuf> = etwkit_corpus::traces().into_iter().map(|(_, path)| path).collect();
    (!files.is_empty()).then_some(files)
}
