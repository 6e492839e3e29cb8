//! JSON lines.

use etwkit::output::{JsonFormat, RowFormat, TableFormat};
use etwkit::trace::Summary;

use crate::failure::Failure;

use super::job::Job;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let zone = job.options.zone(job.session.trace());
    match job.options.columns()? {
        Some(columns) => job.write(TableFormat::new(columns, RowFormat::Json).zone(zone)),
        None => job.write(JsonFormat::default().zone(zone)),
    }
}
