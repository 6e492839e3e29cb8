//! The `WEVT_TEMPLATE` resource of a real binary: `clretwrc.dll` of .NET Core 3.1.23 (MIT), which is in the Python
//! package `dotnetcore2`:
//!
//! ```text
//! pip download dotnetcore2==3.1.23 --no-deps --only-binary=:all: --platform win_amd64
//! ```
//!
//! It is not kept in the repository: set `$ETWKIT_CLRETWRC` to its path. Compared with the facts of
//! `../shared/schemas`, which were made of Microsoft's `ClrEtwAll.man` and others by another program, and with the
//! `TRACE_EVENT_INFO` blobs of a trace.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use etwkit::bytes::Guid;
use etwkit::decode::Fit;
use etwkit::parser::Parsers;
use etwkit::schema::tdh::{self, InType, OutType, Property, Quantity, Shape};
use etwkit::schema::{Field, Schema, SchemaSource};
use etwkit::trace::{Filter, Order, Trace};
use etwkit_manifest::Manifests;
use serde_json::Value;

fn manifests() -> Option<Manifests> {
    let path = std::env::var_os("ETWKIT_CLRETWRC").map(PathBuf::from).filter(|path| path.is_file());
    let Some(path) = path else {
        etwkit_corpus::skipped("no clretwrc.dll; set ETWKIT_CLRETWRC");
        return None;
    };
    Some(Manifests::load([path]).unwrap())
}

#[test]
fn it_has_four_providers_with_names_messages_and_maps() {
    let Some(manifests) = manifests() else { return };
    let mut names: Vec<_> = manifests.providers().map(|p| (p.name().unwrap().to_owned(), p.events().count())).collect();
    names.sort();
    let clr = |name: &str| format!("Microsoft-Windows-DotNETRuntime{name}");
    assert_eq!(names, [(clr(""), 178), (clr("Private"), 183), (clr("Rundown"), 46), (clr("Stress"), 3)]);
    let runtime = manifests.providers().find(|p| p.name() == Some("Microsoft-Windows-DotNETRuntime")).unwrap();
    let start = runtime.schema(1, 2, SchemaSource::USER).unwrap().unwrap();
    assert_eq!(start.names().full().as_deref(), Some("GarbageCollection/Start"));
    assert_eq!(*start.names().keywords, [(1, "GCKeyword".into())]);
    assert!(start.message().is_some());
    let kind = start.fields().iter().find(|field| &*field.name == "Type").unwrap();
    assert_eq!(start.map(kind).and_then(|map| map.value(1)), Some("BackgroundGC"));
}

/// Name, form, count, presentation of a field; not its map, whose texts the facts may have from elsewhere.
fn shape(schema: &Schema) -> Vec<Field> {
    let mut fields = schema.fields().to_vec();
    for field in &mut fields {
        field.map = None;
    }
    fields
}

#[test]
fn its_layouts_are_those_of_the_facts() {
    let (Some(manifests), Some(corpus)) = (manifests(), etwkit_corpus::folder()) else { return };
    let text = std::fs::read_to_string(corpus.join("../schemas/manifest.jsonl")).unwrap();
    let (mut same, mut different, mut unknown) = (0, Vec::new(), Vec::new());
    for provider in manifests.providers() {
        let guid = provider.guid().to_string();
        let line = text.lines().find(|line| line.get(..80).is_some_and(|head| head.contains(&guid))).unwrap();
        let facts = Facts::new(&serde_json::from_str(line).unwrap());
        for (id, version) in provider.events() {
            let schema = provider.schema(id, version, SchemaSource::USER).unwrap().unwrap();
            match facts.layouts.get(&(id, version)) {
                None => unknown.push((provider.name(), id, version)),
                Some(layouts) if layouts.contains(&shape(&schema)) => same += 1,
                Some(_) => different.push((provider.name().unwrap().to_owned(), id, version)),
            }
        }
    }
    println!("{same} same, different: {different:?}, not in the facts: {unknown:?}");
    assert!(unknown.is_empty());
    // The facts correct CLRStackWalk, whose manifest states two frames.
    let stack_walks = [("", 82), ("Private", 151), ("Rundown", 0), ("Stress", 1)];
    let wanted: Vec<_> = stack_walks.map(|(name, id)| (format!("Microsoft-Windows-DotNETRuntime{name}"), id, 0)).into();
    different.sort();
    assert_eq!((same, different), (406, wanted));
}

