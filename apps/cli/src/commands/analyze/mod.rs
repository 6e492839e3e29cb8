//! `etwkit analyze`: tables that answer questions.

pub(super) mod cells;
mod processes;
pub(super) mod times;

use std::io::BufWriter;

use etwkit::trace::{Filter, RunOptions};
use etwkit_analysis::{Value, Values};

use crate::analyses::{Entry, analyses, names};
use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs, ZoneArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::printer::Printer;
use crate::program::Program;
use crate::rows::{AnswerFormat, Cell, Column, RowChoice, RowOptions, RowPlan, RowWriter, split_condition};
use crate::selectors::filter_names_stack;
use crate::session::Session;
use crate::similarity::{asked_first, nearest};

use processes::OfProcesses;
use times::Times;

/// The text below the options.
fn help() -> String {
    format!(
        "NAME is the name of an analysis: {}. Without it, the analyses are listed: how many events of the trace each one \
         reads, and what to record for those that the trace cannot answer. docs/analyses.md has their columns.\n\n{EXAMPLES}",
        names(analyses())
    )
}

const EXAMPLES: &str = "\
Filters choose events. Analyses of context switches need all events: --since, --until, --pid, --process and --tid choose \
what they count, and no other filter applies. Where no events are read, as by `processes` and `images`, --pid and \
--process choose rows. In --where the names of the columns are those of the table, all others those of its events; \
`has COLUMN` and `not has COLUMN` test whether a row has a value.

A table that is too wide for a screen has its usual columns as text; csv, json and --fields '*' have all.

Examples:
  etwkit analyze trace.etl
  etwkit analyze trace.etl --where 'not has to_record'
  etwkit analyze processes trace.etl --fields pid,process,command_line
  etwkit analyze cpu trace.etl --first 10
  etwkit analyze cpu trace.etl --since +1s --until +2s --format json
  etwkit analyze gc trace.etl --each --sort=-pause_ms --first 5";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = help(), override_usage = "etwkit analyze [OPTIONS] [NAME] <FILE>...")]
pub(crate) struct Args {
    /// One row for each item that the rows of the analysis sum up: for gc, each garbage collection
    #[arg(long)]
    each: bool,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// Form of the table
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: AnswerFormat,
    #[command(flatten)]
    rows: RowChoice,
    #[command(flatten)]
    zone: ZoneArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { each: is_each, input, schemas, format, rows, zone, threads, fail_on, filter } = args;
    let (entry, input) = entry(input)?;
    let entry = if is_each { Some(each(entry)?) } else { entry };
    let mut options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let is_filtered = options.filter != Filter::default();
    let with_stacks = filter_names_stack(&options.filter);
    let (parsers, code_names) = schemas.parsers_for(with_stacks, printer)?;
    let parsers = match entry {
        // Those that keep stacks are all that an analysis can need.
        Some(entry) if !with_stacks => (entry.parsers)(parsers),
        _ => parsers,
    };
    let mut session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?.with_code_names(code_names);
    session.check_times(&options.filter)?;
    let out = Output::new(rows.output.clone());
    let mut row_options = rows.options(format.into());
    let columns = entry.map_or_else(list_columns, cells::of_entry);
    row_options.condition = split_condition(&mut options.filter.expression, &columns, session.trace())?;
    session.check_names_beside(&columns, &[], &options.filter)?;
    let of_processes = entry.and_then(|entry| OfProcesses::take(entry, &mut options.filter));
    check_filter(entry, &options.filter)?;
    session.check_local_times(&options.filter.time, &zone);
    entry.map_or(Ok(()), |entry| check(entry, &mut session))?;
    session.say_partial_copies()?;
    let Values { rows: found, excess } = match entry {
        Some(entry) => (entry.run)(&session, &options)?,
        None => Values { rows: analyses().map(|entry| list_row(entry, &session)).collect(), excess: 0 },
    };
    let mut times = Times::new(&zone, session.trace());
    let is_chosen = |row: &Vec<Value>| of_processes.as_ref().is_none_or(|chosen| chosen.has(row));
    let found: Vec<Vec<Cell>> = found.into_iter().filter(is_chosen).map(|row| cells::cells(row, &mut times)).collect();
    let is_empty = found.is_empty();
    print(&session, columns, &row_options, found, (&out, printer))?;
    if is_empty {
        let outside = session.outside(&options.filter.time);
        let why = match of_processes {
            Some(_) => "none is of these processes",
            None if is_filtered => "no event passes the filters",
            None => "the events that the trace has make none",
        };
        printer.note(format_args!("no row: {}", outside.as_deref().unwrap_or(why)));
    }
    session.left_out_of_table(entry.map_or("", |entry| entry.name), excess);
    session.found_undecoded_in_trace();
    Ok(session.finish())
}

