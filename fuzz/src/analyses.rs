//! Answers about traces.

use etwkit::output::Tally;
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_analysis::{Analysis, Row, Together, Value};

use crate::every_analysis::each;
use crate::traces;

/// Asks one question of a trace (see `traces::file`), which three bits of the first byte choose: the rows of all
/// analyses, each of which must have a value for each column, and numbers that are numbers; a check, requests, a baseline,
/// spans, profiles, groups.
pub fn analyses(data: &[u8]) {
    let Some(file) = traces::file(data) else { return };
    let Some(trace) = traces::open(&file) else { return };
    let options = RunOptions::default().threads(1);
    let answered = match data.first().map_or(0, |kind| (kind >> 1) & 7) {
        0 => etwkit_check::check(&trace).map(drop),
        1 => etwkit_http_requests::requests(&trace, &options).map(drop),
        2 => etwkit_baseline::write_baseline(&trace, &<_>::default(), &mut Vec::new()).map(drop),
        3 => spans(&trace, &options),
        4 => profiles(&trace, &options),
        5 => tally(&trace, &options),
        _ => rows(&trace, &options),
    };
    assert!(answered.is_ok(), "memory can be read: {answered:?}");
}

fn rows(trace: &Trace, options: &RunOptions) -> etwkit::Result<()> {
    let mut together = Together::new(trace);
    let mut columns = Vec::new();
    macro_rules! add { ($($analysis:path,)*) => { $(
        assert!(together.add::<$analysis>(&Filter::default()).is_ok(), "no filter is too much for an analysis");
        columns.push(<$analysis as Analysis>::Row::COLUMNS);
    )* } }
    each!(add);
    trace.run(options, &mut together)?;
    for (values, columns) in together.finish().iter().zip(columns) {
        for row in &values.rows {
            assert_eq!(row.len(), columns.len());
            let is_number = |value: &Value| !matches!(value, Value::Real(real) if !real.is_finite());
            assert!(row.iter().all(is_number), "{row:?}");
        }
    }
    Ok(())
}

fn spans(trace: &Trace, options: &RunOptions) -> etwkit::Result<()> {
    let what = etwkit_spans::SpanOptions { keep: etwkit_spans::Keep::Tree, ..<_>::default() };
    let spans = etwkit_spans::spans(trace, what, options)?;
    let mut listed = 0;
    spans.tree().rows(|_| listed += 1);
    assert!(listed <= spans.list().len(), "a span is in the tree once");
    let mut json = Vec::new();
    assert!(spans.tree().chrome(&mut json).is_ok(), "memory takes everything");
    assert!(serde_json::from_slice::<serde_json::Value>(&json).is_ok());
    Ok(())
}

fn profiles(trace: &Trace, options: &RunOptions) -> etwkit::Result<()> {
    use etwkit_profile::{ProfileOptions, ThreadTime, profile, thread_time, weights};
    let what = ProfileOptions::default();
    let profiles = [
        profile(trace, weights::CpuSamples::new(trace)?, what, options)?,
        profile(trace, weights::Allocations::new(trace), what, options)?,
        profile(trace, weights::HardFaults, what, options)?,
        thread_time(trace, ThreadTime::Wall, what, options)?,
    ];
    for profile in &profiles {
        let own = profile.nodes().fold(0_u64, |sum, (_, node)| sum.saturating_add(node.own.weight));
        assert_eq!(own, profile.total().weight, "weights of nodes add up");
        let (mut picture, mut text) = (Vec::new(), Vec::new());
        assert!(etwkit_profile::flame_graph(profile, "fuzz", &mut picture).is_ok(), "memory takes everything");
        assert!(picture.ends_with(b"</svg>\n"));
        assert!(
            etwkit_profile::folded(profile, &mut text).is_ok() && etwkit_profile::call_tree(profile, &mut text).is_ok()
        );
    }
    Ok(())
}

fn tally(trace: &Trace, options: &RunOptions) -> etwkit::Result<()> {
    let Ok(selectors) = ["provider", "event"].map(str::parse).into_iter().collect::<Result<Vec<_>, _>>() else {
        panic!("these are selectors")
    };
    let mut tally = Tally::new(selectors)?;
    trace.run(options, &mut tally)?;
    let events: u64 = tally.into_groups().list.iter().map(|group| group.events).sum();
    assert_eq!(events, trace.events_total(), "each event is in a group");
    Ok(())
}
