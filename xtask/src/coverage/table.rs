//! `docs/coverage.md`: what each group of events was verified on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use etwkit::bytes::Guid;
use etwkit::decode::Fit;
use etwkit::event::Kind;
use etwkit::input::Input;
use etwkit::schema::{Len, Schema, Wire};
use etwkit::trace::{Filter, Order, Trace};

use crate::Done;

type Made<T> = Result<T, Box<dyn std::error::Error>>;

/// Whether an event is classic, its class or provider, its opcode or id.
type Key = (bool, Guid, u16);

/// The mark before the tables.
const MARK: &str = "<!-- The rest is written by `cargo xtask coverage --table`. -->\n";

/// An event of the facts.
#[derive(Debug)]
struct Event {
    parser: String,
    group: String,
    key: Key,
    /// Whether the test of `parsers/all` makes payloads of it.
    made: bool,
}

/// Events by what they were verified on.
#[derive(Debug, Default)]
struct Row {
    events: usize,
    real: usize,
    made: usize,
    documents: usize,
}

/// Writes the tables after the mark.
pub(super) fn write(folder: &Path, shared: &Path) -> Done {
    let (seen, traces) = seen(&shared.join("corpus"))?;
    let (mut parsers, mut groups): (BTreeMap<String, Row>, BTreeMap<(String, String), Row>) = <_>::default();
    for event in events(folder)? {
        let is_seen = seen.contains(&event.key);
        parsers.entry(event.parser.clone()).or_default().add(is_seen, event.made);
        groups.entry((event.parser, event.group)).or_default().add(is_seen, event.made);
    }
    let total = parsers.values().fold(Row::default(), |all, row| Row {
        events: all.events + row.events,
        real: all.real + row.real,
        made: all.made + row.made,
        documents: all.documents + row.documents,
    });
    let mut out = format!("\nReal: {traces} traces of the corpus.\n\n{}", head("parser"));
    for (parser, row) in &parsers {
        out += &row.line(&format!("`{parser}`"));
    }
    out += &total.line("**all**");
    out += "\n## By group\n\n";
    out += &head("group");
    for ((parser, group), row) in &groups {
        out += &row.line(&format!("{group} (`{parser}`)"));
    }
    let path = folder.join("../../../../docs/coverage.md");
    let text = fs::read_to_string(&path)?;
    let (before, _) = text.split_once(MARK).ok_or("docs/coverage.md has no mark")?;
    fs::write(&path, format!("{before}{MARK}{out}"))?;
    println!(
        "{} events: {} real, {} made payloads, {} documents only",
        total.events, total.real, total.made, total.documents
    );
    Ok(())
}

fn head(what: &str) -> String {
    format!("| {what} | events | real traces | made payloads only | documents only |\n|---|---:|---:|---:|---:|\n")
}

impl Row {
    fn add(&mut self, real: bool, made: bool) {
        self.events += 1;
        self.real += usize::from(real);
        self.made += usize::from(!real && made);
        self.documents += usize::from(!real && !made);
    }

    fn line(&self, name: &str) -> String {
        format!("| {name} | {} | {} | {} | {} |\n", self.events, self.real, self.made, self.documents)
    }
}

/// Returns the events of the condensed facts.
fn events(folder: &Path) -> Made<Vec<Event>> {
    let unread = fs::read_to_string(folder.join("unread.txt"))?;
    let unread: BTreeSet<&str> = unread.lines().collect();
    let mut events = Vec::new();
    for name in super::fact_files::FILES {
        let text = fs::read_to_string(folder.join("facts").join(name).with_extension("txt"))?;
        let mut parser = "";
        for line in text.lines() {
            match line.split(' ').collect::<Vec<_>>().as_slice() {
                ["parser", name] => parser = name,
                ["event", kind, guid, number, event, _] => events.push(Event {
                    parser: parser.trim_end_matches("TraceEventParser").into(),
                    group: event.split('/').next().unwrap_or_default().into(),
                    key: (*kind == "classic", guid.parse()?, number.parse()?),
                    made: !unread.contains(format!("{name} {event}").as_str()),
                }),
                _ => {}
            }
        }
    }
    Ok(events)
}

/// Returns the events of all traces below a folder whose payload is exactly that of their schema, and how many traces
/// there are.
fn seen(folder: &Path) -> Made<(BTreeSet<Key>, usize)> {
    let (mut seen, mut traces) = (BTreeSet::new(), 0);
    for path in traces_below(folder)? {
        // Some files of the corpus are there to be refused.
        let Ok(trace) = Trace::open(Input::open(&path)?, etwkit_parsers::standard()) else { continue };
        traces += 1;
        let mut events = trace.events_in(Order::File, &Filter::default());
        while let Some(event) = events.next()? {
            if event.fit() == Fit::Exact && !event.schema().is_some_and(is_a_lump) {
                let key = event.raw().key();
                let classic = key.kind == Kind::Classic;
                seen.insert((classic, key.provider, if classic { key.opcode.into() } else { key.id }));
            }
        }
    }
    Ok((seen, traces))
}

/// Returns whether a schema fits whatever comes: its layout is not known.
fn is_a_lump(schema: &Schema) -> bool {
    matches!(schema.fields(), [field] if field.wire == Wire::Bytes { len: Len::Rest })
}

fn traces_below(folder: &Path) -> Made<Vec<PathBuf>> {
    let (mut folders, mut found) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "etl") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