/// Refuses conditions on events where no events are read.
fn check_filter(entry: Option<&Entry>, filter: &Filter) -> Result<(), Failure> {
    if *filter == Filter::default() || entry.is_some_and(|entry| entry.reads_events) {
        return Ok(());
    }
    let what = entry.map_or("the list of analyses", |entry| entry.name);
    let others = if entry.is_some_and(OfProcesses::applies_to) { "--pid, --process and " } else { "" };
    Err(Failure::new(format!("{what}: no filter of events applies"))
        .hint(format!("{others}--where with the names of its columns: these choose rows")))
}

/// The analysis that the first argument names, and the inputs after it.
fn entry(input: InputArgs) -> Result<(Option<&'static Entry>, InputArgs), Failure> {
    let Some(word) = input.first_word() else { return Ok((None, input)) };
    let Some(entry) = analyses().find(|entry| entry.name == word) else {
        let is_file =
            std::path::Path::new(word).exists() || word == "-" || word.contains(['!', '*', '?', '.', '/', '\\']);
        if is_file {
            return Ok((None, input));
        }
        let near = asked_first(nearest(word, analyses().map(|entry| entry.name)));
        return Err(Failure::new(format!("{word}: neither an analysis nor a file"))
            .hint(format!("{near}the analyses are {}", names(analyses()))));
    };
    let rest = input.without_first();
    match rest {
        Some(input) if input.first_word().is_some_and(is_second) => {
            let one = entry.name;
            Err(Failure::new("name only one analysis").hint(format!("etwkit analyze {one} FILE, then the others")))
        }
        Some(input) => Ok((Some(entry), input)),
        None => Err(Failure::new(format!("{}: no trace is given", entry.name))
            .hint(format!("etwkit analyze {} FILE", entry.name))),
    }
}

/// Whether the word after an analysis is another one, and no file.
fn is_second(word: &str) -> bool {
    analyses().any(|entry| entry.name == word) && !std::path::Path::new(word).exists()
}

/// The analysis that lists what the rows of another one add up.
fn each(entry: Option<&'static Entry>) -> Result<&'static Entry, Failure> {
    let hint = || format!("--each works with {}", names(analyses().filter(|entry| entry.each.is_some())));
    let Some(entry) = entry else { return Err(Failure::new("--each needs the name of an analysis").hint(hint())) };
    let none = || Failure::new(format!("{} has no --each table", entry.name)).hint(hint());
    entry.each.ok_or_else(none)
}

/// Refuses an analysis that the trace cannot answer. Damage is reported before: it may be the reason.
fn check(entry: &Entry, session: &mut Session) -> Result<(), Failure> {
    if (entry.is_answerable)(session.trace()) {
        return Ok(());
    }
    session.report_problems();
    Err(Failure::new(format!("{}: the trace does not have the events that it needs", entry.name))
        .hint((entry.advice)()))
}

fn print(
    session: &Session,
    columns: Vec<Column>,
    options: &RowOptions,
    rows: Vec<Vec<Cell>>,
    (out, printer): (&Output, Printer),
) -> Result<(), Failure> {
    let plan = RowPlan::new(columns, options)?;
    let hidden = plan.left_out().collect::<Vec<_>>().join(", ");
    let mut writer = RowWriter::new(plan, BufWriter::new(out.open(session.trace())?))?;
    rows.into_iter().try_for_each(|row| writer.push(row))?;
    writer.finish()?.say(printer);
    if !hidden.is_empty() {
        printer.note(format_args!("not shown: {hidden}; --fields '*' shows all columns"));
    }
    Ok(())
}

fn list_columns() -> Vec<Column> {
    vec![Column::text("name"), Column::count("events"), Column::text("about"), Column::text("to_record")]
}

fn list_row(entry: &Entry, session: &Session) -> Vec<Value> {
    let advice = (!(entry.is_answerable)(session.trace())).then(entry.advice);
    vec![
        Value::Text(entry.name.to_owned()),
        Value::Integer((entry.events)(session.trace()).into()),
        Value::Text(entry.about.to_owned()),
        advice.map_or(Value::Absent, Value::Text),
    ]
}
