//! `etwkit count`: how many events there are of each kind.

use etwkit::query::Selector;
use etwkit::sink::{Groups, Tally};
use etwkit::trace::{Order, RunOptions};

use crate::census;
use crate::counted::Counted;
use crate::failure::Failure;
use crate::filter::FilterArgs;
use crate::input::InputArgs;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};
use crate::schemas::SchemaArgs;
use crate::table;
use crate::text::{counted, grouped};
use crate::verdict::{FailOn, FailOnArgs, Status, Verdict};

const HELP: &str = "\
Keys are parts of the header (provider, event, id, version, level, opcode, task, channel, keywords, pid, tid, cpu, \
activity, related_activity, kind, message) and fields of the payload by name, as in --where (docs/where.md): a field \
goes before a part of the same name, header.NAME and payload.NAME say which is meant. Groups with most events come \
first. Several files are counted as one trace.

Examples:
  etwkit count trace.etl                                     by provider and event
  etwkit count trace.etl --group-by provider,pid --top 20
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
    #[arg(long, value_name = "KEYS", value_delimiter = ',', value_parser = parse_key)]
    group_by: Vec<Selector>,
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: table::Format,
    /// Only the N largest groups; the others are counted together
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Threads that decode; the output does not depend on it [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    threads: Option<u8>,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

fn parse_key(text: &str) -> Result<Selector, String> {
    text.parse().map_err(|error: etwkit::query::SyntaxError| error.to_string())
}

/// The names of the columns, and what is in them; by default the header's, even if a payload has such a name.
fn keys(given: Vec<Selector>) -> Result<(Vec<String>, Vec<Selector>), Failure> {
    if !given.is_empty() {
        return Ok((given.iter().map(ToString::to_string).collect(), given));
    }
    let names = ["provider", "event"].map(str::to_owned);
    let header = names.iter().map(|name| parse_key(&format!("header.{name}")).map_err(Failure::new));
    Ok((names.to_vec(), header.collect::<Result<_, _>>()?))
}

/// Runs the command.
pub(crate) fn run(args: Args, printer: Printer) -> Result<Status, Failure> {
    let Args { input, schemas, group_by, format, top, threads, fail_on, filter } = args;
    let everything = filter.is_empty();
    let mut verdict = Verdict::new(fail_on.fail_on);
    let mut options = RunOptions { order: Order::Time, filter: filter.into_filter()?, ..RunOptions::default() };
    options.threads = threads.map_or(options.threads, usize::from);
    let (census, damage) = census::read(&input, schemas.parsers(printer)?.0, printer, &mut verdict)?;
    let Some(census) = census else { return Ok(Status::Failed) };
    let (names, selectors) = keys(group_by)?;
    let total = everything.then(|| census.events_total());
    let mut sink = Counted::new(Tally::new(&census, selectors)?, Progress::new(total, Unit::Events, printer));
    let summary = census.run(&options, &mut sink)?;
    let groups = sink.into_inner().into_groups();
    if groups.other > 0 {
        printer.note(format_args!(
            "{} are of more groups than are counted one by one: see `other`",
            counted(groups.other, "event")
        ));
    }
    table::print(&names, &largest(groups, top), format, &mut std::io::stdout().lock())?;
    census::report(&census, &damage, &mut verdict, printer);
    census::nothing_passed(&census, &summary, printer);
    if summary.undecoded + summary.misfits + summary.cut > 0 {
        verdict.found(FailOn::Undecoded);
        let events = counted(summary.events, "event");
        printer.note(format_args!(
            "{} of {events} could not be decoded in full",
            grouped(summary.undecoded + summary.misfits + summary.cut)
        ));
    }
    Ok(verdict.status())
}

/// The first of a list that is sorted; what is left out goes with the others.
fn largest(mut groups: Groups, top: Option<usize>) -> Groups {
    let left_out = groups.list.split_off(top.unwrap_or(usize::MAX).min(groups.list.len()));
    groups.other += left_out.iter().map(|group| group.events).sum::<u64>();
    groups
}
