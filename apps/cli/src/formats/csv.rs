//! CSV: one table, or a folder of them.

use etwkit::output::{Column, RowFormat, SplitRows, TableFormat};
use etwkit::trace::Summary;

use crate::failure::Failure;
use crate::output::{Output, TableFolder, csv_to};
use crate::text::counted;

use super::job::Job;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    if let Output::Folder(path) = job.output {
        return folder(job, TableFolder::new(path, job.session.trace())?);
    }
    let trace = job.session.trace();
    let columns = job.options.columns()?.unwrap_or_else(|| Column::usual_of(trace));
    let out = csv_to(job.output.open(trace)?, b',');
    job.write_to(Box::new(out), TableFormat::new(columns, RowFormat::Csv).zone(job.options.zone(trace)))
}

/// A file for each type of event.
fn folder(job: &Job<'_>, folder: TableFolder) -> Result<Summary, Failure> {
    if !job.options.fields.is_empty() {
        return Err(Failure::new("--fields chooses the columns of one table: give a file with -o"));
    }
    let mut sink = SplitRows::new(job.session.trace(), folder).zone(job.options.zone(job.session.trace()));
    let summary = job.session.run(job.run, &mut sink)?;
    let files = sink.into_inner().finish()?;
    job.session.printer().note(format_args!("{} written", counted(files, "file")));
    Ok(summary)
}
