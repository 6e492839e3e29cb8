//! JSON lines.

use std::io::Write;

use etwkit::output::{JsonLines, RowFormat, TableRows};
use etwkit::trace::Summary;

use super::Job;
use crate::failure::Failure;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let (writer, zone) = (job.writer()?, job.args.zone());
    let (summary, mut writer) = if let Some(columns) = job.args.columns()? {
        let (summary, sink) = job.drive(TableRows::new(job.trace, columns, RowFormat::Json, writer).zone(zone))?;
        (summary, sink.finish()?)
    } else {
        let (summary, sink) = job.drive(JsonLines::new(job.trace, writer).zone(zone))?;
        (summary, sink.into_inner())
    };
    writer.flush()?;
    Ok(summary)
}
