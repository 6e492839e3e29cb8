//! Manifests in real traces (`../shared/corpus`, or `$ETWKIT_SHARED/corpus`).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

mod common;

use std::collections::BTreeMap;

use common::sources;
use etwkit::ProblemKind;
use etwkit::decode::Fit;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_manifest::EventSourceManifests;

fn census(files: &[&str]) -> Option<Trace> {
    let parsers = Parsers::none().with(EventSourceManifests::new());
    Some(Trace::open_all(sources(files)?, parsers).unwrap())
}

/// Events that a manifest decodes by fit: exact, surplus, misfit; and those of its providers that it does not.
fn tally(trace: &Trace) -> ([u64; 3], u64) {
    let known = trace.types().iter().filter(|row| row.schema().is_some());
    let providers: Vec<_> = known.map(|row| row.key().provider).collect();
    let (mut fits, mut left) = ([0; 3], 0);
    let mut odd: BTreeMap<String, u64> = BTreeMap::new();
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        let Some(schema) = event.schema() else {
            left += u64::from(providers.contains(&event.raw().provider_guid()));
            continue;
        };
        fits[match event.fit() {
            Fit::Exact => 0,
            Fit::Surplus => 1,
            _ => 2,
        }] += 1;
        if event.fit() != Fit::Exact {
            *odd.entry(format!("{:?} {:?}", schema.names().full(), event.fit())).or_default() += 1;
        }
    }
    println!("{odd:?}");
    (fits, left)
}

fn check(files: &[&str], wanted: [u64; 3]) {
    let Some(trace) = census(files) else { return };
    let bad: Vec<_> = trace.problems().iter().filter(|problem| problem.kind == ProblemKind::BadSchema).collect();
    assert!(bad.is_empty(), "{bad:?}");
    let (fits, left) = tally(&trace);
    println!("{files:?}: exact, surplus, misfit: {fits:?}, events of these providers without schema: {left}");
    assert_eq!((fits, left), (wanted, 0), "{files:?}");
}

#[test]
fn every_event_of_a_source_with_a_manifest_decodes() {
    // The two are PerfView's ClrEnableParameters: its manifest states that `level`, an enumeration, takes four bytes,
    // and the EventSource wrote eight.
    check(&["perfview/net.4.5.2.x64.etl"], [120, 2, 0]);
    let all = ["diaghub.etl", "diaghub.kernel.1.etl", "diaghub.user_injected.1.etl", "diaghub.user_paged.1.etl"];
    let all = all.map(|name| format!("diaghub/{name}"));
    check(&all.each_ref().map(String::as_str), [20, 0, 0]);
    check(&["misc/msbuild-compressed32.etl"], [5795, 0, 0]);
    check(&["misc/ms-rpc-capture-arrays.etl"], [56, 0, 0]);
}
