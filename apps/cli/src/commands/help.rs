//! `etwkit help`: the help of a command, or a page about something that several commands share.

use std::fmt::Write as _;
use std::io::Write as _;

use clap::ValueEnum;

use crate::exit_status::Status;
use crate::failure::Failure;
use crate::formats::Format;
use crate::program::Program;
use crate::similarity::{asked_first, nearest};

const HELP: &str = "\
Examples:
  etwkit help dump
  etwkit help where          conditions on events and rows
  etwkit help formats        what --format takes
  etwkit help exit-codes";

/// `docs/where.md`; a test compares.
const WHERE: &str = include_str!("../../pages/where.md");

/// The pages that are not the help of a command.
const PAGES: [&str; 3] = ["where", "formats", "exit-codes"];

const EXIT_CODES: &str = "\
Exit codes, the same for all commands:

  0  everything in the files was delivered
  1  part of a file could not be read: each gap is listed on stderr with offset and length;
     the trace has more than a table keeps, as a warning states; or a condition of --fail-on
     was met (lost, undecoded, damaged, a limit of `diff`). `repair` ends with 0 when the
     new file has all that can be read
  2  could not run: bad arguments, no such file, not a trace, no events for the question,
     the output cannot be written
130  interrupted: what is on stdout ends with a whole line, and no part of a file stays

If a reader closes the pipe early (`| head`), the program ends with 0.
";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// A command, or `where`, `formats`, `exit-codes`
    #[arg(value_name = "TOPIC")]
    topic: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { command_line, .. }: Program) -> Result<Status, Failure> {
    let mut command = command_line();
    command.build();
    let Args { topic } = args;
    let page = match topic.as_deref() {
        None => command.render_long_help().ansi().to_string(),
        Some("where") => WHERE.to_owned(),
        Some("formats") => formats(),
        Some("exit-codes") => EXIT_CODES.to_owned(),
        Some(name) => {
            let known: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
            let Some(command) = command.find_subcommand_mut(name) else {
                let topics = PAGES.into_iter().chain(known.iter().map(String::as_str));
                let meant = asked_first(nearest(name, topics));
                let pages = PAGES.join(", ");
                let hint = format!("{meant}there are {pages}, and the commands {}", known.join(", "));
                return Err(Failure::new(format!("there is no help on `{name}`")).hint(hint));
            };
            command.render_long_help().ansi().to_string()
        }
    };
    let mut out = anstream::stdout();
    out.write_all(page.as_bytes())?;
    Ok(out.flush().map(|()| Status::Complete)?)
}

/// The formats of `dump`, and those of tables.
fn formats() -> String {
    let mut page = String::from("`etwkit dump --format` takes:\n\n");
    for value in Format::value_variants().iter().filter_map(Format::to_possible_value) {
        let about = value.get_help().map(ToString::to_string).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(page, "  {:<14} {about}", value.get_name());
        let aliases: Vec<&str> = value.get_name_and_aliases().skip(1).collect();
        if !aliases.is_empty() {
            let _ = writeln!(page, "  {:<14} also as {}", "", aliases.join(", "));
        }
    }
    page.push_str(
        "\n`count`, `table` and `requests` take text (aligned columns), csv and jsonl; `counters` also tsv, and its csv is \
         that of relog. `info` and `buffers` take text and jsonl. With --fields, `dump` writes the columns that are named \
         there, as text with tabs, csv or jsonl.\n",
    );
    page
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_is_that_of_the_documentation() {
        let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/where.md");
        // A published crate is without it.
        let Ok(page) = std::fs::read_to_string(page) else { return };
        assert!(page == super::WHERE, "copy docs/where.md to apps/cli/pages");
    }
}
