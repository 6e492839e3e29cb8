//! `etwkit count`: how many events there are of each kind.

use etwkit::trace::RunOptions;

use crate::census;
use crate::counting::{self, Counting};
use crate::failure::Failure;
use crate::filter::FilterArgs;
use crate::input::InputArgs;
use crate::output::Output;
use crate::printer::Printer;
use crate::schemas::SchemaArgs;
use crate::table;
use crate::text::parse_count;
use crate::threads::ThreadArgs;
use crate::verdict::{FailOnArgs, Status, Verdict};

const HELP: &str = "\
Keys are parts of the header (provider, event, id, version, level, opcode, task, channel, keywords, process, pid, tid, cpu, \
activity, related_activity, kind, message ...) and fields of the payload by name, as in --where (docs/where.md): \
fields.NAME is always a field. Groups with most events come first. Several files are counted as one trace.

Examples:
  etwkit count trace.etl                                     by provider and event
  etwkit count trace.etl --group-by provider,process --top 20
  etwkit count trace.etl --event 'FileIO/*' --group-by event,FileName --format csv > files.csv
  etwkit count logs/ --where 'level <= error' --group-by provider,id,message";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// What makes a group, joined by commas: parts of the header, fields of the payload [default: provider,event]
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    group_by: Vec<String>,
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: table::Format,
    /// Only the N largest groups; the others are counted together
    #[arg(long, value_name = "N", value_parser = parse_count::<usize>, allow_negative_numbers = true)]
    top: Option<usize>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, printer: Printer) -> Result<Status, Failure> {
    let Args { input, schemas, group_by, format, top, threads, fail_on, filter } = args;
    let keys = if group_by.is_empty() { ["provider", "event"].map(str::to_owned).into() } else { group_by };
    let counting = Counting::by(&keys, format, top)?;
    let mut verdict = Verdict::new(fail_on.fail_on);
    let options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let (trace, damage) = census::read(&input, schemas.parsers(printer)?, printer, &mut verdict)?;
    let Some(trace) = trace else { return Ok(Status::Failed) };
    census::check_times(&trace, &options.filter)?;
    let summary = counting.run(&trace, &options, &Output::Stdout, printer)?;
    census::report(&trace, &damage, &mut verdict, printer);
    counting::report(&trace, &summary, &mut verdict, printer);
    Ok(verdict.status())
}
