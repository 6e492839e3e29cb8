//! `etwkit requests`: one row per request of a web server.

mod table;

use std::io::BufWriter;

use etwkit::render::time::TimeCache;
use etwkit::trace::{Filter, RunOptions};

use etwkit_http_requests::{RequestCollector, RequestSelection, Requests, has_server_events};

use crate::args::TableArgs;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::output::Output;
use crate::program::Program;
use crate::rows::{Files, RowPlan, RowWriter, split_condition};
use crate::selectors::filter_names_stack;
use crate::session::Session;
use crate::text::{counted, grouped};

const HELP: &str = "\
Events of HTTP.sys (Microsoft-Windows-HttpService), IIS and iisnode are put together by their activity id. Each \
stage is named by the event that begins it and has the milliseconds until the next one.

Filters choose requests, not events: a request is printed, with all its events, if at least one of them passes. \
This also applies to --since and --until. In --where, the names of the columns (status, total_ms ...) are those of the \
request, all others those of its events. If several files are read, the column `file` names those that have events of \
the request.

Examples:
  etwkit requests http.etl
  etwkit requests http.etl --where 'status >= 400 and total_ms > 1'
  etwkit requests http.etl --sort=-total_ms --first 10 --fields url,status,total_ms
  etwkit requests http.etl --where 'Url ~ login' --since +1m
  etwkit requests http.etl --format csv -o requests.csv
  etwkit requests iisnode.etl http.etl";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let TableArgs { input, schemas, rows, zone, threads, fail_on, filter } = args.table;
    let mut options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let (parsers, code_names) = schemas.parsers_for(filter_names_stack(&options.filter), printer)?;
    let mut session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?.with_code_names(code_names);
    session.check_times(&options.filter)?;
    if !has_server_events(session.trace()) {
        return Err(session.nothing_to_do("no requests: no events of HTTP.sys, IIS or iisnode"));
    }
    let files = Files::of(session.trace());
    let (columns, mut row_options) = (table::columns(&files), rows.options());
    row_options.condition = split_condition(&mut options.filter.expression, &columns, session.trace())?;
    session.check_names_beside(&columns, &[], &options.filter)?;
    session.check_local_times(&options.filter.time, &zone);
    let plan = RowPlan::new(columns, &row_options)?;
    let found = collect(&session, &options)?;
    let none = found.rows.is_empty().then(|| {
        let outside = session.outside(&options.filter.time);
        outside.unwrap_or_else(|| why_none(&found, options.filter != Filter::default()).to_owned())
    });
    let out = BufWriter::new(Output::new(rows.choice.output).open(session.trace())?);
    let mut writer = RowWriter::new(plan, out)?;
    let mut time = TimeCache::new(zone.zone(session.trace()));
    found.rows.iter().try_for_each(|request| writer.push(table::row(request, &files, &mut time)))?;
    let outcome = writer.finish()?;
    session.report_problems();
    outcome.say(printer);
    if let Some(why) = none {
        printer.note(format_args!("no requests: {why}"));
    }
    report(&found, &mut session);
    session.found_undecoded_in_trace();
    Ok(session.finish())
}

/// Reads the requests, with a progress bar.
fn collect(session: &Session, options: &RunOptions) -> Result<Requests, Failure> {
    let mut collector = RequestCollector::default();
    if options.filter != Filter::default() {
        let mut selection = RequestSelection::default();
        session.run(options, &mut selection)?;
        collector = RequestCollector::of_selection(selection);
    }
    let all_events = options.clone().filter(Filter::default());
    session.run(&all_events, &mut collector)?;
    Ok(collector.finish())
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
fn report(found: &Requests, session: &mut Session) {
    let printer = session.printer();
    if found.without_activity > 0 {
        let events = counted(found.without_activity, "event");
        printer.note(format_args!("{events} of these providers name no activity and are in no row"));
    }
    if found.other_activities > 0 {
        let count = grouped(found.other_activities);
        printer.note(format_args!("no row for activities without an event of a request: {count}"));
    }
    if found.without_time > 0 {
        let events = counted(found.without_time, "event");
        printer.warning(format_args!("{events} left out: the clock of their file is not known"));
    }
    let why = "left out: there are more requests than are kept; filter for fewer";
    session.left_out(found.beyond_limit, "event", why);
    let more = found.rows.iter().map(|request| request.more_stages).sum();
    session.left_out(more, "event", "not in the stages of their requests: there are more than are kept");
}
