//! `etwkit table`: of each event its name and its data.

use std::fmt::Write as _;
use std::io::Write;

use etwkit::render::terminal;
use etwkit::trace::{RunOptions, Summary, Trace};
use etwkit_windows_formats::ReportRows;

use crate::args::{TableArgs, TableFormat};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::output::{Output, Writer};
use crate::program::Program;
use crate::session::Session;
use crate::text::counted;

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
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let TableArgs { input, schemas, format, output, threads, first, last, fail_on, filter } = args.table;
    let (filter, threads) = (filter.into_filter()?, threads.count());
    let options = RunOptions::default().filter(filter).threads(threads).first(first).last(last);
    let mut session = Session::open(&input, schemas.parsers(printer)?, fail_on, printer)?;
    session.check_times(&options.filter)?;
    session.check_names(&[], &options.filter);
    let widths = widths(&session, &options)?;
    let out = Output::new(output).open(session.trace())?;
    let summary = match format {
        TableFormat::Text => aligned(session.trace(), &options, &widths, out)?,
        TableFormat::Csv => csv(session.trace(), &options, widths.len(), out)?,
    };
    session.report_run(&summary);
    let undecoded = session.found_undecoded(&summary);
    if undecoded > 0 {
        let events = counted(undecoded, "event");
        printer.note(format_args!("{events} without a schema that fits: the payload is given as it is"));
    }
    Ok(session.finish())
}

/// Returns the characters of the widest cell of each column.
fn widths(session: &Session, options: &RunOptions) -> Result<Vec<usize>, Failure> {
    let mut widths: Vec<usize> = vec!["EventName".len()];
    let mut sink = ReportRows::new(|row: &[String]| {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(terminal::escaped(cell).chars().count());
        }
        Ok(())
    });
    session.run(options, &mut sink)?;
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
