//! `etwkit table`: of each event its name and its data.

use std::fmt::Write as _;
use std::io::Write;

use etwkit::render::terminal;
use etwkit::trace::{RunOptions, Summary, Trace};
use etwkit_windows_formats::ReportRows;

use crate::census;
use crate::counted::drive;
use crate::failure::Failure;
use crate::meant;
use crate::names;
use crate::output::{Output, Writer};
use crate::printer::Printer;
use crate::table_args::{TableArgs, TableFormat};
use crate::verdict::{FailOn, Status, Verdict};

const HELP: &str = "\
One row an event, in time order: the event's name (that of its opcode), then its data. Events of one kind are easy \
to follow down the page; --provider leaves out the others.

Examples:
  etwkit table http.etl --provider Microsoft-Windows-HttpService
  etwkit table http.etl --format csv -o http.csv";

/// Widest aligned column; what is wider pushes the rest of its row.
const WIDEST: usize = 40;

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, printer: Printer) -> Result<Status, Failure> {
    let TableArgs { input, schemas, format, output, threads, first, last, fail_on, filter } = args.table;
    let (filter, threads) = (filter.into_filter()?, threads.count());
    let options = RunOptions::default().filter(filter).threads(threads).first(first).last(last);
    let output = Output::new(output);
    let mut verdict = Verdict::new(fail_on.fail_on);
    let (trace, damage) = census::read(&input, schemas.parsers(printer)?, printer, &mut verdict)?;
    let Some(trace) = trace else { return Ok(Status::Failed) };
    census::check_times(&trace, &options.filter)?;
    let condition = names::of_condition(options.filter.expression.as_ref());
    names::check(&trace, &[("--where", &condition)], printer);
    meant::check(&trace, &options.filter, printer);
    let widths = widths(&trace, &options, printer)?;
    let summary = match format {
        TableFormat::Text => aligned(&trace, &options, &widths, output.open(&trace)?)?,
        TableFormat::Csv => csv(&trace, &options, widths.len(), output.open(&trace)?)?,
    };
    census::report(&trace, &damage, &mut verdict, printer);
    census::nothing_passed(&trace, &summary, printer);
    if summary.undecoded + summary.misfits + summary.cut > 0 {
        verdict.found(FailOn::Undecoded);
        let events = crate::text::counted(summary.undecoded + summary.misfits + summary.cut, "event");
        printer.note(format_args!("{events} without a schema that fits: the payload is given as it is"));
    }
    Ok(verdict.status())
}

/// Characters of the widest cell of each column: tells how many columns there are, too.
fn widths(trace: &Trace, options: &RunOptions, printer: Printer) -> Result<Vec<usize>, Failure> {
    let mut widths: Vec<usize> = vec!["EventName".len()];
    let mut sink = ReportRows::new(|row: &[String]| {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(terminal::escaped(cell).chars().count());
        }
        Ok(())
    });
    drive(trace, options, &mut sink, printer)?;
    Ok(widths)
}

/// `EventName`, `Data1`, `Data2` and so on.
fn header(columns: usize) -> Vec<String> {
    let data = (1..columns).map(|number| format!("Data{number}"));
    std::iter::once("EventName".to_owned()).chain(data).collect()
}

fn aligned(trace: &Trace, options: &RunOptions, widths: &[usize], mut out: Writer) -> Result<Summary, Failure> {
    let header = header(widths.len());
    let widths: Vec<usize> =
        widths.iter().zip(&header).map(|(width, name)| (*width).clamp(name.len(), WIDEST.max(name.len()))).collect();
    let line = |row: &[String]| {
        let mut text = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let cell = terminal::escaped(cell);
            // Writing to a string cannot fail.
            let _ = write!(text, "{:<width$}  ", if cell.is_empty() { "-" } else { &cell });
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    };
    out.write_all(line(&header).as_bytes())?;
    let mut sink = ReportRows::new(|row: &[String]| Ok(out.write_all(line(row).as_bytes())?));
    let summary = trace.run(options, &mut sink)?;
    drop(sink);
    out.flush()?;
    Ok(summary)
}

/// Every row has as many cells as the header.
fn csv(trace: &Trace, options: &RunOptions, columns: usize, out: Writer) -> Result<Summary, Failure> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(header(columns)).map_err(std::io::Error::from)?;
    let mut sink = ReportRows::new(|row: &[String]| {
        let missing = columns.saturating_sub(row.len());
        let cells = row.iter().map(String::as_str).chain(std::iter::repeat_n("", missing));
        Ok(csv.write_record(cells).map_err(std::io::Error::from)?)
    });
    let summary = trace.run(options, &mut sink)?;
    drop(sink);
    csv.flush()?;
    Ok(summary)
}
