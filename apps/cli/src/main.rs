//! The command line of etwkit.
//!
//! | module | owns |
//! |---|---|
//! | `cli`, `usage` | the arguments common to all commands; reading them; what is printed if they are wrong |
//! | `commands` | the registry of commands, and one file a command: its arguments, its plan, its run |
//! | `session` | one run over the inputs: open, census, checks, run, finish |
//! | `args` | arguments that several commands take: filters, schemas and symbols, tables, zones, threads |
//! | `input`, `folder_search` | from the names that were typed to the bytes of traces |
//! | `formats` | the registry of the formats of `dump`, and one file a format |
//! | `output` | where events go |
//! | `column_file` | Parquet and Arrow files |
//! | `browser` | opens pages in the user's browser |
//! | `interrupt` | Ctrl+C |
//! | `rows` | tables: columns by whose names rows are chosen, sorted and shown |
//! | `group_counts`, `largest_groups` | events counted in groups |
//! | `selectors`, `similarity` | names of fields that were typed; how alike two names are |
//! | `failure`, `hints`, `exit_status`, `problem_text` | what ends a run, what to do about it, the exit code, problems as text |
//! | `printer`, `progress`, `stacks`, `text`, `time_text` | what people see; stdout is data only |
//! | `program` | what a command gets from the program |

mod analyses;
mod args;
mod browser;
mod cli;
mod code_names;
mod column_file;
mod commands;
mod exit_status;
mod failure;
mod folder_search;
mod formats;
mod group_counts;
mod hints;
mod input;
mod interrupt;
mod largest_groups;
mod output;
mod printer;
mod problem_text;
mod program;
mod progress;
mod rows;
mod selectors;
mod session;
mod similarity;
mod stacks;
mod text;
mod time_text;
mod usage;

use std::process::ExitCode;

use clap::CommandFactory;

use cli::Cli;
use exit_status::Status;
use failure::Failure;
use printer::Printer;
use program::Program;

fn main() -> ExitCode {
    let cli = match usage::read() {
        Ok(cli) => cli,
        Err(error) => return usage::complain(&error).into(),
    };
    interrupt::watch();
    let printer = Printer::new(cli.global.quiet, cli.global.verbose);
    if cli.global.csv_safe {
        output::want_csv_safe();
    }
    let ended = cli.command.run(Program { printer, command_line: Cli::command });
    let ended = ended.and_then(|status| output::keep_waiting().map(|()| status));
    // What is left is of a command that failed.
    output::discard_waiting();
    if ended.is_ok() && output::is_csv_safe_unused() {
        printer.warning("--csv-safe had no effect: no CSV was written");
    }
    match ended {
        Ok(status) => status.into(),
        Err(Failure::BrokenPipe) => Status::Complete.into(),
        Err(Failure::Reported) => Status::Failed.into(),
        Err(failure) => {
            Printer::failure(&failure);
            Status::Failed.into()
        }
    }
}
