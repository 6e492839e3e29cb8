//! `etwkit analyze`: tables that answer questions.

mod cells;
mod registry;

use std::io::BufWriter;

use etwkit::trace::RunOptions;

use crate::args::TableArgs;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::printer::Printer;
use crate::program::Program;
use crate::rows::{Cell, Column, RowOptions, RowPlan, RowWriter, split_condition};
use crate::session::Session;

use registry::{ANALYSES, Entry};

const HELP: &str = "\
NAME is that of an analysis. Without it, the analyses are listed: how many events of the trace each one reads, and for \
those without events what to record.

Filters choose events. In --where the names of the columns are those of the table, all others those of its events.

Analyses: processes, cpu (see docs/analyses.md for their columns)

Examples:
  etwkit analyze trace.etl
  etwkit analyze processes trace.etl --fields pid,process,command_line
  etwkit analyze cpu trace.etl --first 10
  etwkit analyze cpu trace.etl --since +1s --until +2s --format json";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, override_usage = "etwkit analyze [OPTIONS] [NAME] <FILE>...")]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let TableArgs { input, schemas, rows, zone: _, threads, fail_on, filter } = args.table;
    let (entry, input) = entry(input)?;
    let mut options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let session = Session::open_by(options.threads, &input, schemas.parsers(printer)?, fail_on, printer)?;
    session.check_times(&options.filter)?;
    let out = Output::new(rows.choice.output.clone());
    let mut row_options = rows.options();
    let columns = entry.map_or_else(list_columns, Entry::columns);
    row_options.condition = split_condition(&mut options.filter.expression, &columns, session.trace())?;
    session.check_names(&[], &options.filter)?;
    let found = match entry {
        Some(entry) => found(entry, &session, &options)?,
        None => ANALYSES.iter().map(|entry| list_row(entry, &session)).collect(),
    };
    print(&session, columns, &row_options, found, (&out, printer))?;
    Ok(session.finish())
}

/// The analysis that the first argument names, and the inputs after it.
fn entry(input: InputArgs) -> Result<(Option<&'static Entry>, InputArgs), Failure> {
    let named = |word: &str| ANALYSES.iter().find(|entry| entry.name == word);
    let Some(entry) = input.first_word().and_then(named) else { return Ok((None, input)) };
    let rest = input.without_first();
    match rest {
        Some(input) => Ok((Some(entry), input)),
        None => Err(Failure::new(format!("{}: no trace is given", entry.name))
            .hint(format!("etwkit analyze {} FILE", entry.name))),
    }
}

/// The rows of an analysis.
fn found(entry: &Entry, session: &Session, options: &RunOptions) -> Result<Vec<Vec<Cell>>, Failure> {
    if !(entry.is_answerable)(session.trace()) {
        return Err(
            Failure::new(format!("{}: the trace has no events that it reads", entry.name)).hint((entry.advice)())
        );
    }
    (entry.run)(session, options)
}

fn print(
    session: &Session,
    columns: Vec<Column>,
    options: &RowOptions,
    rows: Vec<Vec<Cell>>,
    (out, printer): (&Output, Printer),
) -> Result<(), Failure> {
    let plan = RowPlan::new(columns, options)?;
    let mut writer = RowWriter::new(plan, BufWriter::new(out.open(session.trace())?))?;
    rows.into_iter().try_for_each(|row| writer.push(row))?;
    writer.finish()?.say(printer);
    Ok(())
}

fn list_columns() -> Vec<Column> {
    vec![Column::text("name"), Column::count("events"), Column::text("about"), Column::text("to_record")]
}

fn list_row(entry: &Entry, session: &Session) -> Vec<Cell> {
    let advice = (!(entry.is_answerable)(session.trace())).then(entry.advice);
    vec![
        Cell::Text(entry.name.to_owned()),
        Cell::Integer((entry.events)(session.trace()).into()),
        Cell::Text(entry.about.to_owned()),
        Cell::optional(advice),
    ]
}
