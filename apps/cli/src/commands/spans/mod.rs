//! `etwkit spans`: pairs of start and stop events, and the trees that they make up.

mod form;
mod print;

use etwkit::Trace;
use etwkit::query::Expression;
use etwkit::select::HeaderField;
use etwkit::trace::{Filter, RunOptions};
use etwkit_spans::{ActivityQuery, Excess, Keep, Pair, SpanCollector, SpanOptions};

use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs, ZoneArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::printer::Printer;
use crate::program::Program;
use crate::rows::{RowChoice, refuse_condition, split_condition};
use crate::selectors::filter_names_stack;
use crate::session::Session;
use crate::text::counted;

use form::{Form, What};
use print::Print;

const HELP: &str = "\
A start event and the stop event of the same provider and task are a span. They have the same activity id; those \
without one are of the same thread. A stop ends the newest open start. Start and stop are the opcodes of these names, and \
names that end in Start, Begin, Stop or End: CommandStart and CommandStop are of the task Command. Tasks of TPL are \
found by their numbers. --pair adds others.

The table has a row for each provider and task: `open` are starts without a stop, `orphaned` stops without a start. \
Percentiles are exact, by nearest rank. --list has a row for each span, and --tree shows which spans ran within which, \
across threads: by tasks of TPL, related activities, paths of activity ids as EventSource writes them, then by activity \
and thread. With --activity, a tree is what happened within that activity, with its other events. folded is a line for \
each path with the exclusive milliseconds of its spans, for flame graphs; chrome is a file for https://ui.perfetto.dev \
and other trace viewers. `etwkit profile --by spans` has the other forms of profiles, such as svg.

Filters choose events. In --where, the names of the columns are those of the rows, all others those of events.

Examples:
  etwkit spans trace.etl --sort=-p95_ms --first 10
  etwkit spans http.etl --pair Parse:SendComplete --provider Microsoft-Windows-HttpService
  etwkit spans trace.etl --list --where 'duration_ms > 100'
  etwkit spans app.etl --tree --activity //1/1/5
  etwkit spans app.etl --format folded -o spans.folded
  etwkit spans app.etl --format chrome -o spans.json";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// Events that are the start and the stop of a span, too: names, names of opcodes, or numbers of opcodes
    #[arg(long, value_name = "START:STOP")]
    pair: Vec<Pair>,
    /// A row for each span
    #[arg(long, conflicts_with = "tree")]
    list: bool,
    /// A row for each span, below the one that it ran in
    #[arg(long)]
    tree: bool,
    /// Only spans of this activity; with --tree, what happened within it. An id, or a path: //1/2/3
    #[arg(long, value_name = "ACTIVITY")]
    activity: Option<ActivityQuery>,
    /// Form of the output
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: Form,
    #[command(flatten)]
    rows: RowChoice,
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
    let Args { input, schemas, pair, list, tree, activity, format, rows, zone, threads, fail_on, filter } = args;
    let what = What::of(list, tree, format)?;
    if format.rows().is_none() {
        rows.refuse_without_rows()?;
    }
    if format.rows().is_none() && zone.is_given() {
        let what = "--time-zone and --relative are for tables: this form has times of its own";
        return Err(Failure::new(what).hint("use --format text, csv or json"));
    }
    let mut options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let (parsers, code_names) = schemas.parsers_for(filter_names_stack(&options.filter), printer)?;
    let mut session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?.with_code_names(code_names);
    session.check_times(&options.filter)?;
    let condition = condition(&mut options.filter, format, what, &session)?;
    session.check_names_beside(&what.columns(), &[], &options.filter)?;
    session.check_local_times(&options.filter.time, &zone);
    warn_of_pairs(&pair, session.trace(), printer);
    let is_of_activity = activity.is_some();
    let asked = SpanOptions { pairs: pair, keep: what.keep(), activity };
    let mut collector = SpanCollector::new(session.trace(), asked);
    session.run(&options, &mut collector)?;
    let spans = collector.finish();
    let print =
        Print { spans: &spans, session: &session, zone: &zone, out: &Output::new(rows.output.clone()), printer };
    let is_empty = match format.rows() {
        Some(form) => print.rows(what, &rows.options(form).with_condition(condition))?,
        None => print.file(format)?,
    };
    if is_empty {
        say_why(&session, &options, (is_of_activity, &spans.excess), printer);
    }
    say_excess(&spans.excess, &mut session);
    session.found_undecoded_in_trace();
    Ok(session.finish())
}

/// Takes the conditions on columns out of a filter, and refuses them for forms without columns. What an event has in its
/// header is the event's there.
fn condition(filter: &mut Filter, format: Form, what: What, session: &Session) -> Result<Option<Expression>, Failure> {
    let mut columns = what.columns();
    if format.rows().is_none() {
        columns.retain(|column| HeaderField::from_key(&column.name).is_none());
    }
    let condition = split_condition(&mut filter.expression, &columns, session.trace())?;
    if format.rows().is_none() {
        let hint = "use --format text, csv or json; `fields.NAME` is a field of events";
        refuse_condition(condition.as_ref(), hint)?;
    }
    Ok(condition)
}

impl What {
    const fn keep(self) -> Keep {
        match self {
            Self::Table => Keep::Durations,
            Self::List => Keep::Spans,
            Self::Tree => Keep::Tree,
        }
    }
}

/// Warns of events that were named as ends of spans, and that the trace does not have.
pub(crate) fn warn_of_pairs(pairs: &[Pair], trace: &Trace, printer: Printer) {
    for pair in pairs {
        let which = match pair.has_events(trace) {
            [true, true] => continue,
            [false, false] => "events of either name",
            [false, true] => "event that the start names",
            [true, false] => "event that the stop names",
        };
        printer.warning(format_args!("--pair {pair}: the trace has no {which}"));
    }
}

/// Says why there is no span.
fn say_why(session: &Session, options: &RunOptions, (is_of_activity, excess): (bool, &Excess), printer: Printer) {
    let why = match session.outside(&options.filter.time) {
        _ if excess.without_time > 0 => "no start or stop has a time that is known".to_owned(),
        Some(why) => why,
        None if options.filter != Filter::default() => "no start or stop passes the filters".to_owned(),
        None if is_of_activity => "none is of this activity".to_owned(),
        None => "no event is a start or a stop; --pair names others".to_owned(),
    };
    printer.note(format_args!("no spans: {why}"));
}

/// Says what was left out.
pub(crate) fn say_excess(excess: &Excess, session: &mut Session) {
    if excess.without_time > 0 {
        let events = counted(excess.without_time, "event");
        session.printer().warning(format_args!("{events} left out: the clock of their file is not known"));
    }
    let mut warn = |count: u64, what: &str, why: &str| session.left_out(count, what, why);
    warn(excess.unmatched, "start or stop", "left out: more spans are open at once than are kept");
    warn(excess.unlisted, "span", "not shown: there are more than are kept; filter for fewer");
    warn(excess.without_percentile, "duration", "in no percentile: there are more than are kept");
    warn(excess.without_parent, "task", "in no tree: more are scheduled at once than are kept");
    warn(excess.instants, "event", "of the activity not shown: there are more than are kept");
}
