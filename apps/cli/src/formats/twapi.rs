//! Lines of TWAPI's `etw_dump_to_file`.

use std::io::Write;

use etwkit::sink::{TwapiField, TwapiLines};
use etwkit::trace::Summary;

use super::{FormatArgs, Job};
use crate::failure::Failure;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    let sink = TwapiLines::new(job.census, fields(job.args)?, job.writer()?).aliases(etwkit_parsers::aliases());
    let (summary, sink) = job.drive(sink)?;
    sink.finish()?.flush()?;
    Ok(summary)
}

/// The fields that were asked for, by TWAPI's names; blanks may separate them as in a Tcl list.
pub(super) fn fields(args: &FormatArgs) -> Result<Vec<TwapiField>, Failure> {
    let names: Vec<&str> = args.fields.iter().flat_map(|names| names.split_whitespace()).collect();
    if args.fields.is_empty() {
        return Ok(TwapiField::usual().into());
    }
    let known = || TwapiField::all().map(TwapiField::name).collect::<Vec<_>>().join(" ");
    let field = |name: &str| {
        let unknown = || Failure::new(format!("TWAPI has no field `{name}`")).hint(format!("it has {}", known()));
        TwapiField::from_name(name).ok_or_else(unknown)
    };
    if names.is_empty() {
        return Err(Failure::new("--fields: a name is empty").hint(format!("TWAPI has {}", known())));
    }
    names.into_iter().map(field).collect()
}
