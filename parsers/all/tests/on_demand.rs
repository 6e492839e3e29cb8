//! Tables are read a statement at a time, and give the same schemas as when they are read whole.
//!
//! The counts of one test are those of the process: the other tests of this program do not open traces, and compare
//! with tables of their own.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use etwkit::event::{EventKey, Kind};
use etwkit::input::Input;
use etwkit::parser::SchemaTables;
use etwkit::schema::{SchemaEntry, SchemaSelector, SchemaSource, text};
use etwkit::trace::Trace;

use etwkit_parsers::{clr, kernel, registered};

/// Every table that is built in.
fn all() -> impl Iterator<Item = &'static SchemaTables> {
    [kernel::tables(), clr::tables(), registered::overrides()].into_iter().chain(registered::tables())
}

#[test]
fn a_small_trace_reads_the_statements_of_its_events_only() {
    let bytes = include_bytes!("../../../fixtures/hello.etl").as_slice();
    let trace = Trace::open(Input::bytes("hello.etl", bytes), etwkit_parsers::standard()).unwrap();
    assert_eq!(trace.events_total(), 11);
    let read: Vec<_> =
        all().map(|tables| (tables.name(), tables.read_statements())).filter(|read| read.1 > 0).collect();
    // The log header and what a session adds to it.
    assert_eq!(read, [("kernel", 4)]);
}

#[test]
fn each_event_of_each_table_has_the_schema_of_the_whole_table() {
    for tables in all() {
        // Other statics, so that the test above counts its own trace only.
        let fresh = Box::leak(Box::new(SchemaTables::built_in("fresh", tables.guids(), tables.texts())));
        let entries: Vec<SchemaEntry> = tables.set().entries().collect();
        let events: usize = entries.iter().map(|entry| same(fresh, tables, entry)).sum();
        assert!(events >= entries.len(), "{}", tables.name());
        let statements = tables.texts().iter().map(|text| text.matches("\nevent ").count()).sum::<usize>();
        assert_eq!(fresh.read_statements(), statements, "{}", tables.name());
    }
}

/// Compares the schemas for the versions and builds at and around the ends of an entry's ranges.
fn same(fresh: &SchemaTables, tables: &SchemaTables, entry: &SchemaEntry) -> usize {
    let (first, last) = entry.versions.clone().into_inner();
    let (oldest, newest) = entry.builds.clone().into_inner();
    let versions = [first.saturating_sub(1), first, last, last.saturating_add(1)];
    let builds = [0, oldest, newest, newest.saturating_add(1), 7601, 19041, 22631];
    let (mut key, name) = key(&entry.select);
    let mut compared = 0;
    for version in versions {
        key.version = version;
        for build in builds {
            let whole = tables.set().choose(&key, name, build);
            assert_eq!(fresh.choose(&key, name, build), whole, "{} {key:?} {build}", tables.name());
            compared += usize::from(whole.is_some());
        }
    }
    compared
}

fn key(select: &SchemaSelector) -> (EventKey, Option<&str>) {
    let key = EventKey { kind: select.kind(), provider: select.guid(), id: 0, version: 0, opcode: 0, task: 0 };
    match select {
        SchemaSelector::Classic { opcode, .. } => (EventKey { opcode: *opcode, ..key }, None),
        SchemaSelector::Manifest { id, .. } => (EventKey { id: *id, ..key }, None),
        SchemaSelector::Wpp { number, .. } => (EventKey { id: *number, ..key }, None),
        SchemaSelector::TraceLogging { name, .. } => (key, Some(name)),
        other => panic!("{other:?}"),
    }
}

/// Statements where a search by lines would fail.
const ODD: &str = r#"provider "event id 9 {" {00000000-0000-0000-0000-000000000001} message "} class"
class C {00000000-0000-0000-0000-000000000002} map M values { 1 "}" 2 "\"{" } event opcode 1 A, #2 } {
  2 provider-guid {00000000-0000-0000-0000-000000000003} process-from #0 { event u32 # } "
  class u8 map #0
  Len u16
  Text utf16[#2] }
# event opcode 3 { }
map M values { 1 "second" }
event opcode 3 maps M, #0 message "{ %1 # }" { A u8 map #1
B struct x #0 { C u8 }
}event opcode 1 version 2.. user-data R(@a("{") "}") { A u32 }
event
  id 4, 4 { A u8 map "M" }
provider {00000000-0000-0000-0000-000000000004}
event name "\u{7d}\\" {}
event id 4 { A u8 }"#;

#[test]
fn statements_are_found_in_any_layout() {
    static TABLES: SchemaTables = SchemaTables::new("odd", SchemaSource::USER, &[], &[ODD, "event", ODD]);
    assert_eq!(text::parse(ODD).unwrap().len(), 8);
    let entries: Vec<SchemaEntry> = TABLES.set().entries().collect();
    assert_eq!(entries.len(), 16);
    for entry in &entries {
        assert!(same(&TABLES, &TABLES, entry) > 0);
    }
    assert_eq!(TABLES.read_statements(), 12);
    let unknown = EventKey { kind: Kind::Classic, opcode: 9, ..key(&entries[0].select).0 };
    assert_eq!(TABLES.choose(&unknown, None, 0), None);
}
