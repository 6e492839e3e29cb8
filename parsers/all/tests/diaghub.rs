//! Four files of one Visual Studio collection, read as one trace (`../shared/corpus`, or `$ETWKIT_SHARED/corpus`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use etwkit::source::Source;
use etwkit::trace::{Census, Filter, Order, Trace};

/// The trace, or a loud note that the corpus is not there.
fn census() -> Option<Census> {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into();
    let shared: PathBuf = std::env::var_os("ETWKIT_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("corpus/diaghub");
    if !folder.is_dir() {
        println!("SKIPPED: no corpus at {}; set ETWKIT_SHARED", folder.display());
        return None;
    }
    let names = ["diaghub.etl", "diaghub.kernel.1.etl", "diaghub.user_injected.1.etl", "diaghub.user_paged.1.etl"];
    let sources = names.iter().map(|name| Source::open(folder.join(name)).unwrap()).collect();
    Some(Trace::open_all(sources, etwkit_parsers::standard()).unwrap().census().unwrap())
}

#[test]
fn names() {
    let Some(census) = census() else { return };
    let mut names: BTreeMap<String, u64> = BTreeMap::new();
    let mut events = census.events(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        let name = event.schema.and_then(|schema| schema.names().full()).unwrap_or_default();
        let provider = event.schema.and_then(|schema| schema.names().provider.clone()).unwrap_or_default();
        *names.entry(format!("{provider}/{name} {} {}", event.raw.provider(), event.raw.id())).or_default() += 1;
    }
    println!("{names:#?}");
}
