//! JSON lines.

use etwkit::output::{JsonFormat, RowFormat, TableFormat};
use etwkit::trace::Summary;

use super::Job;
use crate::failure::Failure;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let zone = job.args.zone();
    match job.args.columns()? {
        Some(columns) => job.write(TableFormat::new(columns, RowFormat::Json).zone(zone)),
        None => job.write(JsonFormat::default().zone(zone)),
    }
}
