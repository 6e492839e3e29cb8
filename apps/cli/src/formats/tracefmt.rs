//! Lines as tracefmt prints them.

use std::io::Write;

use etwkit::trace::Summary;
use etwkit_parsers::wpp::TracefmtLines;

use super::Job;
use crate::failure::Failure;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let lines = TracefmtLines::new(job.trace, job.writer()?);
    let lines = match &job.args.prefix {
        Some(prefix) => lines.prefix(prefix),
        None => lines,
    };
    let (summary, sink) = job.drive(lines)?;
    sink.into_inner().flush()?;
    Ok(summary)
}
