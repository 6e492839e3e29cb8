//! `etwkit relog`: part of a trace, or several traces, as a new file.

mod described;
mod old_parts;
mod part_names;
mod shifts;
mod split_by;

use std::path::{Path, PathBuf};

use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_relog::{Copied, CopyOptions, Parts, Split};

use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::{NewFile, new_file, refuse_stdout};
use crate::printer::Printer;
use crate::program::Program;
use crate::progress::Progress;
use crate::session::Session;
use crate::text::{counted, grouped};

use part_names::PartNames;
use split_by::SplitBy;

const HELP: &str = "\
The new file has the events that the filters choose, and what is needed to read them: descriptions of events (manifests, \
event metadata), the starts, ends and rundowns of processes and threads, images, methods of the CLR and JScript, file \
names, and the stacks of the events. Images and methods of processes that no filter chooses are left out. Its header is \
that of the file that starts first, with the losses of all and a session name that ends in `(copy by etwkit)`; the \
first event after the header is `etwkit/Copy`.

Several files of one machine, one boot and one clock become one file. Files of others are refused, and so are files of \
Windows before Vista and .btl files, whose events have another form. The parts of one --split become one trace again, \
with each event once.

--split makes several files, each with all that is needed to read it: NAME.etl becomes NAME-001.etl, NAME-002.etl ... \
or NAME-PROCESS-PID.etl or NAME-PROVIDER.etl. A part without events makes no file. A size is that of the whole file \
before compression; a part is larger only if the events of one time are, or by stacks that come after it. A size \
without room for a buffer of each processor may be refused, and so are more than 4,096 parts, as no more can become \
one trace again. Events about no process are in those parts of `--split process` whose events need them, or in none; a \
note counts them. The command \
fails if files NAME-*.etl of an earlier split would remain beside the new ones.

Whether Windows reads these files was not tested: they were made on other systems.

Examples:
  etwkit relog trace.etl -o part.etl --time +10s..+12s
  etwkit relog trace.etl -o app.etl --process app.exe --compress
  etwkit relog kernel.etl user.etl -o merged.etl
  etwkit relog trace.etl -o part.etl --split 100MB";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// The new file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Compress the buffers, as Windows does when it merges files; otherwise they are not compressed
    #[arg(short, long)]
    compress: bool,
    /// Make several files: `process`, `provider`, at most a size such as 100MB, or a span of time such as 10s
    #[arg(long, value_name = "BY")]
    split: Option<SplitBy>,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, output, compress, split, schemas, threads, fail_on, filter } = args;
    let options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let (parsers, _) = schemas.parsers_with_stacks(printer)?;
    let mut session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?;
    session.check_times(&options.filter)?;
    session.check_names(&[], &options.filter)?;
    match split {
        None => {
            let (new, copied) = write(&session, &options.filter, compress, &output)?;
            new.keep()?;
            say(&output, &copied, printer);
            if copied.wanted == 0 && options.filter == Filter::default() {
                printer.warning("the trace has no events: the file has none");
            } else if copied.wanted == 0 {
                let why = session.why_outside(&options.filter.time);
                printer.warning(format_args!("no event passes the filters: the file has none{why}"));
            }
        }
        Some(split) => write_parts(&mut session, &options.filter, split, compress, &output)?,
    }
    shifts::say(session.trace(), printer);
    say_clock(session.trace(), printer);
    session.found_undecoded_in_trace();
    Ok(session.finish())
}

