//! `etwkit diff`: what changed between two traces.

mod choice;
mod compared;
mod functions;
mod markdown;

use std::ffi::OsString;
use std::io::BufWriter;

use clap::ValueEnum;
use etwkit::trace::RunOptions;
use etwkit_analysis::ColumnKind;
use etwkit_diff::{Change, Limit};

use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs, named_by};
use crate::code_names::CodeNames;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::{InputArgs, ReadingArgs};
use crate::output::Output;
use crate::printer::Printer;
use crate::program::Program;
use crate::rows::{Cell, Column, RowChoice, RowFormat, RowPlan, RowWriter, split_condition_of};
use crate::session::Session;
use crate::text::{grouped, parse_count};

use choice::Choice;
use compared::Compared;

const HELP: &str = "\
Compares the numbers and rates of events (`events`), the fields of events in the same version (`schemas`), the tables \
of all analyses that both traces can answer, and the functions of the CPU samples (`functions`). Rows are matched by their \
texts, such as the name of a process or file, because ids differ between runs; rows with equal texts are added up. \
Rows that only one trace has come first, then the largest changes in per cent.

Filters choose the events of both traces; relative times count from the start of each trace. In --where, the names of \
columns choose changes.

--fail-on takes a limit TABLE.COLUMN>NUMBER: with a sign, the number is a change; with %, a change in per cent; \
otherwise the value in the second trace. TABLE.COLUMN[KEY] applies to the rows with this key. Units in the names of columns \
may be left out. The exit code is 1 if a limit is exceeded. A mean, percentile, share or rate of several rows cannot be \
limited. If a trace lacks the events of a table, the table has no rows.

Examples:
  etwkit diff before.etl after.etl
  etwkit diff before.etl after.etl --only gc,cpu,functions --most 5
  etwkit diff before.etl after.etl --format markdown -o diff.md
  etwkit diff before.etl after.etl --fail-on 'gc.pause.sum>+10%' --fail-on 'exceptions.rows>0'
  etwkit diff before.etl after.etl --only events --process app.exe --format json";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The first trace
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    before: OsString,
    /// The second trace
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    after: OsString,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// Form of the table
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: Form,
    #[command(flatten)]
    rows: RowChoice,
    /// Compare only these tables: events, schemas, functions, names of analyses
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave out changes of less than this many per cent
    #[arg(long, value_name = "PCT", default_value_t = 0.0, value_parser = parse_percent)]
    min_percent: f64,
    /// Maximum number of changes of each table [default: 20 in text and markdown, else all; all with --sort, --first,
    /// --last or a condition on columns]
    #[arg(long, value_name = "N", value_parser = parse_count::<usize>)]
    most: Option<usize>,
    /// Exit with 1 if a number exceeds a limit, such as `gc.pause_ms_sum>+10%`
    #[arg(long, value_name = "LIMIT")]
    fail_on: Vec<Limit>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// The form of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Aligned columns, for people
    Text,
    /// RFC 4180 with a header line
    Csv,
    /// One JSON object per change
    #[value(aliases = ["ndjson", "jsonl"])]
    Json,
    /// A table in Markdown for each table that changed, for comments on pull requests
    #[value(alias = "md")]
    Markdown,
}

impl Form {
    /// The form of rows; none of Markdown.
    const fn rows(self) -> Option<RowFormat> {
        match self {
            Self::Text => Some(RowFormat::Text),
            Self::Csv => Some(RowFormat::Csv),
            Self::Json => Some(RowFormat::Jsonl),
            Self::Markdown => None,
        }
    }
}

