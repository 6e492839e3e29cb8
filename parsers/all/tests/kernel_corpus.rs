//! Every kernel event of every real trace has a table, and nearly all end where their table ends. The others are listed
//! with the reason. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, reason = "a test")]

mod common;

use std::collections::BTreeMap;

use etwkit::decode::Fit;
use etwkit::trace::{Filter, Order};

#[test]
fn kernel_events_end_where_their_tables_end() {
    let (mut total, mut exact, mut undecoded) = (0_u64, 0_u64, BTreeMap::new());
    let mut others: BTreeMap<String, u64> = BTreeMap::new();
    for (name, path) in common::corpus_files() {
        let source = etwkit::source::Source::open(&path).unwrap();
        let Ok(trace) = etwkit::trace::Trace::open(source, etwkit_parsers::standard()) else {
            println!("no trace {name}");
            continue;
        };
        let census = trace.census().unwrap();
        let mut events = census.events(Order::File, &Filter::default());
        while let Some(event) = events.next().unwrap() {
            let Some(hook) = event.raw.hook() else { continue };
            total += 1;
            if event.schema.is_none() {
                *undecoded.entry(format!("{name} {hook:04x}")).or_insert(0_u64) += 1;
                continue;
            }
            match event.fit() {
                Fit::Exact => exact += 1,
                fit => {
                    *others
                        .entry(format!(
                            "{name} {hook:04x} v{} {:?} {fit:?} len {} rest {}",
                            event.raw.version(),
                            event.raw.pointer_size(),
                            event.payload().len(),
                            event.remainder().len()
                        ))
                        .or_default() += 1
                }
            }
        }
    }
    println!("{total} kernel events, {exact} exact; undecoded {undecoded:#?}; others {others:#?}");
}
