//! `etwkit dump`: every event, in order.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use etwkit::Problem;
use etwkit::sink::{JsonLines, Sink, TextLines};
use etwkit::trace::{Census, Order, RunOptions, Summary};

use etwkit_parsers::wpp::TracefmtLines;

use crate::census;
use crate::counted::Counted;
use crate::failure::Failure;
use crate::filter::FilterArgs;
use crate::hints;
use crate::input::InputArgs;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};
use crate::schemas::SchemaArgs;
use crate::text::{counted, grouped};
use crate::verdict::{FailOn, FailOnArgs, Status, Verdict};

const HELP: &str = "\
Several files are read as one trace: their events are merged by time, and schemas found in one file serve all.

Examples:
  etwkit dump trace.etl > trace.jsonl
  etwkit dump trace.etl --format text --provider Microsoft-Windows-Kernel-Process --id 1,2
  etwkit dump 'logs/*.etl' --event 'GC/*' --since 2021-09-09T14:59:35Z --until 2021-09-09T15:00:00Z
  etwkit dump trace.etl --last 20 --format text
  gzip -dc trace.etl.gz | etwkit dump - -o trace.jsonl";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// Form of the output: one JSON object a line, or lines for people
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    format: Format,
    /// Prefix of each line of `--format tracefmt`, as `TRACE_FORMAT_PREFIX` has it
    #[arg(long, value_name = "TEXT")]
    prefix: Option<String>,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Order of events: by time over all processors, or as they lie in the files
    #[arg(long, value_name = "ORDER", default_value = "time")]
    order: OrderArg,
    /// Threads that decode; the output does not depend on it [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    threads: Option<u8>,
    /// Only the first N events that pass the filters
    #[arg(long, value_name = "N")]
    first: Option<u64>,
    /// Only the last N events that pass the filters (of the first ones, if both are given)
    #[arg(long, value_name = "N")]
    last: Option<u64>,
    /// Join stacks that come in events of their own to their events (JSON lines); takes memory for all of them
    #[arg(long)]
    stacks: bool,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object an event
    Jsonl,
    /// One line an event
    Text,
    /// Messages of WPP as tracefmt prints them, one line each
    Tracefmt,
}

/// The order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OrderArg {
    /// By time
    Time,
    /// By place in the files
    File,
}

/// What was typed, validated.
#[derive(Debug)]
struct Plan {
    input: InputArgs,
    schemas: SchemaArgs,
    prefix: Option<String>,
    format: Format,
    output: Option<PathBuf>,
    stacks: bool,
    options: RunOptions,
    everything: bool,
    fail_on: Vec<FailOn>,
}

impl TryFrom<Args> for Plan {
    type Error = Failure;

    fn try_from(args: Args) -> Result<Self, Failure> {
        let everything = args.filter.is_empty() && args.first.is_none() && args.last.is_none();
        let order = match args.order {
            OrderArg::Time => Order::Time,
            OrderArg::File => Order::File,
        };
        let filter = args.filter.into_filter()?;
        let mut options = RunOptions { order, filter, first: args.first, last: args.last, ..RunOptions::default() };
        if let Some(threads) = args.threads {
            options.threads = threads.into();
        }
        let output = args.output.filter(|path| path != Path::new("-"));
        let Args { input, schemas, format, prefix, fail_on, stacks, .. } = args;
        let fail_on = fail_on.fail_on;
        Ok(Self { input, schemas, prefix, format, output, stacks, options, everything, fail_on })
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, printer: Printer) -> Result<Status, Failure> {
    let plan = Plan::try_from(args)?;
    let mut verdict = Verdict::new(plan.fail_on.clone());
    let (parsers, _) = plan.schemas.parsers(printer)?;
    let parsers = if plan.stacks { etwkit_parsers::with_stacks(parsers) } else { parsers };
    let (census, damage) = census::read(&plan.input, parsers, printer, &mut verdict)?;
    let Some(census) = census else { return Ok(Status::Failed) };
    let writer = open_output(plan.output.as_deref(), &census)?;
    let summary = write(&plan, &census, writer, printer)?;
    report(&census, &damage, &summary, &mut verdict, printer);
    if plan.stacks {
        crate::stacks::lines(&census)?.iter().for_each(|line| printer.note(format_args!("stacks: {line}")));
    }
    Ok(verdict.status())
}

/// Where the events go. Refuses to overwrite an input.
fn open_output(path: Option<&Path>, census: &Census) -> Result<Box<dyn Write + Send + Sync>, Failure> {
    let Some(path) = path else { return Ok(Box::new(io::stdout())) };
    let same = |name: &str| match (path.canonicalize(), Path::new(name).canonicalize()) {
        (Ok(output), Ok(input)) => output == input,
        _ => false,
    };
    let name = |name: &str| name.split('!').next().unwrap_or(name).to_owned();
    if census.files().iter().any(|file| same(file.source.name()) || same(&name(file.source.name()))) {
        return Err(Failure::new("the output would overwrite an input")
            .of(path.display())
            .hint("write to a file of another name"));
    }
    let file = File::create(path).map_err(|error| hints::of_output(error, path))?;
    Ok(Box::new(file))
}

fn write(
    plan: &Plan,
    census: &Census,
    writer: Box<dyn Write + Send + Sync>,
    printer: Printer,
) -> Result<Summary, Failure> {
    let total = plan.everything.then(|| census.events_total());
    let progress = Progress::new(total, Unit::Events, printer);
    let (summary, mut writer) = match plan.format {
        Format::Jsonl => {
            drive(plan, census, Counted::new(JsonLines::new(census, writer), progress), JsonLines::into_inner)?
        }
        Format::Text => {
            drive(plan, census, Counted::new(TextLines::new(census, writer), progress), TextLines::into_inner)?
        }
        Format::Tracefmt => {
            let lines = TracefmtLines::new(census, writer);
            let lines = match &plan.prefix {
                Some(prefix) => lines.prefix(prefix),
                None => lines,
            };
            drive(plan, census, Counted::new(lines, progress), TracefmtLines::into_inner)?
        }
    };
    writer.flush()?;
    Ok(summary)
}

fn drive<S: Sink + Sync, W>(
    plan: &Plan,
    census: &Census,
    mut sink: Counted<S>,
    into_writer: impl Fn(S) -> W,
) -> Result<(Summary, W), Failure> {
    let summary = census.run(&plan.options, &mut sink)?;
    Ok((summary, into_writer(sink.into_inner())))
}

/// Says on stderr what is missing.
fn report(census: &Census, damage: &[Problem], summary: &Summary, verdict: &mut Verdict, printer: Printer) {
    census::report(census, damage, verdict, printer);
    census::nothing_passed(census, summary, printer);
    if summary.undecoded > 0 {
        verdict.found(FailOn::Undecoded);
        let (part, whole) = (grouped(summary.undecoded), counted(summary.events, "event"));
        printer.note(format_args!("{part} of {whole} have no schema here: their payload is given as it is"));
    }
    if summary.misfits > 0 {
        verdict.found(FailOn::Undecoded);
        let events = counted(summary.misfits, "event");
        printer.note(format_args!(
            "{events} with a field that does not fit the schema: the rest of them is given as bytes"
        ));
    }
}