/// Changes of each table that people see unless they ask for more.
const MOST: usize = 20;
/// What chooses changes in Markdown.
const FOR_MARKDOWN: &str = "with --format markdown use --only, --most and --min-percent";

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { before, after, reading, schemas, format, rows, only, min_percent, most, fail_on, threads, filter } =
        args;
    if before == "-" && after == "-" {
        return Err(Failure::new("stdin is one trace, and can be read once").hint("name a file as one of the two"));
    }
    let named = rows.output.as_deref().filter(|_| format == Form::Text).and_then(named_by);
    let format = named.unwrap_or(format);
    let row_format = format.rows();
    if row_format.is_none() && !rows.options(RowFormat::Text).is_all() {
        let what = "--fields, --sort, --first and --last choose rows and columns of text, csv and json";
        return Err(Failure::new(what).hint(FOR_MARKDOWN));
    }
    let mut options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let (before, code_names) = open(before, reading, &schemas, &options, printer)?;
    code_names.say_servers(printer);
    let (after, _) = open(after, reading, &schemas, &options, printer)?;
    let mut sessions = [before, after];
    sessions.iter().try_for_each(Session::say_partial_copies)?;
    let traces = sessions.each_ref().map(Session::trace);
    let condition = split_condition_of(&mut options.filter.expression, &columns(), &traces)?;
    if row_format.is_none() && condition.is_some() {
        return Err(Failure::new("--where: conditions on columns choose rows of text, csv and json").hint(FOR_MARKDOWN));
    }
    sessions.iter().try_for_each(|session| session.check_names_beside(&columns(), &[], &options.filter))?;
    let out = Output::new(rows.output.clone());
    traces.iter().try_for_each(|trace| out.refuse_input(trace))?;
    let row_options = rows.options(row_format.unwrap_or_default()).with_condition(condition);
    let plan = RowPlan::new(columns(), &row_options)?;
    let mut compared = Compared::of(&Choice { sessions: &sessions, options: &options, only: &only, limits: &fail_on })?;
    compared.say_omitted(&only, printer)?;
    let breaches = compared.breaches(&fail_on, printer)?;
    // Who chooses rows chooses among all of them.
    let is_for_people = matches!(format, Form::Markdown) || matches!(row_options.format, RowFormat::Text);
    let usual = if is_for_people && !row_options.chooses_rows() { MOST } else { usize::MAX };
    compared.cut(min_percent, most.unwrap_or(usual), |change| plan.takes(&cells(change)));
    match row_format {
        Some(_) => print(&compared, plan, (&out, &sessions), printer)?,
        None => markdown::write(&compared, &mut *out.open(sessions[0].trace())?)?,
    }
    for session in &sessions {
        if let Some(reason) = session.outside(&options.filter.time) {
            let name = session.trace().files().first().map_or("trace", |file| file.source.name());
            printer.note(format_args!("{name}: none of its events is compared: {reason}"));
        }
    }
    for (table, left_out) in compared.left_out() {
        printer.note(format_args!("{} more changes of {table}: see --most and --min-percent", grouped(left_out)));
    }
    for (session, excess) in sessions.iter_mut().zip(compared.excess()) {
        for (table, count) in excess {
            session.left_out_of_table(table, *count);
        }
    }
    let status = sessions.into_iter().map(Session::finish).max().unwrap_or_default();
    Ok(if breaches { status.max(Status::Partial) } else { status })
}

/// Opens one of the traces, with names of code.
fn open(
    path: OsString,
    reading: ReadingArgs,
    schemas: &SchemaArgs,
    options: &RunOptions,
    printer: Printer,
) -> Result<(Session, CodeNames), Failure> {
    let (parsers, code_names) = schemas.parsers_with_stacks(printer)?;
    let input = InputArgs::of(vec![path]).read_by(reading);
    let session = Session::open_by(options.threads, &input, parsers, FailOnArgs::default(), printer)?;
    session.check_times(&options.filter)?;
    Ok((session, code_names))
}

/// Per cent; changes may be far more than a hundred.
fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    number.filter(|number| number.is_finite() && *number >= 0.0).ok_or_else(|| "use a number from 0 on".to_owned())
}

/// The columns of a change.
fn columns() -> Vec<Column> {
    vec![
        Column::text("table"),
        Column::text("key"),
        Column::text("column"),
        Column::number("before"),
        Column::number("after"),
        Column::number("change"),
        Column::number("percent"),
    ]
}

fn print(
    compared: &Compared,
    plan: RowPlan,
    (out, sessions): (&Output, &[Session; 2]),
    printer: Printer,
) -> Result<(), Failure> {
    let mut writer = RowWriter::new(plan, BufWriter::new(out.open(sessions[0].trace())?))?;
    compared.changes().try_for_each(|change| writer.push(cells(change)))?;
    writer.finish()?.say(printer);
    if compared.changes().next().is_none() && compared.left_out().next().is_none() {
        printer.note("no change in what is compared");
    }
    Ok(())
}

fn cells(change: &Change) -> Vec<Cell> {
    let measure = |number: Option<f64>| number.map_or(Cell::Absent, Cell::Measure);
    let delta = match change.kind {
        // Things are counted in integers.
        ColumnKind::Count => change.delta().map_or(Cell::Absent, |delta| Cell::Integer(delta as i128)),
        _ => measure(change.delta()),
    };
    vec![
        Cell::Text(change.table.to_owned()),
        Cell::Text(change.key.clone()),
        Cell::Text(change.column.clone()),
        compared::cell(&change.before),
        compared::cell(&change.after),
        delta,
        measure(change.percent()),
    ]
}
