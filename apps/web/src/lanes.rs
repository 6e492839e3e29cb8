//! Lanes over time: those of reports.

use etwkit::Trace;
use etwkit_report::model::{LaneGroup, TimeAxis};
use etwkit_report::{ReportOptions, Section, page};
use serde::Serialize;

/// The lanes of a trace, and their axis.
#[derive(Debug, Serialize)]
pub(crate) struct Lanes {
    time: TimeAxis,
    lanes: Vec<LaneGroup>,
}

/// Reads the whole trace.
pub(crate) fn lanes(trace: &Trace) -> etwkit::Result<Lanes> {
    let page = page(trace, &ReportOptions::default().sections([Section::Lanes]).threads(1))?;
    Ok(Lanes { time: page.time, lanes: page.lanes })
}
