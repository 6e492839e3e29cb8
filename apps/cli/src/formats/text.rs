//! Lines for people.

use std::io::Write;

use etwkit::output::{RowFormat, TableRows, TextLines};
use etwkit::trace::Summary;

use super::Job;
use crate::failure::Failure;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let zone = job.args.zone();
    let (summary, mut writer) = if let Some(columns) = job.args.columns()? {
        let (summary, sink) =
            job.drive(TableRows::new(job.trace, columns, RowFormat::Text, job.writer()?).zone(zone))?;
        (summary, sink.finish()?)
    } else {
        let (writer, colored) = job.output.open_colored(job.trace)?;
        let (summary, sink) = job.drive(TextLines::new(job.trace, writer).zone(zone).colored(colored))?;
        (summary, sink.into_inner())
    };
    writer.flush()?;
    Ok(summary)
}
