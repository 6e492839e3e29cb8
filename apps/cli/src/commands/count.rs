//! `etwkit count`: how many events there are of each kind.

use etwkit::trace::RunOptions;

use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::group_counts::GroupCounts;
use crate::group_table::GroupFormat;
use crate::input::InputArgs;
use crate::output::Output;
use crate::program::Program;
use crate::session::Session;
use crate::text::parse_count;

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
    #[arg(short, long, value_name = "KEYS", value_delimiter = ',')]
    group_by: Vec<String>,
    /// Form of the output
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: GroupFormat,
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
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, schemas, group_by, format, top, threads, fail_on, filter } = args;
    let keys = if group_by.is_empty() { ["provider", "event"].map(str::to_owned).into() } else { group_by };
    let counts = GroupCounts::by(&keys, format, top)?;
    let options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let session = Session::open(&input, schemas.parsers(printer)?, fail_on, printer)?;
    session.check_times(&options.filter)?;
    counts.run(session, &options, &Output::Stdout)
}
