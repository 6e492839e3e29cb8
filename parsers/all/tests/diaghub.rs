//! Four files of one Visual Studio collection, read as one trace (`../shared/corpus`, or `$ETWKIT_SHARED/corpus`).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

use std::collections::BTreeMap;

use etwkit::decode::Fit;
use etwkit::input::Input;
use etwkit::trace::{Filter, Order, Trace, UndecodedReason};

fn census() -> Option<Trace> {
    let folder = etwkit_corpus::path("diaghub")?;
    let names = ["diaghub.etl", "diaghub.kernel.1.etl", "diaghub.user_injected.1.etl", "diaghub.user_paged.1.etl"];
    let sources = names.iter().map(|name| Input::open(folder.join(name)).unwrap());
    Some(Trace::open_all(sources, etwkit_parsers::standard()).unwrap())
}

#[test]
fn the_four_files_are_one_trace() {
    let Some(trace) = census() else { return };
    let mut names: BTreeMap<String, u64> = BTreeMap::new();
    let mut undecoded: BTreeMap<String, u64> = BTreeMap::new();
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        match event.schema().and_then(|schema| schema.names().full()) {
            Some(name) => *names.entry(name).or_default() += 1,
            None => *undecoded.entry(event.raw().provider_guid().to_string()).or_default() += 1,
        }
        assert_eq!(event.schema().is_some(), event.fit() != Fit::Misfit, "{:?}", event.raw().key());
    }
    let all = trace.events_total();
    // TraceEvent drops these when it makes its log; of what else it drops nothing is here.
    let dropped = names["Method/ILToNativeMap"];
    println!("{all} events, {dropped} dropped by TraceEvent, undecoded: {undecoded:?}");
    assert_eq!((all, all - dropped), (100_753, 95_506));
    assert_eq!(names["Activity2Stop/Stop"], 55);
    // Two providers of Visual Studio without a schema in any file: merging asks Windows about providers that are
    // registered, and an EventSource writes its manifest itself; these are neither.
    let wanted = [("6f669bfa-816a-4204-a824-47c8e6a00474", 2), ("9e5f9046-43c6-4f62-ba13-7b19896253ff", 3)];
    assert!(undecoded.iter().map(|(guid, count)| (&**guid, *count)).eq(wanted), "{undecoded:?}");
    let undecoded = trace.undecoded_types();
    assert!(undecoded.iter().all(|types| types.missing == UndecodedReason::Provider), "{undecoded:?}");
    let keys = undecoded.iter().flat_map(|types| &types.keys).map(|(key, events)| {
        let provider = key.provider.to_string();
        (provider.chars().take(8).collect::<String>(), key.id, key.version, *events)
    });
    let wanted = [("9e5f9046", 1, 2, 1), ("9e5f9046", 2, 1, 1), ("9e5f9046", 5, 0, 1), ("6f669bfa", 2, 0, 2)];
    let wanted = wanted.map(|(guid, id, version, events)| (guid.to_owned(), id, version, events));
    assert_eq!(keys.collect::<Vec<_>>(), wanted);
}
