//! Every registered event of the corpus, decoded. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use etwkit::decode::Fit;
use etwkit::event::Kind;
use etwkit::parser::Parsers;
use etwkit::schema::Source as Origin;
use etwkit::source::Source;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_registered::{Registered, overrides};

#[test]
fn registered_events_decode() {
    let Some(files) = corpus() else { return };
    let mut all = Tally::default();
    let mut worse = Vec::new();
    for file in &files {
        let (with, without) = (tally(file, with()), tally(file, without()));
        for (key, (_, exact, _)) in &without.keys {
            if with.keys.get(key).is_none_or(|(_, now, _)| now < exact) {
                worse.push(format!("{} {key}: {exact} were exact, now {:?}", file.display(), with.keys.get(key)));
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

/// Manifest events by provider, id and version: how many, how many exact, and by which source.
#[derive(Default)]
struct Tally {
    keys: BTreeMap<String, (u64, u64, &'static str)>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        for (key, (events, exact, source)) in other.keys {
            let entry = self.keys.entry(key).or_insert((0, 0, source));
            entry.0 += events;
            entry.1 += exact;
        }
    }

    /// Events, with a layout, exact.
    fn sums(&self) -> [u64; 3] {
        let known = self.keys.values().filter(|(.., source)| *source != "none").map(|row| row.0).sum();
        [self.keys.values().map(|row| row.0).sum(), known, self.keys.values().map(|row| row.1).sum()]
    }

    fn print(&self) {
        let mut sources = BTreeMap::<_, (u64, u64)>::new();
        for (events, exact, source) in self.keys.values() {
            let sum = sources.entry(source).or_default();
            *sum = (sum.0 + events, sum.1 + exact);
        }
        let [events, known, exact] = self.sums();
        println!("registered events {events}, with a schema {known}, exact {exact}; by source: {sources:?}");
        for (key, (events, exact, source)) in self.keys.iter().filter(|(_, row)| row.0 != row.1) {
            println!("  {key}: {exact} of {events} exact ({source})");
        }
    }
}

fn with() -> Parsers {
    Parsers::none().with(overrides()).with(etwkit_kernel::kernel()).with(etwkit_clr::clr()).with(Registered::new())
}

fn without() -> Parsers {
    Parsers::none().with(etwkit_kernel::kernel()).with(etwkit_clr::clr())
}

fn tally(file: &Path, parsers: Parsers) -> Tally {
    let mut tally = Tally::default();
    // Some of the corpus is no trace.
    let Ok(trace) = Source::open(file).and_then(|source| Trace::open(source, parsers)) else { return tally };
    let census = trace.census().unwrap();
    let mut events = census.events(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        let key = event.raw.key();
        // An EventSource tells its schema in the trace (id 65534 is that manifest): another parser's.
        if key.kind != Kind::Manifest || key.id == 0xfffe {
            continue;
        }
        let names = event.schema.map(|schema| schema.names().clone()).unwrap_or_default();
        let (name, full) = (names.provider.clone().unwrap_or_default(), names.full().unwrap_or_default());
        let text = format!("{} {name} {}v{} {full}", key.provider, key.id, key.version);
        let bare = |schema: &etwkit::schema::Schema| schema.fields().is_empty() && !event.payload().is_empty();
        let source = match event.schema {
            None => "none",
            Some(schema) if bare(schema) => "none",
            Some(schema) => schema.origin().source.name(),
        };
        let row = tally.keys.entry(text).or_insert((0, 0, source));
        row.0 += 1;
        row.1 += u64::from(event.fit() == Fit::Exact);
    }
    tally
}

/// What the tables and the pack call events whose names are known from Windows' own reports.
#[test]
fn names_are_what_windows_reports() {
    let Some(files) = corpus() else { return };
    let Some(file) = files.iter().find(|file| file.ends_with("tx/HTTP_Server.etl")) else { return };
    let census = Trace::open(Source::open(file).unwrap(), with()).unwrap().census().unwrap();
    let mut events = census.events(Order::File, &Filter::default());
    let mut names = BTreeMap::<_, u64>::new();
    while let Some(event) = events.next().unwrap() {
        let schema = event.schema.unwrap();
        assert_eq!(event.fit(), Fit::Exact);
        if schema.origin().source == Origin::Registered {
            *names.entry(schema.names().full().unwrap_or_default()).or_default() += 1;
        }
    }
    println!("{names:?}");
    assert!(names.contains_key("HTTPRequestTraceTask/RecvReq"));
}

fn corpus() -> Option<Vec<PathBuf>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = env::var_os("ETWKIT_SHARED").map_or(beside, PathBuf::from).join("corpus");
    let mut files = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "etl") {
                files.push(path);
            }
        }
    }
    files.sort();
    if files.is_empty() {
        eprintln!("SKIPPED: there is no corpus in {}", folder.display());
        return None;
    }
    Some(files)
}
