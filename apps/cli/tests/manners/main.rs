//! How the program treats people: help, errors, colours, details, completions, manual pages, quick tables.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

mod count;
mod errors;
mod help;
mod voice;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder with fixtures of etwkit-synth in it.
struct Folder(TempDir);

/// What a run did.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Folder {
    fn with(names: &[&str]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for name in names {
            folder.write(name, &fixture(name));
        }
        folder
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etwkit"));
        command.current_dir(self.path()).args(arguments);
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(variable);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).stdin(Stdio::null()).output().unwrap().into()
    }

    /// The output of a run that must succeed without a word.
    fn output(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
        run.out
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

fn fixture(name: &str) -> Vec<u8> {
    etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == name).unwrap().bytes
}

/// The names of all commands, as the help has them.
fn commands() -> Vec<String> {
    let help = Folder::with(&[]).output(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    names.map(|line| line.split(' ').next().unwrap().to_owned()).filter(|name| name != "help").collect()
}

/// Hands a text to a program; its exit code, `None` if there is no such program here.
fn feed(program: &str, arguments: &[&str], text: &str) -> Option<i32> {
    let mut command = Command::new(program);
    let spawned = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
    let Ok(mut child) = spawned else {
        eprintln!("SKIPPED: there is no {program} here");
        return None;
    };
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait().unwrap().code()
}
