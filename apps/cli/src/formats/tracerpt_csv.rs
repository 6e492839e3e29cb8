//! The CSV of `tracerpt`.

use std::io::Write;

use etwkit::output::TracerptCsv;
use etwkit::trace::Summary;

use super::Job;
use crate::failure::Failure;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let sink = TracerptCsv::new(job.trace, job.writer()?).aliases(etwkit_parsers::aliases());
    let (summary, sink) = job.drive(sink)?;
    sink.finish()?.flush()?;
    Ok(summary)
}
