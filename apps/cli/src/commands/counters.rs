//! `etwkit counters`: the values of a performance log as a table.

use std::io::Write;

use clap::ValueEnum;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_parsers::pdh::{CLASS, Catalog, CounterType, LIST, SAMPLE, Sample, Table, Zone};

use crate::args::FailOnArgs;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::printer::Printer;
use crate::program::Program;
use crate::session::Session;
use crate::text::counted;

const HELP: &str = "\
Rows are samples, columns are counters; times are local to the recording machine, as in the log. A blank is a value \
that is not there: the first sample of what is told as a change, or one that the log calls invalid.

Examples:
  etwkit counters disk.blg > disk.csv
  etwkit counters disk.blg --format tsv";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// What is between the columns
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    format: SeparatorArg,
}

/// What is between the columns.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SeparatorArg {
    /// Commas, as `relog -f CSV`
    Csv,
    /// Tabs, as `relog -f TSV`
    Tsv,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, format } = args;
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
    let separator = if matches!(format, SeparatorArg::Csv) { ',' } else { '\t' };
    let head = trace.files().first().map(|file| &file.head.log.time_zone);
    let zone = head.map_or(Zone::new("", 0), |zone| Zone::new(&zone.standard_name, zone.bias));
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for table in &tables {
        without_values(table, printer);
        table.print(&mut out, separator, zone)?;
    }
    out.flush()?;
    if unreadable > 0 {
        session.found_damage();
    }
    Ok(session.finish())
}

/// A table for each log, in the order of the files, and how many events no table could take.
fn tables(trace: &Trace) -> Result<(Vec<Table>, u64), Failure> {
    let mut tables: Vec<Table> = Vec::new();
    let mut unreadable = 0;
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next()? {
        let key = event.raw().key();
        let taken = match (key.provider, key.opcode) {
            (CLASS, LIST) => Catalog::parse(event.payload()).map(|catalog| tables.push(Table::new(catalog))),
            (CLASS, SAMPLE) => Sample::parse(event.payload()).and_then(|sample| {
                let table = tables.iter_mut().rfind(|table| table.catalog().log == sample.log);
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
