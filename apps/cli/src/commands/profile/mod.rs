//! `etwkit profile`: where the time went.

mod args;
mod collect;
mod form;
mod frames;
mod quality;
mod table;
mod weighing;

use etwkit::trace::{Filter, RunOptions};
use etwkit_profile::{ProfileOptions, Unit};

pub(crate) use args::Args;
use args::By;
use collect::Source;
use form::Form;
use quality::Profiled;
use weighing::Weighing;

use crate::commands::spans::{say_excess, warn_of_pairs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::output::Output;
use crate::program::Program;
use crate::rows::{refuse_condition, split_condition};
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, schemas, by, counter, pair, unit, format, table, frames, rows, threads, fail_on, filter } = args;
    table.check()?;
    let format = format.unwrap_or_else(|| Form::named_by(rows.output.as_deref()));
    if format.row_format().is_none() {
        if table.is_asked() {
            let what = "--rows and --of make tables, which this form does not have";
            return Err(Failure::new(what).hint("use --format text, csv or json"));
        }
        rows.refuse_without_rows()?;
    }
    let mut options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let (parsers, code_names) = schemas.parsers_with_stacks(printer)?;
    let mut session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?;
    session.check_times(&options.filter)?;
    let columns = table.columns(Unit::default());
    let condition = split_condition(&mut options.filter.expression, &columns, session.trace())?;
    if format.row_format().is_none() {
        refuse_condition(condition.as_ref(), "--include and --exclude choose samples by their frames")?;
    }
    session.check_names_beside(&columns, &[], &options.filter)?;
    session.say_partial_copies()?;
    warn_of_pairs(&pair, session.trace(), printer);
    let weighing = Weighing::of(by, counter.as_deref(), pair, session.trace());
    // Damage may be the reason why nothing is to be weighed.
    let weighing = weighing.inspect_err(|_| session.report_problems())?;
    let unit = weighing.unit(unit.map(Unit::from), format.shows_time(), session.trace())?;
    let has_stacks = weighing.has_stacks();
    let profile = ProfileOptions { unit, has_timeline: format.has_timeline() };
    let source = Source { session: &session, options: &options, profile };
    let (profile, excess) = source.collect(weighing)?;
    let profile = frames.apply(profile);
    if profile.total().samples == 0 {
        let why = session.why_outside(&options.filter.time);
        let is_filtered = options.filter != Filter::default() || frames.choose_samples();
        let what = if is_filtered { "no sample passes the filters" } else { "no event has a weight" };
        printer.note(format_args!("{what}{why}"));
    }
    let out = Output::new(rows.output.clone());
    match format.row_format() {
        Some(format) => {
            let options = rows.options(format).with_condition(condition);
            table::write(&table, &profile, &session, &options, &out, printer)?;
        }
        None => form::write(format, &profile, &mut session, &out)?,
    }
    let (is_filtered, counted_by) = (options.filter != Filter::default(), (by == By::File).then_some("file"));
    quality::say(&Profiled { profile: &profile, has_stacks, is_filtered, counted_by }, &mut session);
    say_excess(&excess, &mut session);
    code_names.say_found(printer);
    session.found_undecoded_in_trace();
    Ok(session.finish())
}
