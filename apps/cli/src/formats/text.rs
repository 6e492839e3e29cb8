//! Lines for people.

use etwkit::output::{RowFormat, TableFormat, TextFormat};
use etwkit::trace::Summary;

use super::Job;
use crate::failure::Failure;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let zone = job.args.zone();
    if let Some(columns) = job.args.columns()? {
        return job.write(TableFormat::new(columns, RowFormat::Text).zone(zone));
    }
    let (writer, colored) = job.output.open_colored(job.trace)?;
    job.write_to(writer, TextFormat::default().zone(zone).colored(colored))
}
