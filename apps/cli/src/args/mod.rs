//! Arguments that several commands take, and how the command line is read.

mod fail_on;
mod filter;
mod foreign_file;
mod grep;
mod machine_zone;
mod named_by;
mod number;
mod report_format;
mod schemas;
mod table;
mod threads;
mod time_point;
mod time_range;
mod zone;

pub(crate) use fail_on::{FailOn, FailOnArgs};
pub(crate) use filter::{FilterArgs, parse_expression};
pub(crate) use named_by::{named_by, no_table, table_file};
pub(crate) use number::number;
pub(crate) use report_format::ReportFormat;
pub(crate) use schemas::SchemaArgs;
pub(crate) use table::TableArgs;
pub(crate) use threads::ThreadArgs;
pub(crate) use time_point::{TimePoint, parse_span};
pub(crate) use time_range::TimeArgs;
pub(crate) use zone::ZoneArgs;
