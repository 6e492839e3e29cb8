//! `etwkit table`: of each event its time, its name and its data.

mod cells;
mod sink;

use std::io::BufWriter;

use etwkit::decode::EventType;
use etwkit::render::time::TimeCache;
use etwkit::trace::{Filter, RunOptions, Trace};

use crate::args::TableArgs;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::output::Output;
use crate::program::Program;
use crate::rows::{Column, Files, RowPlan, RowWriter, split_condition};
use crate::selectors::filter_names_stack;
use crate::session::Session;
use crate::text::counted;

use cells::Cells;
use sink::TableSink;

const HELP: &str = "\
One row per event, in time order: time, provider, the event's name (of its opcode), then its data. Events of one \
kind are easy to follow down the page; --provider leaves out the others. In --where, the columns have names, too: \
EventName, Data1, Data2 ... \
If several files are read, the column `file` names them.

Examples:
  etwkit table http.etl --provider Microsoft-Windows-HttpService
  etwkit table http.etl --where 'EventName == FastResp' --fields time,Data1,Data2
  etwkit table http.etl --format csv -o http.csv";

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
    let files = Files::of(session.trace());
    let (columns, mut row_options) = (columns(session.trace(), &options.filter, &files), rows.options());
    row_options.condition = split_condition(&mut options.filter.expression, &columns, session.trace())?;
    session.check_names_beside(&columns, &[], &options.filter)?;
    session.check_local_times(&options.filter.time, &zone);
    if row_options.condition.is_none() && row_options.sort.is_empty() {
        // The engine need not decode what is not printed.
        options = options.first(row_options.first.take()).last(row_options.last.take());
    }
    let data = columns.len() - FIXED;
    let plan = RowPlan::new(columns, &row_options)?;
    let writer = RowWriter::new(plan, BufWriter::new(Output::new(rows.choice.output).open(session.trace())?))?;
    let time = TimeCache::new(zone.zone(session.trace()));
    let mut sink = TableSink::new(Cells::new(data, files, time), writer)?;
    let done = session.run(&options, &mut sink);
    let writer = sink.into_writer()?;
    let summary = done?;
    let outcome = writer.finish()?;
    session.report_run(&summary, &options);
    if summary.events > 0 {
        outcome.say(printer);
    }
    let undecoded = session.found_undecoded(&summary);
    if undecoded > 0 {
        let events = counted(undecoded, "event");
        printer.note(format_args!("{events} without a schema that fits: the payload is printed as it is"));
    }
    Ok(session.finish())
}

/// Columns besides those of data: time, file, provider, name, and bytes outside all fields.
const FIXED: usize = 5;

/// The columns of a table: as many of data as the widest type has whose events may pass.
fn columns(trace: &Trace, filter: &Filter, files: &Files) -> Vec<Column> {
    let layouts = |row: &EventType| row.layouts().map(|(_, schema)| schema.top_level().count()).max().unwrap_or(0);
    let data = trace.types().iter().filter(|row| filter.may_take(row)).map(layouts).max().unwrap_or(0);
    let mut columns = vec![Column::text("time"), files.column(), Column::text("provider"), Column::text("EventName")];
    columns.extend((1..=data).map(|number| Column::text(format!("Data{number}"))));
    columns.push(Column::text("extra"));
    columns
}
