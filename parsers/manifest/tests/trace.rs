//! Manifests in real traces (`../shared/corpus`, or `$ETWKIT_SHARED/corpus`).

mod common;

use std::collections::BTreeMap;

use common::sources;
use etwkit::decode::Fit;
use etwkit::parser::Parsers;
use etwkit::trace::{Census, Filter, Order, Trace};
use etwkit_manifest::EventSourceManifests;

fn census(files: &[&str]) -> Option<Census> {
    let parsers = Parsers::none().with(EventSourceManifests::new());
    Some(Trace::open_all(sources(files)?, parsers).unwrap().census().unwrap())
}

/// Events by name and fit; and those of its providers that have no schema.
fn tally(census: &Census) -> (BTreeMap<String, [u64; 3]>, u64) {
    let providers: Vec<_> = census.keys().filter(|(id, _)| census.schema(*id).is_some()).map(|(_, key)| key.key.provider).collect();
    let mut names: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    let mut left = 0;
    let mut events = census.events(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        let Some(schema) = event.schema else {
            left += u64::from(providers.contains(&event.raw.provider()));
            continue;
        };
        let name = format!("{}/{}", schema.names().provider.as_deref().unwrap_or("?"), schema.names().full().unwrap_or_default());
        let fits = names.entry(name).or_default();
        fits[match event.fit() {
            Fit::Exact => 0,
            Fit::Surplus => 1,
            _ => 2,
        }] += 1;
    }
    (names, left)
}

#[test]
fn all() {
    for files in [
        &["perfview/net.4.5.2.x64.etl"][..],
        &["diaghub/diaghub.etl", "diaghub/diaghub.kernel.1.etl", "diaghub/diaghub.user_injected.1.etl", "diaghub/diaghub.user_paged.1.etl"],
        &["misc/msbuild-compressed32.etl"],
        &["misc/ms-rpc-capture-arrays.etl"],
        &["misc/ebpforwindows.etl"],
        &["misc/example.etl"],
        &["misc/powershell.etl"],
        &["misc/test.etl"],
        &["misc/eventlog.etl"],
        &["pktmon/PktMon.etl"],
        &["perfview/SelfDescribingSingleEvent.etl"],
    ] {
        let Some(census) = census(files) else { return };
        println!("{files:?}: {} events {:#?}", census.events_total(), tally(&census));
        println!("{:?}", census.problems().iter().filter(|p| p.kind == "bad-schema").collect::<Vec<_>>());
    }
}
