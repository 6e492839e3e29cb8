//! `etwkit profile`: where the time went.

mod args;
mod form;
mod frames;
mod quality;
mod table;
mod weighing;

use std::sync::Arc;

use etwkit::trace::RunOptions;
use etwkit_profile::{ProfileCollector, ProfileOptions, Unit};

pub(crate) use args::Args;
use form::Form;

use crate::exit_status::Status;
use crate::failure::Failure;
use crate::output::Output;
use crate::program::Program;
use crate::rows::RowFormat;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, schemas, by, counter, unit, format, table, frames, rows, threads, fail_on, filter } = args;
    table.check()?;
    if format.row_format().is_none() && (table.is_asked() || !rows.options(RowFormat::Text).is_all()) {
        let what = "--rows, --of, --fields, --sort, --first and --last choose rows and columns, and this form has none";
        return Err(Failure::new(what).hint("use --format text, csv or json"));
    }
    let options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let (parsers, code_names) = schemas.parsers_with_stacks(printer)?;
    let mut session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?;
    session.check_times(&options.filter)?;
    session.check_names(&[], &options.filter)?;
    let weigher = weighing::weigher(by, counter.as_deref(), session.trace());
    // Damage may be the reason why nothing is to be weighed.
    let weigher = weigher.inspect_err(|_| session.report_problems())?;
    let unit = weighing::unit(&*weigher, unit.map(Unit::from), format.shows_time(), session.trace())?;
    let options_of_profile = ProfileOptions { unit, has_timeline: format.has_timeline() };
    let mut collector = ProfileCollector::new(session.trace(), Arc::clone(&weigher), options_of_profile);
    session.run(&options, &mut collector)?;
    let profile = frames.apply(collector.finish());
    if profile.total().samples == 0 {
        printer.note("no sample passes the filters");
    }
    let out = Output::new(rows.output.clone());
    match format.row_format() {
        Some(format) => table::write(&table, &profile, &session, &rows.options(format), &out, printer)?,
        None => form::write(format, &profile, &session, &out)?,
    }
    quality::say(&profile, printer);
    code_names.say_found(printer);
    Ok(session.finish())
}
