//! Lines as tracefmt prints them.

use etwkit::trace::Summary;
use etwkit_parsers::wpp;
use etwkit_windows_formats::Tracefmt;

use super::Job;
use crate::failure::Failure;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let format = match job.args.prefix.clone() {
        Some(prefix) => Tracefmt::default().prefix(move |names| wpp::prefix(&prefix, names)),
        None => Tracefmt::default(),
    };
    job.write(format)
}
