//! `etwkit export`: events as Parquet or Arrow files.

mod by_event;
mod destination;
mod metadata;
mod one_file;

use std::path::PathBuf;

use etwkit::select::Selector;
use etwkit::trace::{Order, RunOptions, Summary};
use etwkit_columns::{ColumnError, Table};

use crate::args::{FailOn, FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs};
use crate::cli::hidden_csv_safe;
use crate::column_file::FileKind;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::program::Program;
use crate::selectors::{filter_names_stack, name_stack};
use crate::session::Session;
use crate::text::{counted, grouped, parse_count};

const HELP: &str = "\
One table of all events, in time order, with the payload as JSON text in the column `fields`; or with --by-event a \
folder of tables, one for each event, with a column for each field of the payload. pyarrow, pandas, Polars and \
DuckDB read the files without settings. Several files are read as one trace. A name that ends with .arrow, .feather \
or .ipc makes an Arrow IPC file.

Times are microseconds in UTC; `time_100ns` has the exact time, in units of 100 ns since 1601. Events that cannot be \
decoded are included: `problem` states why, `extra` has the bytes. The metadata of a file describe the session and \
what it lost.

Examples:
  etwkit export trace.etl -o trace.parquet
  etwkit export trace.etl -o trace.arrow
  etwkit export trace.etl -o tables/ --by-event
  etwkit export trace.etl -o gc.parquet --event 'GC/*' --columns time,pid,event,fields
  etwkit export 'logs/*.etl' -o - > all.parquet";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, arg = hidden_csv_safe())]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Write to this file, `-` for stdout; with --by-event a folder
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Format of the files [default: by the name of OUT, otherwise parquet]
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<FileKind>,
    /// A folder of files, one for each event: OUT/provider=NAME/event=NAME/events.parquet
    #[arg(long)]
    by_event: bool,
    /// Only these columns, in this order
    #[arg(long, visible_alias = "fields", value_name = "NAMES", value_delimiter = ',', conflicts_with = "by_event")]
    columns: Vec<String>,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Only the first N events that pass the filters
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count::<u64>, allow_negative_numbers = true)]
    first: Option<u64>,
    /// Only the last N events that pass the filters (of the first ones, if both are given)
    #[arg(long, value_name = "N", value_parser = parse_count::<u64>, allow_negative_numbers = true)]
    last: Option<u64>,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, output, format, by_event, columns, schemas, threads, first, last, fail_on, filter } = args;
    let options = RunOptions::default()
        .order(Order::Time)
        .threads(threads.count())
        .filter(filter.into_filter()?)
        .first(first)
        .last(last);
    let kind = match format.or_else(|| FileKind::of(&output)) {
        Some(kind) => kind,
        None => destination::usual(&output, by_event)?,
    };
    destination::check(&output, by_event, kind)?;
    let with_stacks = columns_name_stack(&columns) || filter_names_stack(&options.filter);
    let (parsers, code_names) = schemas.parsers_for(with_stacks, printer)?;
    let mut session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?.with_code_names(code_names);
    session.check_times(&options.filter)?;
    session.check_names(&[], &options.filter)?;
    let (summary, has_extra) = if by_event {
        (by_event::write(&session, &options, &output, kind)?, true)
    } else {
        let table = table(&columns)?;
        let has = |name: &str| table.columns().iter().any(|column| column.name == name);
        let (has_extra, is_whole) = (has(EXTRA), LOOKED_AT.into_iter().any(has) || session.fails_on(FailOn::Undecoded));
        let mut summary = one_file::write(&session, &options, &Output::new(Some(output)), table, kind)?;
        if !is_whole {
            // Some were looked at, for other reasons.
            (summary.misfits, summary.cut) = (0, 0);
        }
        (summary, has_extra)
    };
    report(&mut session, &summary, &options, has_extra);
    Ok(session.finish())
}

/// Returns whether a column is part of the stack, so that stacks are joined.
fn columns_name_stack(columns: &[String]) -> bool {
    let names: Vec<Selector> = columns.iter().filter_map(|name| name.trim().parse().ok()).collect();
    name_stack(&names)
}

fn table(columns: &[String]) -> Result<Table, Failure> {
    let all = Table::of_all_events();
    if columns.is_empty() {
        return Ok(all);
    }
    let known: Vec<String> = all.columns().iter().map(|column| column.name.clone()).collect();
    let hint = format!("columns are {}", known.join(", "));
    let names: Vec<&str> = columns.iter().map(|name| name.trim()).collect();
    if names.contains(&"") {
        return Err(Failure::new("--columns: a name is empty").hint(hint));
    }
    all.project(names).map_err(|error| {
        let hint = matches!(error, ColumnError::Unknown(_)).then_some(hint);
        let failure = Failure::new(error.to_string());
        hint.into_iter().fold(failure, Failure::hint)
    })
}

/// The column of bytes that no field explains.
const EXTRA: &str = "extra";
/// The columns for which all events are looked at.
const LOOKED_AT: [&str; 3] = ["fields", "problem", EXTRA];

/// Says on stderr what is missing, and where it is if `has_extra` states that there is a column for it.
fn report(session: &mut Session, summary: &Summary, options: &RunOptions, has_extra: bool) {
    session.report_run(summary, options);
    session.found_undecoded(summary);
    let (printer, whole) = (session.printer(), counted(summary.events, "event"));
    for (events, what, bytes) in [
        (summary.undecoded, "without a schema", "the payload is"),
        (summary.misfits, "with a field that does not fit the schema", "the rest of them is"),
        (summary.cut, "with fields that would print far more than their bytes", "these are"),
    ] {
        let place = if has_extra { format!(": {bytes} in the column `{EXTRA}`") } else { String::new() };
        if events > 0 {
            printer.note(format_args!("{} of {whole} {what}{place}", grouped(events)));
        }
    }
}
