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

/// Makes the lanes of rows.
pub(crate) fn of_rows(group: &GroupOfRows, columns: &[Column], rows: &[Vec<Value>], extent: Extent) -> LaneGroup {
    let place = |name: &str| columns.iter().position(|column| column.name == name).unwrap_or(usize::MAX);
    let by: Vec<usize> = group.by.iter().map(|name| place(name)).collect();
    let at = place(match group.rows {
        Rows::Sums { at, .. } | Rows::Points { at, .. } | Rows::Marks { at, .. } | Rows::Shares { at, .. } => at,
    });
    let mut of_lane: BTreeMap<String, Vec<(i64, &[Value])>> = BTreeMap::new();
    for row in rows {
        if let Some(Value::Time(time)) = row.get(at) {
            of_lane.entry(label(row, &by)).or_default().push((extent.units(*time), row));
        }
    }
    let lane = |(label, mut rows): (String, Vec<(i64, &[Value])>)| {
        rows.sort_by_key(|(at, _)| *at);
        let (total, data) = match group.rows {
            Rows::Sums { sum, .. } => sums(&rows, place(sum)),
            Rows::Points { value, .. } => points(&rows, place(value)),
            Rows::Marks { text, .. } => marks(&rows, place(text)),
            Rows::Shares { value, .. } => shares(&rows, place(value)),
        };
        // Rows of processors and disks have their numbers alone.
        let label = match group.by {
            ["processor"] => format!("CPU {label}"),
            ["disk", ..] => format!("disk {label}"),
            _ => label,
        };
        Lane { label, detail: String::new(), total, data }
    };
    let mut lanes: Vec<Lane> = of_lane.into_iter().map(lane).collect();
    if !matches!(group.rows, Rows::Shares { .. }) {
        lanes.sort_by(|a, b| b.total.total_cmp(&a.total));
    }
    let GroupOfRows { id, title, about, unit, .. } = *group;
    LaneGroup { id, title, about, unit, left_out: cut(&mut lanes, MOST_LANES), lanes, excess: 0 }
}

fn label(row: &[Value], by: &[usize]) -> String {
    let text = |place: &usize| match row.get(*place) {
        Some(Value::Text(text)) => Some(text.clone()),
        Some(Value::Integer(number)) => Some(number.to_string()),
        _ => None,
    };
    by.iter().filter_map(text).collect::<Vec<_>>().join(" ")
}

fn number(row: &[Value], place: usize) -> Option<f64> {
    match row.get(place) {
        Some(Value::Integer(number)) => Some(*number as f64),
        Some(Value::Real(number)) => Some(*number),
        _ => None,
    }
}

fn sums(rows: &[(i64, &[Value])], place: usize) -> (f64, LaneData) {
    let mut density = Density::new(1, MOST_INTERVALS);
    for (at, row) in rows {
        let amount = if place == usize::MAX { Some(1.0) } else { number(row, place) };
        density.add(0, *at, amount.unwrap_or(0.0));
    }
    density.fit(MOST_CELLS);
    (density.total(0), LaneData::Heat(Heat::of(&density, 0)))
}

fn points(rows: &[(i64, &[Value])], place: usize) -> (f64, LaneData) {
    let mut all: Vec<(i64, f64)> = rows.iter().filter_map(|(at, row)| Some((*at, number(row, place)?))).collect();
    let total = all.iter().map(|(_, value)| value).sum();
    if all.len() > MOST_POINTS {
        // The largest ones are those that are looked for.
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(MOST_POINTS);
        all.sort_by_key(|(at, _)| *at);
    }
    (total, LaneData::Points(all))
}

fn marks(rows: &[(i64, &[Value])], place: usize) -> (f64, LaneData) {
    let mark = |(at, row): &(i64, &[Value])| match row.get(place) {
        Some(Value::Text(text)) => Some((*at, crate::tables::cut_text(text))),
        _ => None,
    };
    let marks: Vec<(i64, String)> = rows.iter().filter_map(mark).take(MOST_MARKS).collect();
    (rows.len() as f64, LaneData::Marks(marks))
}

fn shares(rows: &[(i64, &[Value])], place: usize) -> (f64, LaneData) {
    let times: Vec<i64> = rows.iter().map(|(at, _)| *at).collect();
    let step = times.windows(2).filter_map(|pair| Some(pair.last()? - pair.first()?)).filter(|step| *step > 0).min();
    let (step, start) = (step.unwrap_or(MILLISECOND), times.first().copied().unwrap_or(0));
    let (mut cells, mut before, mut total) = (Vec::new(), 0, 0.0);
    for (at, row) in rows {
        let (cell, value) = ((at - start) / step, number(row, place).unwrap_or(0.0));
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
