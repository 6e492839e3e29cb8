//! How the program treats people: help, errors, colours, details, completions, manual pages, quick tables.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod answers;
mod brief;
mod brought;
#[path = "../common/mod.rs"]
mod common;
mod count;
mod counters;
mod diff;
mod errors;
mod excess;
mod filters;
mod help;
mod mcp;
mod names;
mod reasons;
mod rows;
mod spans;
mod symbols;
mod voice;
mod windows;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{Folder, Run};

impl Folder {
    /// The output of a run that must succeed without a word.
    fn output(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
        run.out
    }
}

/// The names of all commands, as the help has them.
fn commands() -> Vec<String> {
    let help = Folder::with(&[]).output(&["--help"]);
    let lists = ["Commands:\n", "Commands for special purposes:\n"];
    let lists = lists.map(|title| help.split(title).nth(1).unwrap().split("\n\n").next().unwrap());
    let names = lists
        .iter()
        .flat_map(|list| list.lines())
        .filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    names.map(|line| line.split(' ').next().unwrap().to_owned()).filter(|name| name != "help").collect()
}

/// Hands a text to a program; its exit code, `None` if there is no such program here.
fn feed(program: &str, arguments: &[&str], text: &str) -> Option<i32> {
    let mut command = Command::new(program);
    let spawned = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
    let Ok(mut child) = spawned else {
        etwkit_corpus::skipped(&format!("there is no {program} here"));
        return None;
    };
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait().unwrap().code()
}
