//! CSV: one table, or a folder of them.

use etwkit::output::{Column, RowFormat, SplitRows, TableFormat};
use etwkit::trace::Summary;

use super::Job;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::output::Output;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    if let Output::Folder(path) = job.output {
        return folder(job, Folder::new(path, job.trace)?);
    }
    let columns = job.args.columns()?.unwrap_or_else(Column::usual);
    job.write(TableFormat::new(columns, RowFormat::Csv).zone(job.args.zone()))
}

/// A file for each type of event.
fn folder(job: &Job<'_>, folder: Folder) -> Result<Summary, Failure> {
    if !job.args.fields.is_empty() {
        return Err(Failure::new("--fields chooses the columns of one table: give a file with -o"));
    }
    let sink = SplitRows::new(job.trace, folder).zone(job.args.zone());
    let (summary, sink) = job.drive(sink)?;
    let files = sink.into_inner().finish()?;
    job.printer.note(format_args!("{} written", crate::text::counted(files, "file")));
    Ok(summary)
}
