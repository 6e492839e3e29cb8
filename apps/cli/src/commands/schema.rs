//! `etwkit schema`: the schemas in use.

use std::io::Write;

use etwkit::EventType;
use etwkit::event::EventKey;
use etwkit::event::Kind;
use etwkit::limits;
use etwkit::schema::{Schema, SchemaEntry, SchemaSelector, text};
use etwkit::trace::{Glob, Trace};

use crate::args::{FailOnArgs, SchemaArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::printer::Printer;
use crate::program::Program;
use crate::session::Session;

const HELP: &str = "\
Examples:
  etwkit schema trace.etl                              what decodes this trace, each with its origin
  etwkit schema trace.etl --provider '*Kernel-File*'
  etwkit schema --event 'GC/*'                         only built-in schemas
  etwkit schema --schemas my.man --provider My-Own     of a manifest
  etwkit schema trace.etl > mine.schema                to edit and pass to --schemas";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Traces, as for other commands; without any: the contents of --schemas and --symbols, then everything built in:
    /// tables and facts of registered providers
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<std::ffi::OsString>,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// Only schemas of these providers: name or GUID, with * and ?
    #[arg(short, long, value_name = "PROVIDER")]
    provider: Option<String>,
    /// Only schemas of these events: Task/Opcode, with * and ?
    #[arg(long, value_name = "EVENT")]
    event: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { files, schemas, provider, event } = args;
    let filter = SchemaFilter { provider: provider.as_deref().map(Glob::new), event: event.as_deref().map(Glob::new) };
    if files.is_empty() {
        let brought = std::iter::once(brought(&schemas, printer)?);
        print(brought.chain(etwkit_parsers::built_in()), &filter, printer)?;
        return Ok(Status::Complete);
    }
    let input = InputArgs::of(files);
    let mut session = Session::open(&input, schemas.parsers(printer)?, FailOnArgs::default(), printer)?;
    session.report_problems();
    print(std::iter::once(in_force(session.trace())), &filter, printer)?;
    Ok(session.finish())
}

/// The schemas that the user brought along; they are asked before those that are built in.
fn brought(schemas: &SchemaArgs, printer: Printer) -> Result<Vec<SchemaEntry>, Failure> {
    let (mut entries, mut weight) = (Vec::new(), 0);
    for entry in schemas.additions(printer)?.entries() {
        match entry {
            Ok(entry) => {
                weight += entry.schema.weight();
                if weight > limits::MAX_SCHEMAS {
                    return Err(etwkit::Error::limit("bytes of schemas", limits::MAX_SCHEMAS).into());
                }
                entries.push(entry);
            }
            Err(error) => printer.warning(format_args!("a schema is left out: {error:#}")),
        }
    }
    Ok(entries)
}

/// Prints what is wanted of some lists, one after the other: all that is built in is large.
fn print(
    lists: impl Iterator<Item = Vec<SchemaEntry>>,
    filter: &SchemaFilter,
    printer: Printer,
) -> Result<(), Failure> {
    let mut out = std::io::BufWriter::new(crate::output::stdout());
    let mut any = false;
    for list in lists {
        let entries: Vec<SchemaEntry> = list.into_iter().filter(|entry| filter.takes(entry)).collect();
        if entries.is_empty() {
            continue;
        }
        if std::mem::replace(&mut any, true) {
            writeln!(out)?;
        }
        out.write_all(text::print(&entries).as_bytes())?;
    }
    out.flush()?;
    if !any {
        printer.note("no such schema");
    }
    Ok(())
}

/// Which schemas are wanted.
struct SchemaFilter {
    provider: Option<Glob>,
    event: Option<Glob>,
}

impl SchemaFilter {
    fn takes(&self, entry: &SchemaEntry) -> bool {
        let names = entry.schema.names();
        let guids = [Some(entry.select.guid()), names.provider_guid];
        let provider = |glob: &Glob| {
            names.provider.as_deref().is_some_and(|name| glob.matches(name))
                || guids.iter().flatten().any(|g| glob.matches(&g.to_string()) || glob.matches(&format!("{g:#}")))
        };
        let event = |glob: &Glob| names.full().is_some_and(|name| glob.matches(&name));
        self.provider.as_ref().is_none_or(provider) && self.event.as_ref().is_none_or(event)
    }
}

/// The schema of each key of a trace, sorted by what chooses it.
fn in_force(trace: &Trace) -> Vec<SchemaEntry> {
    let entry = |row: &EventType| {
        let provider = row.decode_guid().unwrap_or(row.key().provider);
        of_key(&EventKey { provider, ..*row.key() }, row.schema()?.clone())
    };
    let mut entries: Vec<SchemaEntry> = trace.types().iter().filter_map(entry).collect();
    entries.sort_by(|a, b| (&a.select, a.versions.start()).cmp(&(&b.select, b.versions.start())));
    entries
}

/// The entry that would choose a schema for events of a key; none where nothing but the event itself can.
fn of_key(at: &EventKey, schema: Schema) -> Option<SchemaEntry> {
    let select = match at.kind {
        Kind::Classic => SchemaSelector::Classic { class: at.provider, opcode: at.opcode },
        Kind::Manifest => SchemaSelector::Manifest { provider: at.provider, id: at.id },
        Kind::Wpp => SchemaSelector::Wpp { guid: at.provider, number: at.id },
        Kind::TraceLogging => {
            SchemaSelector::TraceLogging { provider: at.provider, name: schema.names().full()?.into() }
        }
        _ => return None,
    };
    let mut entry = SchemaEntry::new(select, schema);
    if matches!(at.kind, Kind::Classic | Kind::Manifest) {
        entry.versions = at.version..=at.version;
    }
    Some(entry)
}
