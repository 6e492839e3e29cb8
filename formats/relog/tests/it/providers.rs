//! A file for each provider.

use etwkit::trace::{Filter, Glob, Trace};
use etwkit_relog::{CopyOptions, Parts, Split};

use crate::copies::{lines, parsers};

/// The class of the kernel's process events, which are few of the events of the kernel's provider.
const PROCESS: &str = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c";

#[test]
fn parts_have_no_events_that_the_filter_leaves_out() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scheduling.etl");
    let trace = Trace::open(path, parsers()).unwrap();
    let filter = Filter::default().providers([Glob::new(PROCESS)]);
    let options = CopyOptions::default().filter(filter.clone(), "");
    let parts = Parts::new(&trace, &options, Split::Provider).unwrap();
    assert_eq!(parts.list.iter().map(|part| &*part.label).collect::<Vec<_>>(), ["Windows Kernel"]);
    let (chosen, all) = (lines(&trace, &filter), lines(&trace, &Filter::default()));
    assert!(!chosen.is_empty() && chosen.len() < all.len());
    assert_eq!(lines(&trace, &parts.list[0].filter), chosen);
}
