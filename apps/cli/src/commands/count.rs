//! `etwkit count`: how many events there are of each kind.

use std::num::NonZero;

use etwkit::trace::RunOptions;

use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs, ZoneArgs, parse_span};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::group_counts::GroupCounts;
use crate::input::InputArgs;
use crate::output::Output;
use crate::program::Program;
use crate::rows::RowArgs;
use crate::selectors::filter_names_stack;
use crate::session::Session;
use crate::text::parse_count;

const HELP: &str = "\
Keys are parts of the header (provider, event, id, version, level, opcode, task, channel, keywords, process, pid, tid, cpu, \
activity, related_activity, kind, message ...) and fields of the payload by name, as in --where (`etwkit help where`): \
fields.NAME is always a field. Groups with most events come first. Several files are counted as one trace.

The columns are events, percent (for people, and where --fields names it), with --by-time the start of each span as time, \
and the keys. --sort and --where take them, too.

Examples:
  etwkit count trace.etl                                     by provider and event
  etwkit count trace.etl --group-by provider,process --top 20
  etwkit count trace.etl --by-time 1s --group-by level
  etwkit count trace.etl --where 'events > 100' --sort event
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
    /// Count each span of this length apart: 1s, 200ms, 5m; without --group-by, all events of it together
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    by_time: Option<NonZero<u64>>,
    #[command(flatten)]
    rows: RowArgs,
    /// Only the N largest groups (with --by-time, over all spans); the others are counted together
    #[arg(long, value_name = "N", value_parser = parse_count::<usize>, allow_negative_numbers = true)]
    top: Option<usize>,
    #[command(flatten)]
    zone: ZoneArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, schemas, group_by, by_time, rows, top, zone, threads, fail_on, filter } = args;
    let is_usual = group_by.is_empty() && by_time.is_none();
    let keys = if is_usual { ["provider", "event"].map(str::to_owned).into() } else { group_by };
    let counts = GroupCounts::by(&keys, rows.options(), top)?.by_time(by_time);
    let options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let with_stacks = counts.name_stack() || filter_names_stack(&options.filter);
    let (parsers, code_names) = schemas.parsers_for(with_stacks, printer)?;
    let session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?.with_code_names(code_names);
    session.check_times(&options.filter)?;
    session.check_local_times(&options.filter.time, &zone);
    let zone = zone.zone(session.trace());
    counts.zone(zone).run(session, options, &Output::new(rows.choice.output))
}
