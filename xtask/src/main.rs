//! Tasks of the project.
//!
//! * `cargo xtask fixtures [--check]` writes (or compares) everything in `fixtures/`
//! * `cargo xtask schemas [--check]` writes (or compares) the pack of bundled facts
//! * `cargo xtask coverage [--check]` writes (or compares) the facts that the coverage test goes by; `--table` counts
//!   what is verified on what
//! * `cargo xtask events [--check]` writes (or compares) the typed views of events, and `docs/events`
//! * `cargo xtask api [--check]` writes (or compares) the public items of the libraries in `docs/api`
//! * `cargo xtask caps [--check]` writes (or compares) the list of caps in `docs/caps.md`
//! * `cargo xtask codes [--check] [FOLDER]` writes (or compares) the names of codes in `src/codes`; FOLDER holds the
//!   sources, else cargo downloads them
//! * `cargo xtask verify [--corpus DIR]` runs all tests, with the real traces in DIR, and states what they skipped
//! * `cargo xtask campaign [--files N] [--seed S] [--minutes M] [--corpus DIR]` damages traces and checks what the
//!   program makes of them; `--only N` does one case again and keeps its file
//! * `cargo xtask check-targets` checks that the libraries compile for wasm32, i686, aarch64 and Windows
//! * `cargo xtask check-features` checks that the libraries compile with every choice of features
//! * `cargo xtask fuzz [--minutes N | --seconds N] [--workers N] [--record] [TARGET]...` runs the fuzz targets, a
//!   minute of the processor each by default; `--record` writes what they did into `docs/fuzzing.md`
//! * `cargo xtask engines` installs engines from `PyPI`, lets them read exported files, and builds and tests the
//!   extension of `DuckDB` and the Python package; `--without-ballista` spares the build of `Ballista`, which takes
//!   long
//! * `cargo xtask ballista` does the part of `engines` about `Ballista` alone
//! * `cargo xtask web` builds the viewer, `etwkit-viewer.html`, into the target folder; `--check`
//!   compares what its engine writes with what the program does
//! * `cargo xtask browser [--program FILE]` opens reports and the viewer in a headless Chromium, installed by apt-get
//!   if it is missing, and compares what they show with what the program states, which it builds unless one is given
//! * `cargo xtask bench [--size MB] [--callgrind]` makes big traces and measures the engine on them; `--check` compares
//!   instructions and memory to `xtask/recorded.txt`, `--record` writes that file
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a task talks to its user")]

mod api;
mod ballista;
mod bench;
mod browser;
mod built;
mod campaign;
mod caps;
mod codes;
mod coverage;
mod done;
mod duckdb;
mod engines;
mod events;
mod features;
mod fixtures;
mod fuzz;
mod schemas;
mod targets;
mod verify;
mod web;
mod wheel;

use done::Done;
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask fixtures [--check] | schemas [--check] | coverage [--check | --table] | \
                     events [--check] | api [--check] | caps [--check] | codes [--check] [FOLDER] | check-targets | \
                     check-features | verify [--corpus DIR] | \
                     campaign [--files N] [--seed S] [--only N] [--minutes M] [--corpus DIR] [--program FILE] | \
                     engines [--without-ballista] | ballista | duckdb [--check] | web [--check] | browser [--program FILE] | \
                     fuzz [--minutes N | --seconds N] [--workers N] [--record] [TARGET]... | bench [--size MB] [--callgrind] | \
                     bench --check | bench --record";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["fixtures"] => fixtures::write(),
        ["fixtures", "--check"] => fixtures::check(),
        ["schemas"] => schemas::write(),
        ["schemas", "--check"] => schemas::check(),
        ["coverage"] => coverage::write(),
        ["coverage", "--check"] => coverage::check(),
        ["coverage", "--table"] => coverage::table(),
        ["events"] => events::write(),
        ["events", "--check"] => events::check(),
        ["api"] => api::write(),
        ["api", "--check"] => api::check(),
        ["caps"] => caps::write(),
        ["caps", "--check"] => caps::check(),
        ["check-features"] => features::check(),
        ["codes"] => codes::write(None),
        ["codes", "--check"] => codes::check(None),
        ["codes", "--check", folder] => codes::check(Some(folder)),
        ["codes", folder] => codes::write(Some(folder)),
        ["check-targets"] => targets::check(),
        ["campaign", ..] => campaign::run(arguments.get(1..).unwrap_or_default()),
        ["verify"] => verify::run(None),
        ["verify", "--corpus", folder] => verify::run(Some(folder)),
        ["engines"] => engines::check(true),
        ["engines", "--without-ballista"] => engines::check(false),
        ["ballista"] => engines::check_ballista(),
        ["browser"] => browser::check(None),
        ["browser", "--program", file] => browser::check(Some(file)),
        ["web"] => web::build().map(drop),
        ["web", "--check"] => web::check(),
        ["duckdb"] => duckdb::build(),
        ["duckdb", "--check"] => engines::check_duckdb(),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["bench", ..] if cfg!(debug_assertions) => optimised(&arguments),
        ["bench", rest @ ..] => bench::run(rest),
        // What `bench` calls in processes of their own, so that memory is that of one stage.
        ["stage", name, file, rounds] => bench::stage(name, file, rounds),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the same task as optimised code: only this is worth measuring.
fn optimised(arguments: &[String]) -> Done {
    let cargo =
        Command::new("cargo").args(["run", "--release", "--package", "xtask", "--"]).args(arguments).status()?;
    if cargo.success() { Ok(()) } else { Err("the task failed as optimised code".into()) }
}
