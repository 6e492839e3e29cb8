//! Original manifests of Windows (`../shared/corpus/manifests`).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

mod common;

use std::collections::BTreeMap;

use etwkit::decode::Fit;
use etwkit::parser::Parsers;
use etwkit::schema::{Schema, SchemaSource};
use etwkit::trace::{Filter, Order, Trace};
use etwkit_manifest::Manifests;

#[test]
fn every_event_of_every_manifest_has_a_schema() {
    let Some(corpus) = etwkit_corpus::folder() else { return };
    let manifests = Manifests::load([corpus.join("manifests")]).unwrap();
    assert!(manifests.skipped().is_empty(), "{:?}", manifests.skipped());
    let (mut providers, mut schemas, mut fields) = (0, 0, 0);
    let mut defects = Vec::new();
    for provider in manifests.providers() {
        providers += 1;
        for (id, version) in provider.events() {
            match provider.schema(id, version, SchemaSource::USER) {
                Ok(schema) => {
                    schemas += 1;
                    fields += schema.as_ref().map_or(0, |schema: &Schema| schema.fields().len());
                }
                Err(error) => defects.push(format!("{:?} {id} {version}: {error}", provider.name())),
            }
        }
    }
    println!("{providers} providers, {schemas} schemas, {fields} fields, {defects:#?}");
    assert!(defects.is_empty());
}

#[test]
fn windows_7_traces_decode_with_the_manifest_of_windows_8() {
    // The manifest states that the last field of the network events, `connid`, takes four bytes; it is a pointer.
    for (file, wanted) in [("tx/KernelNetwork.etl", [0, 8923, 0, 0]), ("tx/Process.etl", [10_343, 0, 0, 0])] {
        let Some(corpus) = etwkit_corpus::folder() else { return };
        let manifests = Manifests::load([corpus.join("manifests/SystemEvents.man")]).unwrap();
        let sources = common::sources(&[file]).unwrap();
        let trace = Trace::open_all(sources, Parsers::none().with(manifests)).unwrap();
        let mut counts = [0; 4];
        let mut odd: BTreeMap<String, u64> = BTreeMap::new();
        let mut events = trace.events_in(Order::File, &Filter::default());
        while let Some(event) = events.next().unwrap() {
            if event.raw().hook().is_some() {
                continue;
            }
            let place = match (event.schema(), event.fit()) {
                (None, _) => 3,
                (_, Fit::Exact) => 0,
                (_, Fit::Surplus) => 1,
                _ => 2,
            };
            counts[place] += 1;
            if place != 0 {
                let name = event.schema().and_then(|schema| schema.names().full());
                let misfit = event.misfit().map(|field| field.name.clone());
                let key = event.raw().key();
                let text = format!("{name:?} id {} version {} {:?} at {misfit:?}", key.id, key.version, event.fit());
                *odd.entry(text).or_default() += 1;
            }
        }
        println!("{file}: exact, surplus, misfit, no schema: {counts:?} {odd:#?}");
        assert_eq!(counts, wanted, "{file}");
    }
}
