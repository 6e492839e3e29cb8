//! `etwkit redact`: a trace without personal data.

mod report;
mod small_file;
mod words;

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use etwkit::Trace;
use etwkit::error::ErrorKind;
use etwkit_redact::{Error, Key, Options, Redaction, Report};

use crate::args::{FailOnArgs, SchemaArgs, ThreadArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::{NewFile, csv_error, csv_to, new_file, new_private_text, new_text, note_read};
use crate::printer::Printer;
use crate::program::Program;
use crate::progress::Progress;
use crate::session::Session;
use crate::text::{counted, grouped, safe_json};

const HELP: &str = "\
Replaces names of users, SIDs of accounts, names of machines and domains, IP and MAC addresses, paths below users' \
folders, arguments of command lines, e-mail addresses, what follows `password=` and the like, and words of your own: \
in fields of these types and names, and as text in any bytes of the file, of 8 and of 16 bits, in any case. Pseudonyms have \
the same length, so the file keeps its size and every event decodes as before; only compressed buffers are \
written uncompressed. Bytes outside events are overwritten.

The same secret has the same pseudonym everywhere, under a key: that of --key, so that several traces agree, or a random \
one. --map lists secrets and pseudonyms; keep it, and the key, to yourself.

A final scan reads the new file: if a secret is left in it, or an event decodes differently, the run fails and \
leaves no file. What no program can recognize stays: read \"What it does not find\" in docs/redact.md before you \
send a trace.

Exit codes: 0 done; 1 done, but the trace is damaged (what could not be read is overwritten) or there were too many \
command lines to look for all of them everywhere; 2 failed, and there is no file.

Examples:
  etwkit redact trace.etl --dry-run
  etwkit redact trace.etl -o send.etl --map pseudonyms.csv
  etwkit redact trace.etl -o send.etl --word Contoso --words customers.txt --key our.key";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// The new file
    #[arg(short, long, value_name = "FILE", required_unless_present = "dry_run")]
    output: Option<PathBuf>,
    /// Print what would be replaced, by event and field, and write nothing
    #[arg(long, conflicts_with_all = ["output", "map", "report"])]
    dry_run: bool,
    /// Also replace this text of at least three characters
    #[arg(long = "word", value_name = "TEXT")]
    word: Vec<String>,
    /// Also replace the texts in this file: UTF-8 or UTF-16, one per line, or what --map has written
    #[arg(long, value_name = "FILE")]
    words: Vec<PathBuf>,
    /// The key of the pseudonyms: a file of at least 16 bytes that nobody else has
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Write secrets and their pseudonyms as CSV, into a file that only its owner can read
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Write what was replaced, by event and field, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
}

/// What helps with damaged traces.
const REPAIR: &str = "`etwkit repair` writes what is readable as a new trace, which can be redacted";
/// What helps if a word of the list is needed to read events.
const OTHER_WORD: &str = "use another word, such as a longer text that has it";
/// The fewest bytes of a key.
const SHORTEST_KEY: usize = 16;

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let options = options(&args, printer)?;
    refuse_same([&args.output, &args.map, &args.report])?;
    let Args { input, output, map, report: report_path, schemas, threads, fail_on, .. } = args;
    let mut session = Session::open_by(threads.count(), &input, schemas.parsers(printer)?, fail_on, printer)?;
    // One of several that cannot be opened was named.
    if session.finish_reported() == Status::Failed {
        return Err(Failure::Reported);
    }
    let trace = session.trace();
    let mut redaction = Redaction::collect(trace, &options).map_err(failure)?;
    let done = if let Some(output) = output {
        let (new, file) = new_file(&output, trace)?;
        let done = write(&session, &mut redaction, &mut BufWriter::with_capacity(1 << 20, file))?;
        let input = new.input()?.named(output.display().to_string());
        let written = Trace::open(input, schemas.parsers(printer)?).map_err(not_opened)?;
        redaction.check(trace, &written).map_err(failure)?;
        // The map and the report of the new file are complete before it appears.
        let told = [
            map.map(|path| unless_left(write_map(&path, trace, &redaction))).transpose()?,
            report_path.map(|path| unless_left(write_report(&path, trace, &done))).transpose()?,
        ];
        told.into_iter().flatten().flatten().try_for_each(NewFile::keep)?;
        new.keep()?;
        say(&output, &done, printer);
        done
    } else {
        let done = write(&session, &mut redaction, &mut std::io::sink())?;
        std::io::stdout().write_all(report::text(&done).as_bytes())?;
        done
    };
    words::say_unused(&redaction, printer);
    let partial = if done.is_partial() { Status::Partial } else { Status::Complete };
    session.found_undecoded_in_trace();
    Ok(session.finish().max(partial))
}

