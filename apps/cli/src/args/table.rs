//! What the commands that print a row for each event or request take.

use crate::input::InputArgs;
use crate::rows::RowArgs;

use super::fail_on::FailOnArgs;
use super::filter::FilterArgs;
use super::schemas::SchemaArgs;
use super::threads::ThreadArgs;
use super::zone::ZoneArgs;

/// Inputs, filters, and the rows of the table.
#[derive(Debug, clap::Args)]
pub(crate) struct TableArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) schemas: SchemaArgs,
    #[command(flatten)]
    pub(crate) rows: RowArgs,
    #[command(flatten)]
    pub(crate) zone: ZoneArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    #[command(flatten)]
    pub(crate) fail_on: FailOnArgs,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}