/// Layouts of a provider's events.
struct Facts {
    layouts: BTreeMap<(u16, u8), Vec<Vec<Field>>>,
}

impl Facts {
    fn new(line: &Value) -> Self {
        let mut layouts: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for event in line["e"].as_array().unwrap() {
            let number = |at: usize| event[at].as_u64().unwrap();
            let variants = event[7].as_array().unwrap().iter().filter_map(|variant| variant[0].as_u64());
            let of_event = variants.map(|template| layout(line["T"][template as usize].as_array().unwrap()));
            layouts.insert((number(0) as u16, number(1) as u8), of_event.collect());
        }
        Self { layouts }
    }
}

fn layout(template: &[Value]) -> Vec<Field> {
    let mut flat: Vec<&Value> = template.iter().collect();
    let mut properties = Vec::new();
    let mut at = 0;
    while at < flat.len() {
        let field = flat[at];
        let members = field[6].as_array().map(Vec::as_slice).unwrap_or_default();
        let kind = |at: usize| field[at].as_u64().unwrap_or(0) as u16;
        let mut property = Property::new(field[0].as_str().unwrap(), InType(kind(1)), OutType(kind(2)));
        if !members.is_empty() {
            property.shape = Shape::Struct { first: flat.len() as u16, members: members.len() as u16 };
            flat.extend(members);
        }
        let quantity = |value: &Value| match (value.as_u64(), value.as_str()) {
            (Some(number), _) => Quantity::Fixed(number as u16),
            (_, Some(name)) => flat
                .iter()
                .position(|field| field[0] == *name)
                .map_or(Quantity::Default, |at| Quantity::Property(at as u16)),
            _ => Quantity::Default,
        };
        (property.length, property.count) = (quantity(&field[3]), quantity(&field[4]));
        properties.push(property);
        at += 1;
    }
    let mut builder = Schema::builder(SchemaSource::REGISTERED.into());
    tdh::compile(&properties, template.len(), &mut builder).unwrap();
    shape(&builder.build().unwrap())
}

#[test]
fn it_decodes_as_the_blobs_of_a_trace_do() {
    let (Some(manifests), Some(sources)) = (manifests(), common::sources(&["perfview/net.4.5.2.x64.etl"])) else {
        return;
    };
    let guids: Vec<Guid> = manifests.providers().map(etwkit_manifest::Provider::guid).collect();
    let trace = Trace::open_all(sources, Parsers::none().with(manifests)).unwrap();
    let blobs = Parsers::none().with(etwkit_tei::TraceEventInfo::new());
    let by_blob = Trace::open_all(common::sources(&["perfview/net.4.5.2.x64.etl"]).unwrap(), blobs).unwrap();
    let (mut keys, mut events, mut others, mut trees) = (0, 0, 0, 0);
    let mut corrected = BTreeSet::new();
    for (row, other) in trace.types().iter().zip(by_blob.types()) {
        let key = row.key();
        let (Some(mine), Some(blob)) = (row.schema(), other.schema()) else { continue };
        assert_eq!(shape(mine), shape(blob), "{key:?}");
        assert_eq!(mine.names().full(), blob.names().full(), "{key:?}");
        assert_eq!(mine.message(), blob.message(), "{key:?}");
        if mine.user_data() != blob.user_data() {
            corrected.insert((key.id, key.version));
        }
        trees += usize::from(mine.user_data().is_some());
        (keys, events) = (keys + 1, events + row.events());
        others += usize::from(mine.maps() != blob.maps() || mine.names() != blob.names());
    }
    println!("{keys} keys of {events} events equal; maps or keywords differ for {others}");
    // The binary is newer than the trace: some maps have more labels, an event has another keyword.
    assert_eq!((keys, others), (50, 10));
    println!("{trees} of them with elements of their own");
    // A number of a field was wrong there.
    assert_eq!((trees, corrected), (47, BTreeSet::from([(158, 1)])));
    let mut fits = [0; 3];
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        assert!(event.schema().is_some() || !guids.contains(&event.raw().provider_guid()), "{:?}", event.raw().key());
        if event.schema().is_none() {
            continue;
        }
        fits[match event.fit() {
            Fit::Exact => 0,
            Fit::Surplus => 1,
            _ => 2,
        }] += 1;
    }
    println!("exact, surplus, misfit: {fits:?}");
    // The surplus is CLRStackWalk.
    assert_eq!(fits, [52_121, 15_247, 0]);
}
