//! `etwkit counters`: the values of a performance log as a table.

use std::io::{BufWriter, Write};

use clap::ValueEnum;
use etwkit::FileTime;
use etwkit::query::Expression;
use etwkit::render::time::push_event_time;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_parsers::pdh::{CLASS, Catalog, CounterType, LIST, SAMPLE, Sample, Table, Zone};

use crate::args::{FailOnArgs, TimeArgs, parse_expression};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::printer::Printer;
use crate::program::Program;
use crate::rows::{Cell, Column, Files, RowChoice, RowFormat, RowOptions, RowPlan, RowWriter};
use crate::session::Session;
use crate::text::counted;

const HELP: &str = "\
Rows are samples, columns are counters; times are local to the recording machine, as in the log. A blank is a value \
that is not there: the first sample of a counter that shows a change, or one that the log calls invalid.

CSV and TSV are those of relog. With --fields, --where or --sort, CSV is a plain one: the first column is `time`, the \
others are the paths of the counters. A path may be shortened to its last part where one counter has it, and --fields \
takes * and ?. If several files are read, such a table has a column `file` after the time.

Examples:
  etwkit counters disk.blg > disk.csv
  etwkit counters disk.blg --format tsv
  etwkit counters disk.blg --format text --fields 'time,*Disk Bytes/sec' --sort=-time
  etwkit counters disk.blg --where '\"% Processor Time\" > 50' --since +1m";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Form of the table
    #[arg(short, long, value_name = "FORMAT", default_value = "csv")]
    format: CounterFormat,
    #[command(flatten)]
    rows: RowChoice,
    #[command(flatten)]
    time: TimeArgs,
    /// Condition on columns, such as '\"% Processor Time\" > 50' (`etwkit help where`)
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", value_parser = parse_expression)]
    expression: Option<Expression>,
}

/// The form of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CounterFormat {
    /// Commas, as `relog -f CSV`
    Csv,
    /// Tabs, as `relog -f TSV`
    Tsv,
    /// Aligned columns, for people
    Text,
    /// One JSON object a sample
    #[value(aliases = ["ndjson", "json"])]
    Jsonl,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, format, rows, time, expression } = args;
    time.range()?;
    let mut session = Session::open(&input, etwkit_parsers::standard(), FailOnArgs::default(), printer)?;
    session.report_problems();
    let trace = session.trace();
    let (tables, unreadable) = tables(trace)?;
    if unreadable > 0 {
        printer.warning(format_args!("{} could not be read", counted(unreadable, "list or sample")));
    }
    if tables.is_empty() {
        return Err(Failure::new("no counters: this is no performance log"));
    }
    for (table, _) in &tables {
        without_values(table, printer);
    }
    let form = match format {
        CounterFormat::Text => RowFormat::Text,
        CounterFormat::Jsonl => RowFormat::Jsonl,
        CounterFormat::Csv | CounterFormat::Tsv => RowFormat::Csv,
    };
    let mut options = rows.options(form);
    options.condition = expression;
    let window = time.window(trace.start().unwrap_or_default())?;
    let is_whole = window == (FileTime(i64::MIN), FileTime(i64::MAX)) && options.is_all();
    let mut out = BufWriter::new(Output::new(rows.output).open(trace)?);
    match format {
        CounterFormat::Csv if is_whole => as_relog(trace, &tables, ',', &mut out)?,
        CounterFormat::Tsv if is_whole => as_relog(trace, &tables, '\t', &mut out)?,
        CounterFormat::Tsv => return Err(Failure::new("tsv is relog's alone").hint("choose rows and columns with csv")),
        _ => {
            let files = Files::of(trace);
            tables.iter().try_for_each(|(table, file)| print(table, (&files, *file), &options, window, &mut out))?;
        }
    }
    out.flush()?;
    if unreadable > 0 {
        session.found_damage();
    }
    Ok(session.finish())
}

fn as_relog(trace: &Trace, tables: &[(Table, u16)], separator: char, out: &mut impl Write) -> Result<(), Failure> {
    let head = trace.files().first().map(|file| &file.head.log.time_zone);
    let zone = head.map_or_else(|| Zone::new("", 0), |zone| Zone::new(&zone.standard_name, zone.bias));
    Ok(tables.iter().try_for_each(|(table, _)| table.print(out, separator, zone))?)
}

/// Prints the samples of a log in a span of time.
fn print(
    table: &Table,
    (files, file): (&Files, u16),
    options: &RowOptions,
    (first, last): (FileTime, FileTime),
    out: &mut impl Write,
) -> Result<(), Failure> {
    let columns = [Column::text("time"), files.column()].into_iter().chain(table.paths().map(Column::number));
    let mut writer = RowWriter::new(RowPlan::new(columns.collect(), options)?, out)?;
    for (time, values) in table.rows().filter(|(time, _)| (first..=last).contains(time)) {
        let mut text = Vec::new();
        push_event_time(&mut text, time, true);
        let time = Cell::Text(String::from_utf8_lossy(&text).into_owned());
        let values = values.into_iter().map(|value| value.map_or(Cell::Absent, Cell::Real));
        writer.push([time, files.cell(&[file])].into_iter().chain(values).collect())?;
    }
    writer.finish().map(drop)
}

/// A table for each log with the index of its file, in the order of the files, and how many events no table could take.
fn tables(trace: &Trace) -> Result<(Vec<(Table, u16)>, u64), Failure> {
    let mut tables: Vec<(Table, u16)> = Vec::new();
    let mut unreadable = 0;
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next()? {
        let key = event.raw().key();
        let taken = match (key.provider, key.opcode) {
            (CLASS, LIST) => Catalog::parse(event.payload()).map(|catalog| {
                tables.push((Table::new(catalog), event.raw().place().file));
            }),
            (CLASS, SAMPLE) => Sample::parse(event.payload()).and_then(|sample| {
                let table = tables.iter_mut().map(|(table, _)| table).rfind(|table| table.catalog().log == sample.log);
                let none = || etwkit::Error::schema("a sample before the list of its counters");
                table.ok_or_else(none)?.add(event.time().unwrap_or_default(), &sample)
            }),
            _ => continue,
        };
        unreadable += u64::from(taken.is_err());
    }
    Ok((tables, unreadable))
}

/// Says which columns stay blank because counters of their types have no values.
fn without_values(table: &Table, printer: Printer) {
    for counter in table.catalog().counters.iter().filter(|counter| !counter.kind.has_value()) {
        let CounterType(number) = counter.kind;
        printer
            .note(format_args!("{}: no values: type {number:#010x} is a base, a text or a histogram", counter.path()));
    }
}
