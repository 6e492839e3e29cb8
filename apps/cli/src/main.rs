//! The command line of etwkit.
//!
//! | module | owns |
//! |---|---|
//! | `cli`, `arguments` | the arguments common to all commands; what is said of wrong ones |
//! | `commands` | one file a subcommand: its arguments, its plan, its run |
//! | `census` | the first pass over all inputs |
//! | `input` | from the names that were typed to the bytes of traces |
//! | `schemas`, `kinds` | schemas and symbols that the user brings along; what a file is that is none |
//! | `filter`, `time` | conditions on events |
//! | `names`, `meant` | names of fields, providers and events that were typed, and what was meant by those that nothing has |
//! | `formats` | one file a format of `dump` |
//! | `output`, `folder` | where events go |
//! | `requests` | requests of web servers, put together from their events |
//! | `zone` | the zone in which times are printed |
//! | `verdict`, `failure`, `hints` | what becomes the exit code, and what to do next |
//! | `printer`, `progress`, `verbose`, `table`, `text` | what people see; stdout is data only |
//! | `counted`, `threads` | the second pass with a progress bar; how many threads work on it |
//! | `counting` | events counted in groups |

mod arguments;
mod census;
mod cli;
mod commands;
mod counted;
mod counting;
mod failure;
mod filter;
mod folder;
mod formats;
mod hints;
mod input;
mod kinds;
mod meant;
mod names;
mod output;
mod printer;
mod progress;
mod requests;
mod schemas;
mod stacks;
mod table;
mod table_args;
mod text;
mod threads;
mod time;
mod verbose;
mod verdict;
mod zone;

use std::process::ExitCode;

use cli::Command;
use failure::Failure;
use printer::Printer;
use verdict::Status;

fn main() -> ExitCode {
    let cli = match arguments::read() {
        Ok(cli) => cli,
        Err(error) => return arguments::complain(&error).into(),
    };
    let printer = Printer::new(cli.global.quiet, cli.global.verbose);
    match run(cli.command, printer) {
        Ok(status) => status.into(),
        Err(Failure::BrokenPipe) => Status::Complete.into(),
        Err(failure) => {
            Printer::failure(&failure);
            Status::Failed.into()
        }
    }
}

fn run(command: Command, printer: Printer) -> Result<Status, Failure> {
    match command {
        Command::Info(args) => commands::info::run(&args, printer),
        Command::Dump(args) => commands::dump::run(*args, printer),
        Command::Count(args) => commands::count::run(*args, printer),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(args, printer),
        Command::Baseline(args) => commands::baseline::run(args, printer),
        Command::Schema(args) => commands::schema::run(args, printer),
        Command::Table(args) => commands::table::run(*args, printer),
        Command::Requests(args) => commands::requests::run(*args, printer),
        Command::TwapiHeader(args) => commands::twapi::run(args, printer),
        Command::Tmf(args) => commands::tmf::run(args, printer),
        Command::Pcap(args) => commands::pcap::run(args, printer),
        Command::Buffers(args) => commands::buffers::run(args, printer),
        Command::Counters(args) => commands::counters::run(args, printer),
    }
}
