//! Blobs of real traces (`../shared/corpus`, or `$ETWKIT_SHARED/corpus`).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

use std::collections::{BTreeMap, BTreeSet};

use etwkit::decode::Fit;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::render::write_message;
use etwkit::schema::SchemaSource as Origin;
use etwkit::trace::{Filter, Order, Trace};
use etwkit::{EventType, ProblemKind};
use etwkit_tei::TraceEventInfo;

fn census(files: &[&str]) -> Option<Trace> {
    let corpus = etwkit_corpus::folder()?;
    let sources = files.iter().map(|file| Input::open(corpus.join(file)).unwrap());
    Some(Trace::open_all(sources, Parsers::none().with(TraceEventInfo::new())).unwrap())
}

/// Events that a blob decodes by fit: exact, surplus, misfit. Each misfit is printed once per key.
fn fits(trace: &Trace) -> [u64; 3] {
    let mut fits = [0; 3];
    let mut odd: BTreeMap<String, u64> = BTreeMap::new();
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        let Some(schema) = event.schema() else { continue };
        assert_eq!(schema.origin().source, Origin::TRACE_EVENT_INFO);
        fits[match event.fit() {
            Fit::Exact => 0,
            Fit::Surplus => 1,
            _ => 2,
        }] += 1;
        if event.fit() != Fit::Exact {
            let name = schema.names().full().unwrap_or_default();
            let provider = schema.names().provider.clone().unwrap_or_default();
            *odd.entry(format!("{provider}/{name} id {} {:?}", event.raw().id(), event.fit())).or_default() += 1;
        }
    }
    println!("{odd:#?}");
    fits
}

/// Providers that have blobs, with their events, and those of them that no blob decodes.
fn left(trace: &Trace) -> BTreeMap<String, u64> {
    let named: BTreeSet<_> =
        trace.types().iter().filter(|row| row.schema().is_some()).map(|row| row.key().provider).collect();
    let without = trace.types().iter().filter(|row| row.schema().is_none() && named.contains(&row.key().provider));
    let name = |row: &EventType| format!("{} {} {}", row.key().provider, row.key().id, row.key().version);
    without.map(|row| (name(row), row.events())).collect()
}

fn check(files: &[&str], wanted: [u64; 3]) {
    let Some(trace) = census(files) else { return };
    println!("{files:?}: not in the blobs: {:?}", left(&trace));
    let found = fits(&trace);
    println!("{files:?}: exact, surplus, misfit: {found:?}");
    let bad: Vec<_> = trace.problems().iter().filter(|problem| problem.kind == ProblemKind::BadSchema).collect();
    assert!(bad.is_empty(), "{bad:?}");
    assert_eq!(found, wanted, "{files:?}");
}

#[test]
fn net_x64_decodes_with_its_own_blobs() {
    // The surplus is CLRStackWalk: the manifest states two frames, the payload has as many as FrameCount (section 9.3).
    check(&["perfview/net.4.5.2.x64.etl"], [51_411, 14_983, 0]);
}

#[test]
fn a_sibling_file_has_the_blobs() {
    check(&["diaghub/diaghub.etl"], [0, 0, 0]);
    check(&["diaghub/diaghub.user_paged.1.etl"], [0, 0, 0]);
    let all = ["diaghub.etl", "diaghub.kernel.1.etl", "diaghub.user_injected.1.etl", "diaghub.user_paged.1.etl"];
    let all: Vec<_> = all.iter().map(|file| format!("diaghub/{file}")).collect();
    check(&all.iter().map(String::as_str).collect::<Vec<_>>(), [21_775, 0, 0]);
}

#[test]
fn the_small_traces() {
    check(&["misc/ebpforwindows.etl"], [0, 0, 0]);
    check(&["misc/eventlog.etl"], [0, 0, 0]);
    check(&["misc/example.etl"], [0, 0, 0]);
    check(&["misc/ms-rpc-capture-arrays.etl"], [86, 0, 0]);
    check(&["misc/msbuild-compressed32.etl"], [5759, 0, 0]);
    check(&["misc/powershell.etl"], [0, 0, 0]);
    check(&["misc/test.etl"], [0, 0, 0]);
    check(&["pktmon/PktMon.etl"], [403, 0, 0]);
}

/// GUID inserts have no braces, bytes are `0x` and upper-case digits, names of values end in a blank, as in the text
/// that `pktmon format` writes.
#[test]
fn messages_of_pktmon_have_its_own_form() {
    let Some(trace) = census(&["pktmon/PktMon.etl"]) else { return };
    let mut messages = BTreeSet::new();
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        let Some(message) = event.schema().and_then(|schema| schema.message()) else { continue };
        let mut text = String::new();
        write_message(&mut text, message, &event, event.clock());
        messages.insert(text);
    }
    for wanted in [
        "PktGroupId 1071654, PktNumber 1, Appearance 1, Direction Rx , Type Ethernet , Component 59, Edge 1, Filter 1, \
         OriginalSize 98, LoggedSize 98",
        "Property: Component 70, EtherType  = IPv6 ",
        "Property: Component 59, IfGuid  = 118a0b65-21aa-4792-b280-a96a7bf592b3",
        "Property: Component 58, PhysAddress  = 0x0022487BB380",
        "Property: Component 75, IP Address  = 10.9.1.22",
        "Packet Filter 1, Name eth3, MAC-1 0x0022487BB380, MAC-2 0x000000000000, EtherType 0, VlanId 0, IP-1 0.0.0.0, \
         IP-2 0.0.0.0, Protocol 0, Port-1 0, Port-2 0, TCPFlags 0",
        "Component 75, Type HTTP Protocol , Name http.sys, HTTP",
    ] {
        assert!(messages.contains(wanted), "{wanted}: {messages:#?}");
    }
}
