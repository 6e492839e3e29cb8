//! `etwkit view`: a trace in the viewer for browsers, without choosing it there.

mod answer;
mod connection;
mod connections;
mod head;
mod own_name;
mod page;
mod range;
mod request;
mod served_file;
mod server;
mod timed_reader;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use crate::browser;
use crate::cli::hidden_csv_safe;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::stdout;
use crate::program::Program;

use served_file::ServedFile;
use server::Server;

const HELP: &str = "\
The page (docs/viewer.md) and the files are served to this computer only, at 127.0.0.1, until Ctrl+C. The address is printed; \
it has a random part, without which nothing is served. The page reads windows of the files, as it does with files that are \
dropped onto it: large traces do not go through memory as a whole.

Schemas and symbols (.schema, .man, .mof, .tmf, .pdb) are served with the traces.

Examples:
  etwkit view trace.etl
  etwkit view trace.etl app.man
  etwkit view logs/*.etl --no-open --port 8080
  etwkit view trace.etl --page etwkit-viewer.html";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, arg = hidden_csv_safe())]
pub(crate) struct Args {
    /// Traces: files, globs, folders; and files that describe events
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<OsString>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// The viewer's page [default: etwkit-viewer.html beside the program]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    page: Option<PathBuf>,
    /// Port to listen on; 0 for any free port
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
}

/// Runs the command, until it is interrupted.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { files, no_open, page, port } = args;
    let mut served = Vec::new();
    for path in InputArgs::of(files).paths() {
        served.push(ServedFile::new(path?)?);
    }
    let page = page::with_files(&page::read(page)?, &served);
    let server = Server::start(port, page, served)?;
    let mut out = stdout();
    writeln!(out, "{}", server.address())?;
    out.flush()?;
    if !no_open {
        browser::show(server.address(), printer);
    }
    server.run()
}
