//! Tasks of the project.
//!
//! * `cargo xtask fixtures [--check]` writes (or compares) everything in `fixtures/`
//! * `cargo xtask bench [--size MB] [--callgrind]` makes big traces and measures the engine on them
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a task talks to its user")]

mod fixtures;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["fixtures"] => fixtures::write(),
        ["fixtures", "--check"] => fixtures::check(),
        _ => Err("usage: cargo xtask fixtures [--check]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What ends a task.
type Done = Result<(), Box<dyn std::error::Error>>;
