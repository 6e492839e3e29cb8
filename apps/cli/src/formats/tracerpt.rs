//! The XML and the CSV of `tracerpt`.

use etwkit::trace::Summary;
use etwkit_windows_formats::{TracerptCsv, TracerptXml};

use crate::failure::Failure;
use crate::output::csv_to;

use super::job::Job;

pub(super) fn run_xml(job: &Job<'_>) -> Result<Summary, Failure> {
    job.write(TracerptXml::default().zone(job.options.zone(job.session.trace())))
}

pub(super) fn run_csv(job: &Job<'_>) -> Result<Summary, Failure> {
    job.write_to(Box::new(csv_to(job.output.open(job.session.trace())?, b',')), TracerptCsv::default())
}
