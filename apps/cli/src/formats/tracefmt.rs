//! Lines as tracefmt prints them.

use etwkit::trace::Summary;
use etwkit_parsers::wpp;
use etwkit_windows_formats::Tracefmt;

use crate::failure::Failure;

use super::job::Job;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let format = match job.options.prefix.map(str::to_owned) {
        Some(prefix) => Tracefmt::default().prefix(move |names| wpp::prefix(&prefix, names)),
        None => Tracefmt::default(),
    };
    job.write(format.zone(job.options.zone(job.session.trace())))
}
