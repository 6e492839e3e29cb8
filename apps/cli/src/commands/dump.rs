//! `etwkit dump`: every event, in order.

use std::path::PathBuf;

use clap::ValueEnum;
use etwkit::trace::{Order, RunOptions, Summary};

use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::formats::{self, FormatArgs, FormatOption, Job};
use crate::group_counts::GroupCounts;
use crate::input::InputArgs;
use crate::output::Output;
use crate::program::Program;
use crate::rows::RowOptions;
use crate::selectors::{filter_names_stack, name_stack};
use crate::session::Session;
use crate::stacks;
use crate::text::{counted, grouped, parse_count};

const HELP: &str = "\
Several files are read as one trace: their events are merged by time, and schemas found in one file apply to all.

Examples:
  etwkit dump trace.etl > trace.jsonl
  etwkit dump trace.etl --format text --provider Microsoft-Windows-Kernel-Process --id 1,2
  etwkit dump 'logs/*.etl' --event 'GC/*' --since 2021-09-09T14:59:35Z --until 2021-09-09T15:00:00Z
  etwkit dump trace.etl --last 20 --format text
  etwkit dump trace.etl --format csv --fields time,pid,event,ImageFileName
  etwkit dump trace.etl --group-by provider,event --level warning
  etwkit dump trace.etl --format xml -o report.xml
  gzip -dc trace.etl.gz | etwkit dump - -o trace.jsonl";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// Print how many events pass the filters instead of the events
    #[arg(long)]
    count: bool,
    /// Print how many events there are of each group, as `etwkit count` does: --group-by provider,event
    #[arg(short, long, value_name = "KEYS", value_delimiter = ',')]
    group_by: Vec<String>,
    /// With --group-by: only the N largest groups; the others are counted together
    #[arg(long, value_name = "N", value_parser = parse_count::<usize>, allow_negative_numbers = true, requires = "group_by")]
    top: Option<usize>,
    /// Write to this file instead of stdout; for csv also a folder, with a slash at its end
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Order of events: by time over all processors, or as they are in the files
    #[arg(long, value_name = "ORDER", default_value = "time")]
    order: OrderArg,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Only the first N events that pass the filters
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count::<u64>, allow_negative_numbers = true)]
    first: Option<u64>,
    /// Only the last N events that pass the filters (of the first ones, if both are given)
    #[arg(long, value_name = "N", value_parser = parse_count::<u64>, allow_negative_numbers = true)]
    last: Option<u64>,
    /// Join stacks that come in events of their own to their events (JSON lines); takes memory for all of them
    #[arg(long)]
    stacks: bool,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
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
    format: FormatArgs,
    output: Output,
    stacks: bool,
    options: RunOptions,
    counts: Option<GroupCounts>,
    fail_on: FailOnArgs,
}

impl TryFrom<Args> for Plan {
    type Error = Failure;

    fn try_from(mut args: Args) -> Result<Self, Failure> {
        let is_count = args.count || !args.group_by.is_empty();
        if !is_count {
            args.format.by_name(args.output.as_deref())?;
        }
        let takes_stacks = |option: &FormatOption| matches!(option, FormatOption::Stacks);
        if args.stacks && (is_count || !args.format.format().takes(takes_stacks)) {
            let what = if is_count { "counts".to_owned() } else { format!("--format {}", args.format.format().name()) };
            let formats = formats::names_of_formats(takes_stacks).join(", ");
            let failure = Failure::new(format!("--stacks does not apply to {what}"));
            return Err(failure.hint(format!("stacks are in --format {formats}")));
        }
        let counts = if is_count {
            let format = args.format.format_of_counts()?.by_name(args.output.as_deref());
            let rows = RowOptions { format, ..RowOptions::default() };
            Some(GroupCounts::by(&args.group_by, rows, args.top)?)
        } else {
            args.format.check()?;
            None
        };
        let order = match args.order {
            OrderArg::Time => Order::Time,
            OrderArg::File => Order::File,
        };
        let (filter, threads) = (args.filter.into_filter()?, args.threads.count());
        let options =
            RunOptions::default().order(order).threads(threads).filter(filter).first(args.first).last(args.last);
        let Args { input, schemas, format, output, fail_on, stacks, .. } = args;
        Ok(Self { input, schemas, format, output: Output::new(output), stacks, options, counts, fail_on })
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Plan { input, schemas, format, output, stacks, options, counts, fail_on } = Plan::try_from(args)?;
    let names_stack = match &counts {
        Some(counts) => counts.name_stack(),
        None => name_stack(&format.names()?),
    };
    let with_stacks = stacks || names_stack || filter_names_stack(&options.filter);
    let (parsers, code_names) = schemas.parsers_for(with_stacks, printer)?;
    let mut session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?.with_code_names(code_names);
    session.check_times(&options.filter)?;
    if let Some(counts) = counts {
        session.check_local_times(&options.filter.time, &format.zone);
        return counts.run(session, options, &output);
    }
    session.check_names(&[("--fields", &format.names()?)], &options.filter)?;
    session.check_local_times(&options.filter.time, &format.zone);
    let job = Job { session: &session, options: format.options(), run: &options, output: &output };
    let summary = formats::run(format.format(), &job)?;
    report(&mut session, &summary, &options);
    if stacks {
        stacks::lines(session.trace())?.iter().for_each(|line| printer.note(format_args!("stacks: {line}")));
    }
    Ok(session.finish())
}

/// Says on stderr what is missing.
fn report(session: &mut Session, summary: &Summary, options: &RunOptions) {
    session.report_run(summary, options);
    session.found_undecoded(summary);
    let printer = session.printer();
    if summary.undecoded > 0 {
        let (part, whole) = (grouped(summary.undecoded), counted(summary.events, "event"));
        printer.note(format_args!("{part} of {whole} without a schema: the payload is printed as bytes"));
    }
    if summary.misfits > 0 {
        let events = counted(summary.misfits, "event");
        printer.note(format_args!(
            "{events} with a field that does not fit the schema: the rest of them is given as bytes"
        ));
    }
    if summary.cut > 0 {
        let events = counted(summary.cut, "event");
        printer.note(format_args!(
            "{events} with fields that would print far more than their bytes: they are given as bytes"
        ));
    }
}
