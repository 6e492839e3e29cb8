//! Pages of all fixtures and of the real traces.
#![allow(
    clippy::float_cmp,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test"
)]

use std::path::{Path, PathBuf};

use etwkit::trace::Trace;
use etwkit_report::model::{LaneData, Page};
use etwkit_report::{ReportOptions, html, page};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("fixtures");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "etl" || kind == "btl"));
    paths.sort();
    assert!(paths.len() > 30, "{paths:?}");
    paths
}

fn open(path: &Path) -> Option<Trace> {
    Trace::open(path, etwkit_parsers::with_stacks(etwkit_parsers::standard())).ok()
}

/// The sums of the lanes of a group.
fn total(page: &Page, group: &str) -> f64 {
    let lanes = page.lanes.iter().find(|found| found.id == group).map_or(&[][..], |found| &found.lanes);
    lanes.iter().map(|lane| lane.total).sum()
}

/// What a page states is what the trace has.
fn check(path: &Path, trace: &Trace, page: &Page) {
    let name = path.display();
    let tile = |id: &str| page.tiles.iter().find(|tile| tile.id == id).map(|tile| tile.value.clone());
    assert_eq!(tile("events"), Some(trace.events_total().to_string()), "{name}");
    assert_eq!(tile("undecoded"), Some(trace.decoded().1.to_string()), "{name}");
    let has_times = trace.files().iter().all(|file| !file.head.is_missing());
    if has_times {
        assert_eq!(total(page, "providers"), trace.events_total() as f64, "{name}");
    }
    for lane in page.lanes.iter().flat_map(|group| &group.lanes) {
        if let LaneData::Heat(heat) = &lane.data {
            let sum: f64 = heat.cells.iter().skip(1).step_by(2).sum();
            assert!((sum - lane.total).abs() <= lane.total.abs() * 1e-9, "{name}: {}", lane.label);
        }
    }
    for table in &page.tables {
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{name}: {}", table.id);
    }
    let events = page.tables.iter().find(|table| table.id == "events").unwrap();
    let place = events.columns.iter().position(|column| column.name == "count").unwrap();
    let counted: u64 = events.rows.iter().map(|row| serde_json::to_value(&row[place]).unwrap().as_u64().unwrap()).sum();
    assert!(events.left_out > 0 || counted == trace.events_total(), "{name}: {counted}");
}

#[test]
fn pages_of_fixtures_say_what_the_traces_have() {
    let mut pages = 0;
    for path in fixtures() {
        let Some(trace) = open(&path).filter(|trace| trace.events_total() > 0) else { continue };
        let page = page(&trace, &ReportOptions::default()).unwrap();
        check(&path, &trace, &page);
        pages += 1;
    }
    assert!(pages > 30, "{pages}");
}

#[test]
fn pages_do_not_depend_on_the_number_of_threads() {
    for path in fixtures().into_iter().filter(|path| path.to_string_lossy().contains("scheduling")) {
        let trace = open(&path).unwrap();
        let text = |threads| {
            let mut out = Vec::new();
            html(&page(&trace, &ReportOptions::default().threads(threads)).unwrap(), &mut out).unwrap();
            out
        };
        assert!(text(1) == text(3), "{}", path.display());
    }
}

#[test]
fn pages_of_real_traces_are_small_and_say_what_the_traces_have() {
    for (_, path) in etwkit_corpus::traces() {
        let Some(trace) = open(&path).filter(|trace| trace.events_total() > 0) else { continue };
        let page = page(&trace, &ReportOptions::default()).unwrap();
        check(&path, &trace, &page);
        let mut out = Vec::new();
        html(&page, &mut out).unwrap();
        assert!(out.len() < 4 << 20, "{}: {}", path.display(), out.len());
    }
}
