#![doc = include_str!("../README.md")]

mod analysis;
mod choice;
mod interest;
mod measures;
mod row;
mod run;
mod selection;
mod span;
mod together;
mod value;

pub use analysis::Analysis;
pub use interest::{Interest, Need};
pub use measures::{Measures, greatest_first};
pub use row::{Column, ColumnKind, Row};
pub use run::{FactWorker, Found, Run, rows};
pub use selection::Selection;
pub use span::milliseconds;
pub use together::{Together, TogetherWorker, Values};
pub use value::{Time, ToValue, Value};

#[doc(hidden)]
pub use serde;
