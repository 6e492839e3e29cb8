//! Events as rows of chosen columns: CSV, JSON lines, text; one table, or one for each type of event (`docs/csv.md`).

mod cell;
mod column;
mod format;
mod quick;
mod shape;
mod split;

pub use column::Column;
pub use format::{RowFormat, TableFormat, TableRows, TableState};
pub use split::{SplitRows, SplitWorker, TableInfo, TableWriter};