/// Writes several files, which appear together.
fn write_parts(
    session: &mut Session,
    filter: &Filter,
    split: SplitBy,
    compress: bool,
    output: &Path,
) -> Result<(), Failure> {
    refuse_no_file(output)?;
    let parts = Parts::new(session.trace(), &copy_options(filter, compress), split.0).map_err(failure)?;
    let mut names = PartNames::new(output);
    let paths: Vec<PathBuf> = parts.list.iter().map(|part| names.next(&part.label, part.pid)).collect();
    old_parts::refuse(output, &paths)?;
    let mut complete = Vec::new();
    for (part, path) in parts.list.iter().zip(paths) {
        let (new, copied) = write(session, &part.filter, compress, &path)?;
        // A file without an event that the filter chooses is none.
        if copied.wanted > 0 {
            complete.push((path, new, copied));
        }
    }
    // A file that this run would have replaced stays where its part has no event.
    let paths: Vec<PathBuf> = complete.iter().map(|(path, ..)| path.clone()).collect();
    old_parts::refuse(output, &paths)?;
    for (path, new, copied) in complete {
        new.keep()?;
        say(&path, &copied, session.printer());
    }
    if paths.is_empty() {
        let why = session.why_outside(&filter.time);
        session.printer().note(format_args!("0 events in all parts: no file was made{why}"));
    }
    say_left_out(session, split.0, parts.left_out);
    Ok(())
}

/// Refuses what would be refused as one file, although the files get other names: a folder, a device, the standard
/// output.
fn refuse_no_file(output: &Path) -> Result<(), Failure> {
    refuse_stdout(output)?;
    let names_folder = output.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    let failure =
        |what| Err(Failure::new(what).of(output.display()).hint("name a file: the parts are called after it"));
    match output.metadata() {
        Ok(known) if known.is_dir() => failure("this is a folder, and the output is files"),
        Ok(known) if !known.is_file() => failure("the output must be plain files"),
        _ if names_folder => failure("this is the name of a folder, and the output is files"),
        _ => Ok(()),
    }
}

/// Says which events no file was chosen for. Those about no process were not asked for.
fn say_left_out(session: &mut Session, split: Split, events: u64) {
    if split != Split::Process {
        session.left_out(events, "event", "in no file: the trace has more kinds of events than are kept");
    } else if events > 0 {
        let events = counted(events, "event");
        session
            .printer()
            .note(format_args!("{events} about no process: in the files whose events need them, or in none"));
    }
}

/// Writes one file, which appears under its name when it is kept.
pub(super) fn write(
    session: &Session,
    filter: &Filter,
    compress: bool,
    path: &Path,
) -> Result<(NewFile, Copied), Failure> {
    let trace = session.trace();
    let options = copy_options(filter, compress);
    let (new, file) = new_file(path, trace)?;
    let total: u64 = trace.buffers().map(|buffer| u64::from(buffer.used)).sum();
    let mut progress = Progress::reading(session.printer());
    let out = std::io::BufWriter::with_capacity(1 << 20, file);
    let copied = etwkit_relog::copy_with(trace, &options, out, &mut |done| progress.at(done.min(total), total));
    let copied = copied.map(|(_, copied)| copied).map_err(failure)?;
    progress.finish();
    Ok((new, copied))
}

fn copy_options(filter: &Filter, compress: bool) -> CopyOptions {
    CopyOptions::default().filter(filter.clone(), &described::filter(filter)).compress(compress)
}

/// Says that a copy has other times than the trace, of which none are known.
pub(super) fn say_clock(trace: &Trace, printer: Printer) {
    if let Some(file) = trace.files().iter().find(|file| file.head.is_missing()) {
        let name = file.source.name();
        printer.warning(format_args!("{name}: its clock is not known: times in the copy count ticks as from 1601"));
    }
}

/// Says what a file has.
pub(super) fn say(path: &Path, copied: &Copied, printer: Printer) {
    let Copied { wanted, context, repeated, written, .. } = copied;
    let more = if *context > 0 { format!(" and {} more to read them", grouped(*context)) } else { String::new() };
    let events = counted(*wanted, "event");
    printer.note(format_args!("{}: {events}{more}, {}", path.display(), counted(written.bytes, "byte")));
    if *repeated > 0 {
        let events = counted(*repeated, "event");
        printer.note(format_args!(
            "{events} left out: these files are copies of one trace, and others of them have it, too"
        ));
    }
}

fn failure(error: etwkit_relog::Error) -> Failure {
    match error {
        etwkit_relog::Error::Read(error) => error.into(),
        other => Failure::new(other.to_string()),
    }
}
