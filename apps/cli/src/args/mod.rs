//! Arguments that several commands take, and how the command line is read.

mod fail_on;
mod filter;
mod foreign_file;
mod grep;
mod number;
mod schemas;
mod table;
mod threads;
mod time_point;
mod time_range;
mod zone;

pub(crate) use fail_on::{FailOn, FailOnArgs};
pub(crate) use filter::FilterArgs;
pub(crate) use number::number;
pub(crate) use schemas::SchemaArgs;
pub(crate) use table::{TableArgs, TableFormat};
pub(crate) use threads::ThreadArgs;
pub(crate) use zone::ZoneArg;
