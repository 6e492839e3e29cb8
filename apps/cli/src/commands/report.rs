//! `etwkit report`: a trace as one HTML page.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use etwkit::trace::RunOptions;
use etwkit_report::{Pass, ReportOptions, Section, html};

use crate::args::{FailOnArgs, SchemaArgs, ThreadArgs};
use crate::browser;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::{Output, keep_waiting};
use crate::program::Program;
use crate::session::Session;
use crate::text::{parse_count, safe_json};

const HELP: &str = "\
The page is one file that opens offline in any browser: tiles, lanes over a shared time axis (providers, processors, processes, \
disks, network, collections of .NET, buffers), tables that sort and filter, a flame graph of CPU samples, messages, what is \
wrong with the trace, and what would have to be recorded to see more. It makes no network request, and shows text of the trace \
as plain text. It contains what the trace contains: see `etwkit redact` before passing it on.

Each table has its first rows, those that matter most, and says how many there are; the command that prints all is beside it.

Examples:
  etwkit report trace.etl -o report.html
  etwkit report trace.etl -o report.html --open
  etwkit report *.etl -o report.html --sections lanes,events,problems
  etwkit report trace.etl --json | jq '.tiles'";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long, requires = "output", conflicts_with = "json")]
    open: bool,
    /// Only these parts of the page
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    sections: Vec<Part>,
    /// Maximum number of rows of each table; of messages, five times as many
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = parse_count::<usize>)]
    max_rows: usize,
    /// Print the data of the page as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
}

/// A part of the page.
#[derive(Clone, Copy, Debug)]
struct Part(Section);

impl ValueEnum for Part {
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
    fn value_variants<'a>() -> &'a [Self] {
        const PARTS: [Part; Section::ALL.len()] = {
            let mut parts = [Part(Section::Lanes); Section::ALL.len()];
            let mut at = 0;
            while at < parts.len() {
                parts[at] = Part(Section::ALL[at]);
                at += 1;
            }
            parts
        };
        &PARTS
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.name()))
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, output, open, sections, max_rows, json, schemas, threads, fail_on } = args;
    let (parsers, code_names) = schemas.parsers_with_stacks(printer)?;
    code_names.say_servers(printer);
    let mut session = Session::open_by(threads.count(), &input, parsers, fail_on, printer)?;
    session.say_partial_copies()?;
    let mut options = ReportOptions::default().max_rows(max_rows).threads(threads.count());
    if !sections.is_empty() {
        options = options.sections(sections.into_iter().map(|part| part.0).collect::<Vec<_>>());
    }
    let mut pass = Pass::new(session.trace(), &options)?;
    session.run(&RunOptions::default().threads(threads.count()), &mut pass)?;
    let page = pass.finish()?;
    let mut out = BufWriter::new(Output::new(output.clone()).open(session.trace())?);
    if json {
        let text = serde_json::to_string(&page).map_err(std::io::Error::from)?;
        writeln!(out, "{}", safe_json(&text))?;
    } else {
        html(&page, &mut out)?;
    }
    out.flush()?;
    drop(out);
    if let Some(path) = output.filter(|_| open) {
        keep_waiting()?;
        browser::show(&path, printer);
    }
    session.found_undecoded_in_trace();
    Ok(session.finish())
}
