//! `etwkit counters`: the values of a performance log as a table.

mod samples;

use std::collections::HashMap;
use std::io::{BufWriter, Write};

use clap::ValueEnum;
use etwkit::FileTime;
use etwkit::query::Expression;
use etwkit::render::time::TimeCache;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_parsers::pdh::{CLASS, Catalog, CounterType, LIST, SAMPLE, Sample, Table, Zone};

use crate::args::{FailOnArgs, TimeArgs, ZoneArgs, parse_expression};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::{Output, PlainLines, csv_to};
use crate::printer::Printer;
use crate::program::Program;
use crate::rows::{Outcome, RowChoice, RowFormat, RowOptions, RowPlan, RowWriter};
use crate::session::Session;
use crate::text::counted;

use samples::{Log, Samples};

const HELP: &str = "\
Rows are samples, columns are counters; times are local to the recording machine, as in the log. An empty cell is an \
absent value: the first sample of a counter that shows a change, or a sample that the log marks as invalid.

CSV and TSV have the form of relog. With --fields, --where or --sort, CSV is plain: the first column is `time`, the \
others are the paths of the counters. A path may be given as it is printed, without the machine, or as its last part \
if only one counter has it; * and ? stand for any text. If several files are read, such a table has a column `file` \
after the time.

Examples:
  etwkit counters disk.blg > disk.csv
  etwkit counters disk.blg --format tsv
  etwkit counters disk.blg --format text --fields 'time,*Disk Bytes/sec' --sort=-time
  etwkit counters disk.blg --where '\"\\Processor(_Total)\\% Processor Time\" > 50' --since +1m";

/// Counters of all lists of all files; each list counts as one more.
const MOST_COUNTERS: usize = 1 << 18;

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Form of the table [default: by the name of the output, else csv]
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<CounterFormat>,
    #[command(flatten)]
    rows: RowChoice,
    #[command(flatten)]
    zone: ZoneArgs,
    #[command(flatten)]
    time: TimeArgs,
    /// Condition on columns, such as '"% Processor Time" > 50' (`etwkit help where`)
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
    /// One JSON object per sample
    #[value(aliases = ["ndjson", "json"])]
    Jsonl,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, format, rows, zone, time, expression } = args;
    time.range()?;
    let mut session = Session::open(&input, etwkit_parsers::standard(), FailOnArgs::default(), printer)?;
    session.report_problems();
    let (logs, unreadable) = logs(session.trace())?;
    if unreadable > 0 {
        printer.warning(format_args!("{} could not be read", counted(unreadable, "event")));
    }
    if logs.is_empty() {
        return Err(Failure::new("not a performance log: it has no counters"));
    }
    for (_, table) in &logs {
        without_values(table, printer);
    }
    let window = time.window(session.trace().start().unwrap_or_default())?;
    let is_whole = window == (FileTime(i64::MIN), FileTime(i64::MAX));
    // CSV is the form if none is named, and so gives way to the name of a file.
    let is_named = format.is_none() && rows.names_form_other_than(RowFormat::Csv);
    let format = format.unwrap_or(CounterFormat::Csv);
    let form = if is_named { RowFormat::Text } else { format.form() };
    let rows_only = Rows { options: rows.options(form).with_condition(expression), zone, window };
    let is_relog = !is_named && is_whole && rows_only.options.is_all() && !rows_only.zone.relative;
    session.check_local_times(&time.range()?, &rows_only.zone);
    let output = Output::new(rows.output);
    match format {
        CounterFormat::Csv if is_relog => as_relog(session.trace(), &logs, ',', &output)?,
        CounterFormat::Tsv if is_relog => as_relog(session.trace(), &logs, '\t', &output)?,
        CounterFormat::Tsv => {
            return Err(Failure::new("--format tsv cannot be combined with options that choose rows or columns")
                .hint("use --format csv"));
        }
        _ => {
            let outcome = rows_only.print(session.trace(), &logs, &output)?;
            match session.outside(&time.range()?) {
                Some(reason) => printer.note(format_args!("no sample: {reason}")),
                None => outcome.say(printer),
            }
        }
    }
    if unreadable > 0 {
        session.found_damage();
    }
    Ok(session.finish())
}

impl CounterFormat {
    const fn form(self) -> RowFormat {
        match self {
            Self::Text => RowFormat::Text,
            Self::Jsonl => RowFormat::Jsonl,
            Self::Csv | Self::Tsv => RowFormat::Csv,
        }
    }
}

/// The samples of all logs as one table.
struct Rows {
    options: RowOptions,
    zone: ZoneArgs,
    /// First and last time.
    window: (FileTime, FileTime),
}

impl Rows {
    fn print(&self, trace: &Trace, logs: &[Log], output: &Output) -> Result<Outcome, Failure> {
        let mut samples = Samples::new(trace, logs);
        let plan = RowPlan::new(samples.columns(), &self.options)?;
        let mut writer = RowWriter::new(plan, BufWriter::new(output.open(trace)?))?;
        let mut time = TimeCache::new(self.zone.zone(trace));
        while let Some(row) = samples.next_within(self.window, &mut time) {
            writer.push(row)?;
        }
        writer.finish()
    }
}

/// Each log as a table of its own.
fn as_relog(trace: &Trace, logs: &[Log], separator: char, output: &Output) -> Result<(), Failure> {
    let out = csv_to(output.open(trace)?, separator as u8);
    let mut out = BufWriter::new(PlainLines::new(out));
    for (file, table) in logs {
        let zone = trace.file(*file).map(|file| &file.head.log.time_zone);
        let zone = zone.map_or_else(|| Zone::new("", 0), |zone| Zone::new(&zone.standard_name, zone.bias));
        table.print(&mut out, separator, zone)?;
    }
    Ok(out.flush()?)
}

/// A table for each log, in the order of the files, and how many events no table could take.
fn logs(trace: &Trace) -> Result<(Vec<Log>, u64), Failure> {
    let mut logs: Vec<Log> = Vec::new();
    // The last list of each log counts for its samples.
    let mut places = HashMap::new();
    let (mut unreadable, mut counters) = (0, 0);
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next()? {
        let (key, file) = (event.raw().key(), event.raw().place().file);
        let taken = match (key.provider, key.opcode) {
            (CLASS, LIST) => Catalog::parse(event.payload()).and_then(|catalog| {
                counters += catalog.counters.len() + 1;
                if counters > MOST_COUNTERS {
                    return Err(etwkit::Error::limit("counters of all lists", MOST_COUNTERS));
                }
                places.insert((file, catalog.log), logs.len());
                logs.push((file, Table::new(catalog)));
                Ok(())
            }),
            (CLASS, SAMPLE) => Sample::parse(event.payload()).and_then(|sample| {
                let place = places.get(&(file, sample.log)).copied();
                let table = place.and_then(|place| logs.get_mut(place));
                let none = || etwkit::Error::schema("a sample before the list of its counters");
                let (_, table) = table.ok_or_else(none)?;
                table.add(event.time().unwrap_or_default(), &sample)
            }),
            _ => continue,
        };
        unreadable += u64::from(taken.is_err());
    }
    Ok((logs, unreadable))
}

/// Says which columns stay blank because counters of their types have no values.
fn without_values(table: &Table, printer: Printer) {
    for counter in table.catalog().counters.iter().filter(|counter| !counter.kind.has_value()) {
        let CounterType(number) = counter.kind;
        printer
            .note(format_args!("{}: no values: type {number:#010x} is a base, a text or a histogram", counter.path()));
    }
}
