//! The XML of `tracerpt`.

use std::io::Write;

use etwkit::output::XmlEvents;
use etwkit::trace::Summary;

use super::Job;
use crate::failure::Failure;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let sink = XmlEvents::new(job.trace, job.writer()?).zone(job.args.zone()).aliases(etwkit_parsers::aliases());
    let (summary, sink) = job.drive(sink)?;
    sink.finish()?.flush()?;
    Ok(summary)
}
