//! `etwkit tui`: a trace in the terminal.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use etwkit::{FileTime, Trace};
use etwkit_tui::{App, Host, SaveFile};

use crate::args::{FailOnArgs, SchemaArgs, ThreadArgs, TimePoint, parse_expression};
use crate::cli::hidden_csv_safe;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::interrupt;
use crate::output::{NewFile, new_file};
use crate::program::Program;
use crate::session::Session;

const HELP: &str = "\
A list of all events in time order, which are decoded when they are shown: memory does not grow with the trace. A filter \
applies while it is typed; its language is the one of --where (`etwkit help where`). Bars show the events over time. \
`?` lists the keys, and docs/tui.md explains them. It needs a terminal of 40 columns and 10 rows.

Times are UTC. What passes the filter is saved by the key w, as `etwkit dump --format jsonl --stacks` writes it.

Examples:
  etwkit tui trace.etl
  etwkit tui logs/*.etl --symbols symbols/
  etwkit tui trace.etl --where 'level <= warning'";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, arg = hidden_csv_safe())]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// Start with this filter, such as 'level <= warning'
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", value_parser = parse_expression)]
    condition: Option<etwkit::query::Expression>,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, schemas, condition, threads } = args;
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return Err(Failure::new("the viewer needs a terminal for stdin and stdout")
            .hint("`etwkit dump` writes events to files and pipes"));
    }
    let (parsers, _) = schemas.parsers_with_stacks(printer)?;
    let session = Session::open_by(threads.count(), &input, parsers, FailOnArgs::default(), printer)?;
    let trace = session.trace();
    let mut app = App::new(trace, &title(trace), Box::new(Surroundings(trace)));
    app.set_colors(AutoStream::choice(&io::stdout()) != ColorChoice::Never);
    if let Some(condition) = condition {
        app.set_filter(&condition.to_string()).map_err(|error| Failure::new(error.to_string()))?;
    }
    interrupt::before_exit(etwkit_tui::restore);
    etwkit_tui::run(&mut app)?;
    drop(app);
    Ok(session.finish())
}

/// The name of the file, or of the first one and how many there are besides.
fn title(trace: &Trace) -> String {
    let name = |path: &str| Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let first = trace.files().first().map(|file| name(file.source.name())).unwrap_or_default();
    match trace.files().len() {
        0 | 1 => first,
        many => format!("{first} and {} more", many - 1),
    }
}

/// What the viewer asks for.
#[derive(Debug)]
struct Surroundings<'t>(&'t Trace);

impl Host for Surroundings<'_> {
    fn time(&self, text: &str) -> Result<FileTime, String> {
        match text.parse::<TimePoint>()? {
            time @ TimePoint::Absolute(_) => Ok(FileTime(time.ceil())),
            time @ TimePoint::Relative(_) => {
                let start = self.0.start().ok_or("the start of the trace is not known")?;
                Ok(FileTime(start.as_units().saturating_add(time.ceil())))
            }
        }
    }

    fn create(&self, path: &str) -> Result<Box<dyn SaveFile>, String> {
        let (new, file) = new_file(Path::new(path), self.0).map_err(|failure| failure.to_string())?;
        Ok(Box::new(Saving { new, file: io::BufWriter::new(file) }))
    }
}

/// A file that is being saved.
struct Saving {
    new: NewFile,
    file: io::BufWriter<std::fs::File>,
}

impl Write for Saving {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl SaveFile for Saving {
    fn keep(self: Box<Self>) -> Result<(), String> {
        let Self { new, mut file } = *self;
        file.flush().map_err(|error| error.to_string())?;
        drop(file);
        new.keep().map_err(|failure| failure.to_string())
    }
}
