//! The model of the page: what its script shows, and what `--json` prints.
//!
//! Times are units of 100 ns since [`TimeAxis::base`]: numbers that JavaScript holds exactly.

use etwkit_browse::Density;
use serde::{Serialize, Serializer};

/// The data of a page.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Page {
    /// Version of this model.
    pub version: u32,
    /// What the page is about: the name of the file, or how many there are.
    pub title: String,
    /// Names of the files.
    pub files: Vec<String>,
    /// The time axis that all lanes share.
    pub time: TimeAxis,
    /// Facts at a glance.
    pub tiles: Vec<Tile>,
    /// Lanes over time, by what they show.
    pub lanes: Vec<LaneGroup>,
    /// Tables, in the order in which they are shown.
    pub tables: Vec<Table>,
    /// The call tree of CPU samples.
    pub flame: Option<Flame>,
    /// What the trace does not have, and what would record it.
    pub absent: Vec<Absent>,
}

/// The time axis.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct TimeAxis {
    /// The time of 0, in units of 100 ns since 1601, as digits: it is too large for a number of JavaScript.
    pub base: String,
    /// Units from 0 to the last event.
    pub end: i64,
    /// Whether times are local to the machine that recorded them instead of UTC.
    pub is_local: bool,
    /// Whether 0 is the start of the session, before its first event; else it is the first event.
    pub is_from_session: bool,
    /// Stretches without events that the page folds: begin and end, in order.
    pub folds: Vec<(i64, i64)>,
}

/// A fact at a glance.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Tile {
    /// Its name, for programs.
    pub id: &'static str,
    /// What it is.
    pub label: &'static str,
    /// Its value, for people.
    pub value: String,
    /// More about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What it is measured from, in a sentence.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub about: &'static str,
    /// How it should look.
    pub tone: Tone,
}

/// How a fact should look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// As any other.
    #[default]
    Plain,
    /// Something that people hope for.
    Good,
    /// Something to know.
    Warn,
    /// Something is wrong.
    Bad,
}

/// Lanes that show the same.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct LaneGroup {
    /// Its name, for programs.
    pub id: &'static str,
    /// What the lanes show.
    pub title: &'static str,
    /// How they are to be read.
    pub about: &'static str,
    /// Unit of values.
    pub unit: &'static str,
    /// Lanes, what matters most first.
    pub lanes: Vec<Lane>,
    /// Lanes that are not there, because there are too many.
    pub left_out: u64,
    /// Items of these lanes that had no room.
    pub excess: u64,
}

/// A lane.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Lane {
    /// What it is about.
    pub label: String,
    /// More about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The sum of its values.
    pub total: f64,
    /// Its values.
    #[serde(flatten)]
    pub data: LaneData,
}

/// The values of a lane.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", content = "data", rename_all = "lowercase")]
pub enum LaneData {
    /// Values by interval.
    Heat(Heat),
    /// Begins and ends; an unknown one is absent.
    Spans(Spans),
    /// Times with a value each.
    Points(Vec<(i64, f64)>),
    /// Times with a text each.
    Marks(Vec<(i64, String)>),
    /// Buffers: first and last event, used part in per cent, and bits of [`BufferFlags`].
    Buffers(Vec<(i64, i64, u8, u8)>),
}

/// Values by interval.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Heat {
    /// Where the first interval begins.
    pub start: i64,
    /// Units of an interval.
    pub step: i64,
    /// For each interval with a value: intervals since the one before (or the first), and the value.
    pub cells: Vec<f64>,
    /// The value that fills an interval, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<f64>,
}

impl Heat {
    /// The sums of a lane.
    pub(crate) fn of(density: &Density, lane: usize) -> Self {
        Self { start: 0, step: density.step(), cells: density.cells(lane), full: None }
    }
}

/// Begins and ends.
pub type Spans = Vec<(Option<i64>, Option<i64>)>;

/// Bits of a buffer in a lane.
#[derive(Clone, Copy, Debug)]
pub struct BufferFlags;

impl BufferFlags {
    /// Numbers of buffers before it are missing.
    pub const AFTER_GAP: u8 = 1;
    /// Something in it is damaged.
    pub const DAMAGED: u8 = 2;
    /// Several buffers, drawn as one.
    pub const SEVERAL: u8 = 4;
}

/// A table.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Table {
    /// Its name: that of the analysis, or of the command.
    pub id: &'static str,
    /// What it shows.
    pub title: String,
    /// The command that prints all of it.
    pub command: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows, what matters most first.
    pub rows: Vec<Vec<Cell>>,
    /// Rows that are not here, because there are too many.
    pub left_out: u64,
    /// Things that had no room in the analysis: its rows lack them, or state them as all others.
    pub excess: u64,
}

/// A column.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Column {
    /// Name.
    pub name: &'static str,
    /// What its values are: `text`, `time`, `id`, `count`, `real`, `ms`.
    pub kind: &'static str,
    /// What its values mean.
    pub about: &'static str,
}

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// There is none.
    Absent,
    /// Text.
    Text(String),
    /// An integer. One that JavaScript cannot hold is written as text.
    Integer(i128),
    /// A number with a fraction.
    Real(f64),
    /// Whether something holds.
    Flag(bool),
}

/// The largest integer that JavaScript holds exactly.
const MAX_SAFE_INTEGER: i128 = (1 << 53) - 1;

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Integer(number) if number.abs() <= MAX_SAFE_INTEGER => serializer.serialize_i64(*number as i64),
            Self::Integer(number) => serializer.collect_str(number),
            Self::Real(number) => serializer.serialize_f64(*number),
            Self::Flag(is) => serializer.serialize_bool(*is),
        }
    }
}

/// A call tree.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Flame {
    /// What is weighed.
    pub title: String,
    /// Texts of frames.
    pub frames: Vec<String>,
    /// Nodes, parents first: number of the parent (-1 for a root), number of the frame, weight with all below.
    pub nodes: Vec<(i32, u32, u64)>,
    /// Samples.
    pub samples: u64,
    /// Nodes that are in their callers, because they weigh least.
    pub folded: u64,
}

/// The parts that the trace does not have.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Absent {
    /// What it would show.
    pub title: String,
    /// What to record.
    pub advice: String,
}
