//! Tasks of the project.
//!
//! * `cargo xtask schemas [--check]` writes (or compares) the pack of bundled facts
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a task talks to its user")]

mod schemas;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["schemas"] => schemas::write(),
        ["schemas", "--check"] => schemas::check(),
        _ => Err("usage: cargo xtask schemas [--check]".into()),
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
