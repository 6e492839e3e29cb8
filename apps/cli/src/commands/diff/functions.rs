//! The functions of the CPU samples as a table.

use std::sync::Arc;

use etwkit::trace::RunOptions;
use etwkit_analysis::{Column, ColumnKind, Value};
use etwkit_diff::Table;
use etwkit_kernel_analyses::samples::INTEREST;
use etwkit_profile::weights::CpuSamples;
use etwkit_profile::{Function, ProfileCollector, ProfileOptions, Unit, functions};

use crate::failure::Failure;
use crate::session::Session;

const COLUMNS: &[Column] = &[
    Column { name: "function", kind: ColumnKind::Text, about: "Function." },
    Column {
        name: "inclusive_share",
        kind: ColumnKind::Real,
        about: "Share of all samples in it and below, in per cent.",
    },
    Column { name: "inclusive", kind: ColumnKind::Count, about: "Samples in it and in what it calls." },
    Column { name: "exclusive", kind: ColumnKind::Count, about: "Samples in it." },
];

/// The name of the table.
pub(super) const NAME: &str = "functions";

/// Whether a trace has samples.
pub(super) fn is_answerable(session: &Session) -> bool {
    INTEREST.events(session.trace()) > 0
}

/// The functions of a trace, and how many samples had no room in its call tree; none without samples.
pub(super) fn table(session: &Session, options: &RunOptions) -> Result<(Table, u64), Failure> {
    if !is_answerable(session) {
        return Ok((Table::new(NAME, COLUMNS, Vec::new()), 0));
    }
    let samples = Arc::new(CpuSamples::new(session.trace())?);
    let profile = ProfileOptions { unit: Unit::Samples, has_timeline: false };
    let (mut collector, options) = ProfileCollector::new(session.trace(), samples, profile).choosing(options);
    session.run(&options, &mut collector)?;
    let profile = collector.finish();
    let list = functions(&profile);
    let all: u64 = list.iter().map(|function| function.exclusive).sum();
    let rows = list.iter().map(|function| row(function, all)).collect();
    Ok((Table::new(NAME, COLUMNS, rows), profile.quality.cut))
}

#[expect(clippy::cast_precision_loss, reason = "samples of a trace are below 2^53")]
fn row(function: &Function, all: u64) -> Vec<Value> {
    let share = function.inclusive as f64 * 100.0 / all.max(1) as f64;
    vec![
        Value::Text(function.name.clone()),
        Value::Real(share),
        Value::Integer(function.inclusive.into()),
        Value::Integer(function.exclusive.into()),
    ]
}
