//! `etwkit mcp`: a server of the Model Context Protocol on stdin and stdout.
//!
//! Each call of a tool runs a command of this program in a process of its own: a call can be cancelled and has a time
//! limit, and nothing that a hostile trace does to a command reaches the server.
//!
//! | file | does |
//! |---|---|
//! | `protocol`, `outlet` | messages of JSON-RPC 2.0; where answers go |
//! | `server` | methods of the protocol |
//! | `calls` | calls that run, and their cancellation |
//! | `tools`, `catalog` | what a tool is, and the list of them |
//! | `arguments` | arguments of a tool become a command line |
//! | `traces` | the traces that are open |
//! | `child` | runs a command and reads a page of its output |
//! | `children` | the commands that run, which an interruption ends |
//! | `bounded` | values cut to a size |
//! | `answer` | the result of a call |

mod answer;
mod arguments;
mod bounded;
mod calls;
mod catalog;
mod child;
mod children;
mod outlet;
mod protocol;
mod server;
mod tools;
mod traces;

use std::io::{self, BufRead, Read};
use std::path::PathBuf;
use std::time::Duration;

use crate::exit_status::Status;
use crate::failure::Failure;
use crate::interrupt;
use crate::program::Program;
use crate::text::parse_size;

use child::Limits;
use server::Server;
use traces::Traces;

const HELP: &str = "\
An agent, or any other client of the Model Context Protocol, starts this command and talks to it by JSON-RPC on stdin and \
stdout. The tools are commands of this program: open, info, count, events, processes, analyze, profile, spans, diff, symbols \
and others. Every answer has a bounded size, and a cursor if there is more.

Examples:
  etwkit mcp
  etwkit mcp --root traces/ --timeout 60
  claude mcp add etwkit -- etwkit mcp --root traces/";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Open only files below this folder, even where a `file.ptr` of a symbol store leads to another one
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    root: Option<PathBuf>,
    /// Time limit of a call, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Size of the largest answer
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "32KiB")]
    max_answer: u64,
}

/// The longest message that is read, in bytes.
const LONGEST: u64 = 1 << 20;
/// The smallest answer that has room for a row and what is around it.
const SMALLEST_ANSWER: u64 = 4096;

/// Runs the command.
pub(crate) fn run(args: Args, Program { command_line, .. }: Program) -> Result<Status, Failure> {
    let Args { root, timeout, max_answer } = args;
    if max_answer < SMALLEST_ANSWER {
        return Err(Failure::new("--max-answer: the smallest size is 4096"));
    }
    let limits = Limits {
        bytes: usize::try_from(max_answer).unwrap_or(usize::MAX),
        time: Duration::from_secs(timeout),
        program: std::env::current_exe()?,
    };
    interrupt::before_exit(children::kill_all);
    let server = Server::new(Traces::new(root)?, limits, &command_line());
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        if line.last() != Some(&b'\n') && read as u64 == LONGEST {
            server::refuse_long(LONGEST);
            input.skip_until(b'\n')?;
            continue;
        }
        if !line.trim_ascii().is_empty() {
            server.take(&line);
        }
    }
    server.stop();
    Ok(Status::Complete)
}
