//! Lanes made of the rows of analyses.

use std::collections::BTreeMap;

use etwkit_analysis::{Column, Value};
use etwkit_browse::{Density, Extent};

use super::cut;
use crate::collect::MOST_INTERVALS;
use crate::model::{Heat, Lane, LaneData, LaneGroup};

/// What lanes are made of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows {
    /// The sum of a column over time.
    Sums {
        /// The column of the time.
        at: &'static str,
        /// The column that is added up; each row counts 1 if it is empty.
        sum: &'static str,
    },
    /// Times with a value each.
    Points {
        /// The column of the time.
        at: &'static str,
        /// The column of the value.
        value: &'static str,
    },
    /// Times with a text each.
    Marks {
        /// The column of the time.
        at: &'static str,
        /// The column of the text.
        text: &'static str,
    },
    /// The milliseconds of each interval that something took; intervals are equally long.
    Shares {
        /// The column of the begin.
        at: &'static str,
        /// The column of the milliseconds.
        value: &'static str,
    },
}

/// A group of lanes to be made: what it shows, and the columns that say which lane a row is of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupOfRows {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) by: &'static [&'static str],
    pub(crate) rows: Rows,
}

/// The lanes of a group, while rows are added: of a row, only what a lane shows is kept.
#[derive(Debug)]
pub(crate) struct RowLanes {
    group: GroupOfRows,
    extent: Extent,
    at: usize,
    value: usize,
    by: Vec<usize>,
    of_lane: BTreeMap<String, Vec<(i64, Shown)>>,
}

/// What a lane shows of a row.
#[derive(Debug)]
enum Shown {
    Nothing,
    Number(f64),
    Text(String),
}

impl RowLanes {
    /// Begins without rows.
    pub(crate) fn new(group: GroupOfRows, columns: &[Column], extent: Extent) -> Self {
        let place = |name: &str| columns.iter().position(|column| column.name == name).unwrap_or(usize::MAX);
        let (at, value) = match group.rows {
            Rows::Sums { at, sum: value }
            | Rows::Points { at, value }
            | Rows::Marks { at, text: value }
            | Rows::Shares { at, value } => (place(at), place(value)),
        };
        let by = group.by.iter().map(|name| place(name)).collect();
        Self { group, extent, at, value, by, of_lane: BTreeMap::new() }
    }

    /// Adds a row, if it has a time.
    pub(crate) fn add(&mut self, row: &[Value]) {
        if let Some(Value::Time(time)) = row.get(self.at) {
            let shown = (self.extent.units(*time), self.shown(row));
            self.of_lane.entry(label(row, &self.by)).or_default().push(shown);
        }
    }

    /// Makes the lanes.
    pub(crate) fn into_group(self) -> LaneGroup {
        let Self { group, of_lane, .. } = self;
        let mut lanes: Vec<Lane> = of_lane.into_iter().map(|(label, rows)| lane(&group, label, rows)).collect();
        if !matches!(group.rows, Rows::Shares { .. }) {
            lanes.sort_by(|a, b| b.total.total_cmp(&a.total));
        }
        let GroupOfRows { id, title, about, unit, .. } = group;
        LaneGroup { id, title, about, unit, left_out: cut(&mut lanes, MOST_LANES), lanes, excess: 0 }
    }

    fn shown(&self, row: &[Value]) -> Shown {
        match (self.group.rows, row.get(self.value)) {
            (Rows::Marks { .. }, Some(Value::Text(text))) => Shown::Text(crate::tables::cut_text(text)),
            (Rows::Marks { .. }, _) => Shown::Nothing,
            (Rows::Sums { .. }, None) => Shown::Number(1.0),
            (_, Some(Value::Integer(number))) => Shown::Number(*number as f64),
            (_, Some(Value::Real(number))) => Shown::Number(*number),
            _ => Shown::Nothing,
        }
    }
}

impl Shown {
    const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

fn lane(group: &GroupOfRows, label: String, mut rows: Vec<(i64, Shown)>) -> Lane {
    rows.sort_by_key(|(at, _)| *at);
    let (total, data) = match group.rows {
        Rows::Sums { .. } => sums(&rows),
        Rows::Points { .. } => points(&rows),
        Rows::Marks { .. } => marks(rows),
        Rows::Shares { .. } => shares(&rows),
    };
    // Rows of processors and disks have their numbers alone.
    let label = match group.by {
        ["processor"] => format!("CPU {label}"),
        ["disk", ..] => format!("disk {label}"),
        _ => label,
    };
    Lane { label, detail: String::new(), total, data }
}

fn label(row: &[Value], by: &[usize]) -> String {
    let text = |place: &usize| match row.get(*place) {
        Some(Value::Text(text)) => Some(text.clone()),
        Some(Value::Integer(number)) => Some(number.to_string()),
        _ => None,
    };
    by.iter().filter_map(text).collect::<Vec<_>>().join(" ")
}

fn sums(rows: &[(i64, Shown)]) -> (f64, LaneData) {
    let mut density = Density::new(1, MOST_INTERVALS);
    for (at, shown) in rows {
        density.add(0, *at, shown.number().unwrap_or(0.0));
    }
    density.fit(MOST_CELLS);
    (density.total(0), LaneData::Heat(Heat::of(&density, 0)))
}

fn points(rows: &[(i64, Shown)]) -> (f64, LaneData) {
    let mut all: Vec<(i64, f64)> = rows.iter().filter_map(|(at, shown)| Some((*at, shown.number()?))).collect();
    let total = all.iter().map(|(_, value)| value).sum();
    if all.len() > MOST_POINTS {
        // The largest ones are those that are looked for.
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(MOST_POINTS);
        all.sort_by_key(|(at, _)| *at);
    }
    (total, LaneData::Points(all))
}

fn marks(rows: Vec<(i64, Shown)>) -> (f64, LaneData) {
    let total = rows.len() as f64;
    let mark = |(at, shown)| match shown {
        Shown::Text(text) => Some((at, text)),
        _ => None,
    };
    let marks: Vec<(i64, String)> = rows.into_iter().filter_map(mark).take(MOST_MARKS).collect();
    (total, LaneData::Marks(marks))
}

fn shares(rows: &[(i64, Shown)]) -> (f64, LaneData) {
    let times: Vec<i64> = rows.iter().map(|(at, _)| *at).collect();
    let step = times.windows(2).filter_map(|pair| Some(pair.last()? - pair.first()?)).filter(|step| *step > 0).min();
    let (step, start) = (step.unwrap_or(MILLISECOND), times.first().copied().unwrap_or(0));
    let (mut cells, mut before, mut total) = (Vec::new(), 0, 0.0);
    for (at, shown) in rows {
        let (cell, value) = ((at - start) / step, shown.number().unwrap_or(0.0));
        cells.extend([(cell - before) as f64, value]);
        (before, total) = (cell, total + value);
    }
    (total, LaneData::Heat(Heat { start, step, cells, full: Some(step as f64 / MILLISECOND as f64) }))
}

/// Units of a millisecond.
const MILLISECOND: i64 = 10_000;
/// Lanes of a group.
const MOST_LANES: usize = 24;
/// Intervals of a lane.
const MOST_CELLS: usize = 4_000;
/// Values of a lane: the largest.
const MOST_POINTS: usize = 4_000;
/// Marks of a lane.
const MOST_MARKS: usize = 1_000;