fn options(args: &Args, printer: Printer) -> Result<Options, Failure> {
    let mut options = Options::default().words(args.word.iter().cloned());
    args.words.iter().chain(&args.key).for_each(|path| note_read(path));
    for path in &args.words {
        options = words::add(options, path, printer)?;
    }
    if let Some(path) = &args.key {
        let key = small_file::read(path)?;
        if key.len() < SHORTEST_KEY {
            return Err(Failure::new("the key must have at least 16 bytes")
                .of(path.display())
                .hint("without --key, a random one is used"));
        }
        options = options.key(Key::of(&key));
    }
    Ok(options)
}

/// Refuses one file for several outputs: the last one would replace the others.
fn refuse_same(outputs: [&Option<PathBuf>; 3]) -> Result<(), Failure> {
    let mut known = Vec::new();
    for path in outputs.into_iter().flatten() {
        let whole = whole(path);
        if known.contains(&whole) {
            return Err(Failure::new("two outputs are the same file")
                .of(path.display())
                .hint("-o, --map and --report each need a file of their own"));
        }
        known.push(whole);
    }
    Ok(())
}

/// Returns a path without links and relative parts; the file need not be there.
fn whole(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let in_folder = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

fn write(session: &Session, redaction: &mut Redaction, out: &mut dyn Write) -> Result<Report, Failure> {
    let trace = session.trace();
    let total = trace.files().iter().map(|file| file.source.len()).sum();
    let mut progress = Progress::reading(session.printer());
    let done = redaction.write_with(trace, out, &mut |read| progress.at(read, total)).map_err(failure)?;
    progress.finish();
    Ok(done)
}

/// Writes the secrets for their owner.
fn write_map(path: &Path, trace: &Trace, redaction: &Redaction) -> Result<Option<NewFile>, Failure> {
    let (new, file) = new_private_text(path, trace)?;
    let mut table = csv::Writer::from_writer(csv_to(BufWriter::new(file), b','));
    let wrong = |error: csv::Error| Failure::from(csv_error(error)).of(path.display());
    table.write_record(words::MAP_HEAD).map_err(wrong)?;
    for secret in redaction.secrets() {
        let count = secret.count.to_string();
        table.write_record([&*secret.text, &secret.pseudonym, secret.kind.name(), &count]).map_err(wrong)?;
    }
    table.flush().map_err(|error| Failure::from(error).of(path.display()))?;
    Ok(new)
}

fn write_report(path: &Path, trace: &Trace, done: &Report) -> Result<Option<NewFile>, Failure> {
    let (new, mut file) = new_text(path, trace)?;
    let text = safe_json(&format_args!("{:#}", report::json(done)));
    let written = writeln!(file, "{text}").and_then(|()| file.flush());
    written.map_err(|error| Failure::from(error).of(path.display()))?;
    Ok(new)
}

/// A reader that leaves is no error: the trace is for others.
fn unless_left(told: Result<Option<NewFile>, Failure>) -> Result<Option<NewFile>, Failure> {
    match told {
        Err(Failure::BrokenPipe) => Ok(None),
        told => told,
    }
}

/// Says what was done.
fn say(path: &Path, done: &Report, printer: Printer) {
    let mut kinds = String::new();
    for (kind, count) in done.by_kind() {
        let _ = write!(kinds, ", {} {}", kind.name(), grouped(count));
    }
    let events = counted(done.events, "event");
    printer.note(format_args!("{}: {} of {events} changed{kinds}", path.display(), grouped(done.changed)));
    for (count, noun, what) in report::overwritten(done) {
        printer.note(format_args!("{}{what}", counted(count, noun)));
    }
    if done.arguments_left > 0 {
        let texts = counted(done.arguments_left, "long text");
        printer.warning(format_args!(
            "{texts} (command lines, passwords) replaced where found, but not looked for elsewhere: there are too many"
        ));
    }
    if done.pairs_left > 0 {
        let texts = counted(done.pairs_left, "text");
        printer.warning(format_args!("{texts} of the form X\\Y not examined for users: there are too many"));
    }
}

/// Explains why a copy could not be opened. A trace whose header cannot be read may be recognized by bytes that are not
/// events; these are overwritten.
fn not_opened(error: etwkit::Error) -> Failure {
    if !matches!(error.kind(), ErrorKind::NotATrace(_)) {
        return error.into();
    }
    let message = "the trace is so damaged that a copy without its unreadable bytes cannot be recognized as a trace; \
                   no file was written";
    Failure::new(message).hint(REPAIR)
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Read(error) => error.into(),
        Error::Write(error) => error.into(),
        changed @ Error::Changed { .. } => Failure::new(changed.to_string()).hint(REPAIR),
        damaged @ Error::Damaged { .. } => Failure::new(damaged.to_string()).hint(REPAIR),
        described @ Error::Described { .. } => Failure::new(described.to_string()).hint(OTHER_WORD),
        other => Failure::new(other.to_string()),
    }
}
