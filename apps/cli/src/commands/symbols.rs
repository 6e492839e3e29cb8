//! `etwkit symbols`: the symbol files that stacks need.

use std::io::{BufWriter, Write};

use clap::ValueEnum;
use etwkit::trace::RunOptions;
use etwkit_symbols::{Module, ModuleFrames, PdbId, Provenance, Source, StackModules, wanted};

use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs};
use crate::code_names::{CodeNames, say_problems};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::printer::Printer;
use crate::program::Program;
use crate::rows::{
    Cell, Column, RowChoice, RowFormat, RowOptions, RowPlan, RowWriter, refuse_condition, split_condition,
};
use crate::session::Session;
use crate::text::{counted, grouped};

const HELP: &str = "\
One row for each module with native code in the stacks of events, those with the most frames first: its PDB file, as the \
trace names it (merged traces do), and the symbol file that --symbols or _NT_SYMBOL_PATH has for it. `found` is pdb, \
breakpad, other-age (a PDB file of another link of the same build), exports (the image itself) or no.

Nothing is fetched. manifest and urls list the PDB files that were not found, for tools that may use the network: \
manifest for `symchk /im`, urls for curl or a browser.

Filters choose events.

Examples:
  etwkit symbols trace.etl
  etwkit symbols trace.etl --symbols C:\\symbols --fields module,found,file
  etwkit symbols trace.etl --format manifest -o wanted.txt
  etwkit symbols trace.etl --format urls | xargs -n 1 curl -sSLO";

/// Microsoft's public server.
const SERVER: &str = "https://msdl.microsoft.com/download/symbols";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// Form of the list
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: Form,
    /// With --format urls: the symbol server that addresses begin with
    #[arg(long, value_name = "URL", default_value = SERVER)]
    server: String,
    #[command(flatten)]
    rows: RowChoice,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// The form of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Aligned columns, for people
    Text,
    /// RFC 4180 with a header line
    Csv,
    /// One JSON object per module
    #[value(aliases = ["ndjson", "jsonl"])]
    Json,
    /// A line `file.pdb,GUIDAGE,1` for each PDB file that was not found
    Manifest,
    /// The address of each PDB file that was not found
    Urls,
}

/// A module, and its symbol file.
struct Row {
    module: ModuleFrames,
    source: Source,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, schemas, format, server, rows, threads, fail_on, filter } = args;
    if matches!(format, Form::Manifest | Form::Urls) {
        rows.refuse_without_rows()?;
    }
    let mut options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let (parsers, names) = schemas.parsers_with_stacks(printer)?;
    names.say_servers(printer);
    let mut session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?;
    session.check_times(&options.filter)?;
    let condition = split_condition(&mut options.filter.expression, &columns(), session.trace())?;
    if matches!(format, Form::Manifest | Form::Urls) {
        refuse_condition(condition.as_ref(), "use --format text, csv or json")?;
    }
    session.check_names_beside(&columns(), &[], &options.filter)?;
    let mut modules = StackModules::default();
    session.run(&options, &mut modules)?;
    let list = found(&modules, &names, printer);
    let out = Output::new(rows.output.clone());
    let of_rows = |format| rows.options(format).with_condition(condition.clone());
    match format {
        Form::Text => table(&session, &list, &of_rows(RowFormat::Text), &out)?,
        Form::Csv => table(&session, &list, &of_rows(RowFormat::Csv), &out)?,
        Form::Json => table(&session, &list, &of_rows(RowFormat::Jsonl), &out)?,
        Form::Manifest => write(&session, &out, &wanted::manifest(&missing(&list)))?,
        Form::Urls => {
            let lines: Vec<String> = wanted::urls(&missing(&list), &server).into_iter().map(|url| url + "\n").collect();
            write(&session, &out, &lines.concat())?;
        }
    }
    say_counts(&modules, &list, printer);
    if list.is_empty()
        && let Some(reason) = session.outside(&options.filter.time)
    {
        printer.note(format_args!("no stack: {reason}"));
    }
    session.found_undecoded_in_trace();
    Ok(session.finish())
}

/// Looks for the symbol files of modules.
fn found(modules: &StackModules, names: &CodeNames, printer: Printer) -> Vec<Row> {
    let finder = names.finder();
    let row = |module: ModuleFrames| {
        let source = finder.source(&module.image);
        say_problems(module.image.file_name(), &source, printer);
        Row { module, source }
    };
    modules.modules().into_iter().map(row).collect()
}

/// The PDB files that were not found.
fn missing(list: &[Row]) -> Vec<PdbId> {
    let is_missing = |row: &&Row| !matches!(found_as(&row.source), "pdb" | "breakpad");
    list.iter().filter(is_missing).filter_map(|row| Module::from(&row.module.image).pdb).collect()
}

/// The word for the symbol file of a module.
const fn found_as(source: &Source) -> &'static str {
    match source.provenance {
        Provenance::Pdb if source.warning.is_some() => "other-age",
        Provenance::Pdb => "pdb",
        Provenance::Breakpad => "breakpad",
        Provenance::Export => "exports",
        _ => "no",
    }
}

fn table(session: &Session, list: &[Row], options: &RowOptions, out: &Output) -> Result<(), Failure> {
    let plan = RowPlan::new(columns(), options)?;
    let mut writer = RowWriter::new(plan, BufWriter::new(out.open(session.trace())?))?;
    list.iter().try_for_each(|row| writer.push(cells(row)))?;
    writer.finish()?.say(session.printer());
    Ok(())
}

fn columns() -> Vec<Column> {
    let text = Column::text;
    vec![
        Column::count("frames"),
        text("module"),
        text("pdb"),
        text("guid"),
        Column::id("age"),
        text("found"),
        text("file"),
    ]
}

fn cells(Row { module, source }: &Row) -> Vec<Cell> {
    let pdb = Module::from(&module.image).pdb;
    let of_pdb = |cell: fn(&PdbId) -> Cell| pdb.as_ref().map_or(Cell::Absent, cell);
    vec![
        Cell::Integer(module.frames.into()),
        Cell::Text(module.image.file_name().to_owned()),
        of_pdb(|pdb| Cell::Text(pdb.file_name().to_owned())),
        of_pdb(|pdb| Cell::Text(pdb.guid.to_string())),
        of_pdb(|pdb| Cell::Integer(pdb.age.into())),
        Cell::Text(found_as(source).to_owned()),
        Cell::optional(source.path.as_ref().map(|path| path.display().to_string())),
    ]
}

fn write(session: &Session, out: &Output, text: &str) -> Result<(), Failure> {
    let mut out = out.open(session.trace())?;
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Says how many frames have symbol files.
fn say_counts(modules: &StackModules, list: &[Row], printer: Printer) {
    let frames = |has: bool| {
        let rows = list.iter().filter(|row| (row.source.provenance != Provenance::None) == has);
        rows.map(|row| row.module.frames).sum::<u64>()
    };
    printer.note(format_args!(
        "{} in stacks: {} in modules with a symbol file, {} in modules without, {} in methods that the trace names, {} in \
         no module",
        counted(frames(true) + frames(false) + modules.in_methods() + modules.unknown(), "frame"),
        grouped(frames(true)),
        grouped(frames(false)),
        grouped(modules.in_methods()),
        grouped(modules.unknown()),
    ));
    let unidentified = list.iter().filter(|row| row.module.image.pdb.is_none()).count() as u64;
    if unidentified > 0 {
        printer.note(format_args!(
            "{} without the identity of a PDB file: merging a trace (`xperf -d`, `wpr -stop`) adds them",
            counted(unidentified, "module")
        ));
    }
}
