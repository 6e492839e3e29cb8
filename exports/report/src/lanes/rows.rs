//! Lanes made of the rows of analyses.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit_analysis::{Column, Value};
use etwkit_browse::{Density, Extent};

use super::cut;
use super::marks::FirstMarks;
use super::packed_rows::PackedRows;
use super::points::Points;
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

/// A group of lanes to be made: what it shows, and the columns that state which lane a row is of.
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
    of_lane: BTreeMap<String, LaneRows>,
}

/// The rows of a lane.
#[derive(Debug)]
enum LaneRows {
    Sums(PackedRows),
    Points(Points),
    Marks(FirstMarks),
    Shares(PackedRows),
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
        let Some(Value::Time(time)) = row.get(self.at) else { return };
        let (at, value) = (self.extent.units(*time), row.get(self.value));
        let rows = self.of_lane.entry(label(row, &self.by)).or_insert_with(|| LaneRows::new(self.group.rows));
        match rows {
            LaneRows::Sums(rows) => rows.add(at, value.map_or(Some(1.0), Value::as_f64)),
            LaneRows::Points(rows) => rows.add(at, value.and_then(Value::as_f64)),
            LaneRows::Marks(rows) => rows.add(at, value),
            LaneRows::Shares(rows) => rows.add(at, value.and_then(Value::as_f64)),
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
}

impl LaneRows {
    fn new(rows: Rows) -> Self {
        match rows {
            Rows::Sums { .. } => Self::Sums(PackedRows::default()),
            Rows::Points { .. } => Self::Points(Points::new(MOST_POINTS)),
            Rows::Marks { .. } => Self::Marks(FirstMarks::new(MOST_MARKS)),
            Rows::Shares { .. } => Self::Shares(PackedRows::default()),
        }
    }
}

fn lane(group: &GroupOfRows, label: String, rows: LaneRows) -> Lane {
    let (total, data) = match rows {
        LaneRows::Sums(rows) => sums(&rows),
        LaneRows::Points(points) => {
            let (total, points) = points.finish();
            (total, LaneData::Points(points))
        }
        LaneRows::Marks(marks) => {
            let (total, marks) = marks.finish();
            (total, LaneData::Marks(marks))
        }
        LaneRows::Shares(rows) => shares(&rows),
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

fn sums(rows: &PackedRows) -> (f64, LaneData) {
    let mut density = Density::new(1, MOST_INTERVALS);
    rows.each_in_order(|at, number| density.add(0, at, number.unwrap_or(0.0)));
    density.fit(MOST_CELLS);
    (density.total(0), LaneData::Heat(Heat::of(&density, 0)))
}

fn shares(rows: &PackedRows) -> (f64, LaneData) {
    let mut cells = Vec::new();
    rows.each_in_order(|at, number| cells.push((at, number.unwrap_or(0.0))));
    let times: Vec<i64> = cells.iter().map(|(at, _)| *at).collect();
    let step = times.windows(2).filter_map(|pair| Some(pair.last()? - pair.first()?)).filter(|step| *step > 0).min();
    let (step, start) = (step.unwrap_or(FileTime::UNITS_PER_MILLISECOND), times.first().copied().unwrap_or(0));
    let (mut pairs, mut before, mut total) = (Vec::new(), 0, 0.0);
    for (at, value) in cells {
        let cell = (at - start) / step;
        pairs.extend([(cell - before) as f64, value]);
        (before, total) = (cell, total + value);
    }
    (
        total,
        LaneData::Heat(Heat {
            start,
            step,
            cells: pairs,
            full: Some(step as f64 / FileTime::UNITS_PER_MILLISECOND as f64),
        }),
    )
}

/// Lanes of a group.
const MOST_LANES: usize = 24;
/// Intervals of a lane.
const MOST_CELLS: usize = 4_000;
/// Values of a lane: the largest.
const MOST_POINTS: usize = 4_000;
/// Marks of a lane.
const MOST_MARKS: usize = 1_000;
