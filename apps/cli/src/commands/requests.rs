//! `etwkit requests`: one row a request of a web server.

use std::io::BufWriter;

use etwkit::trace::{Filter, RunOptions};

use crate::census;
use crate::failure::Failure;
use crate::meant;
use crate::names;
use crate::output::Output;
use crate::printer::Printer;
use crate::requests::{self, Form, Requests};
use crate::table_args::{TableArgs, TableFormat};
use crate::text::{counted, grouped};
use crate::verdict::{Status, Verdict};
use crate::zone::ZoneArg;

const HELP: &str = "\
Events of HTTP.sys (Microsoft-Windows-HttpService), IIS and iisnode are put together by their activity id. Each \
stage is named by the event that begins it and has the milliseconds until the next one.

Filters choose requests, not events: a request is printed, with all its events, if at least one of them passes. \
This holds for --since and --until, too.

Examples:
  etwkit requests http.etl
  etwkit requests http.etl --where 'StatusCode >= 400'
  etwkit requests http.etl --where 'Url ~ login' --since +1m
  etwkit requests http.etl --format csv -o requests.csv
  etwkit requests iisnode.etl http.etl";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Zone for the start of requests: `local`, `Europe/Paris`, `+02:00` [default: UTC]
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    time_zone: Option<ZoneArg>,
    #[command(flatten)]
    table: TableArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, printer: Printer) -> Result<Status, Failure> {
    let TableArgs { input, schemas, format, output, threads, first, last, fail_on, filter } = args.table;
    let (filter, output) = (filter.into_filter()?, Output::new(output));
    let options = RunOptions::default().filter(filter).threads(threads.count());
    let mut verdict = Verdict::new(fail_on.fail_on);
    let (trace, damage) = census::read(&input, schemas.parsers(printer)?, printer, &mut verdict)?;
    let Some(trace) = trace else { return Ok(Status::Failed) };
    census::check_times(&trace, &options.filter)?;
    if !requests::may_be_in(&trace) {
        census::report(&trace, &damage, &mut verdict, printer);
        return Err(census::none_of(&trace, "no requests: no events of HTTP.sys, IIS or iisnode"));
    }
    let condition = names::of_condition(options.filter.expression.as_ref());
    names::check(&trace, &[("--where", &condition)], printer);
    meant::check(&trace, &options.filter, printer);
    let mut found = requests::collect(&trace, &options, printer)?;
    let none = found.rows.is_empty().then(|| why_none(&found, options.filter != Filter::default()));
    found.pick(first, last);
    let form = if format == TableFormat::Csv { Form::Csv } else { Form::Aligned };
    let zone = args.time_zone.map(|zone| zone.0).unwrap_or_default();
    requests::print(&found.rows, form, &zone, BufWriter::new(output.open(&trace)?))?;
    census::report(&trace, &damage, &mut verdict, printer);
    if let Some(why) = none {
        printer.note(format_args!("no requests: {why}"));
    }
    report(&found, printer);
    Ok(verdict.status())
}

/// Why there is no row.
fn why_none(found: &Requests, filtered: bool) -> &'static str {
    match filtered {
        _ if found.without_time > 0 => "the clock of the trace is not known, and without it no event has a time",
        true => "no request of HTTP.sys, IIS or iisnode has an event that passes the filters",
        false if found.other_activities > 0 => "the activities are connections and the like: no event of a request",
        false => "no event of HTTP.sys, IIS or iisnode names an activity",
    }
}

/// Says which events are in no row.
fn report(found: &Requests, printer: Printer) {
    if found.without_activity > 0 {
        let events = counted(found.without_activity, "event");
        printer.note(format_args!("{events} of these providers name no activity and are in no row"));
    }
    if found.other_activities > 0 {
        let count = grouped(found.other_activities);
        printer.note(format_args!("activities without an event of a request, which are in no row: {count}"));
    }
    if found.without_time > 0 {
        let events = counted(found.without_time, "event");
        printer.warning(format_args!("{events} left out: the clock of their file is not known"));
    }
    if found.beyond_limit > 0 {
        let events = counted(found.beyond_limit, "event");
        printer.warning(format_args!("{events} left out: there are more requests than are kept; filter for fewer"));
    }
}
