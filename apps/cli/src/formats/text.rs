//! Lines for people.

use etwkit::output::{RowFormat, TableFormat, TextFormat};
use etwkit::trace::Summary;

use crate::failure::Failure;

use super::job::Job;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let zone = job.options.zone(job.session.trace());
    if let Some(columns) = job.options.columns()? {
        return job.write(TableFormat::new(columns, RowFormat::Text).zone(zone));
    }
    let (writer, colored) = job.output.open_colored(job.session.trace())?;
    let format = TextFormat::default().zone(zone).colored(colored);
    job.write_to(writer, format.summarize(etwkit_packets::summary).summarized(etwkit_packets::may_have_summary))
}
