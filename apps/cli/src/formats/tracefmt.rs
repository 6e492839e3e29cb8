//! Lines as tracefmt prints them.

use etwkit::query::Expression;
use etwkit::select::SyntaxError;
use etwkit::trace::Summary;
use etwkit_parsers::wpp;
use etwkit_windows_formats::Tracefmt;

use crate::failure::Failure;

use super::job::Job;

/// The events that have a line.
const PRINTED: &str = "header.kind not in (kernel, error)";

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let format = match job.options.prefix.map(str::to_owned) {
        Some(prefix) => Tracefmt::default().prefix(move |names| wpp::prefix(&prefix, names)),
        None => Tracefmt::default(),
    };
    if job.run.first.is_none() && job.run.last.is_none() {
        return job.write(format);
    }
    // Only events that are printed are counted.
    let printed: Expression = PRINTED.parse().map_err(|error: SyntaxError| Failure::new(error.to_string()))?;
    let mut run = job.run.clone();
    run.filter.expression = Some(match run.filter.expression.take() {
        Some(condition) => condition.and(printed),
        None => printed,
    });
    Job { run: &run, ..*job }.write(format)
}
