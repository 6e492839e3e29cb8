//! `etl_problems`: what is wrong with traces, and what they lost.

use std::ffi::CStr;

use etwkit::{Problem, Trace};
use etwkit_columns::DataType;

use crate::small_table::{Cell, SmallTable};
use crate::source::file_of;

/// The table.
#[derive(Debug)]
pub(crate) struct EtlProblems;

impl SmallTable for EtlProblems {
    const NAME: &'static CStr = c"etl_problems";
    const COLUMNS: &'static [(&'static str, DataType)] = &[
        ("file", DataType::Text),
        ("severity", DataType::Text),
        ("kind", DataType::Text),
        ("offset", DataType::Unsigned(64)),
        ("length", DataType::Unsigned(64)),
        ("detail", DataType::Text),
    ];

    fn rows(trace: &Trace) -> Vec<Vec<Cell>> {
        let changes = trace.changes();
        let rows = trace.problems().iter().chain(&changes).map(|problem| row(trace, problem));
        rows.chain(unlisted(trace)).collect()
    }
}

fn row(trace: &Trace, problem: &Problem) -> Vec<Cell> {
    vec![
        file_of(trace, problem).into(),
        problem.severity.name().into(),
        problem.kind.name().into(),
        Cell::Number(problem.offset),
        Cell::Number(problem.len),
        problem.detail.as_str().into(),
    ]
}

/// Says how many problems are not in the table.
fn unlisted(trace: &Trace) -> Option<Vec<Cell>> {
    let (all, damage) = (trace.unlisted_problems(), trace.unlisted_damage());
    let severity = if damage > 0 { "damage" } else { "note" };
    let detail = format!("{all} more problems, {damage} of them damage");
    let row = || vec![Cell::Null, severity.into(), "unlisted".into(), Cell::Null, Cell::Null, Cell::Text(detail)];
    (all > 0).then(row)
}
