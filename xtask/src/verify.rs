//! `cargo xtask verify`: all tests, and what they skipped.

use std::path::PathBuf;
use std::process::Command;

use crate::Done;

/// Runs all tests. With the folder of real traces, a check that does not find its trace is an error.
pub(crate) fn run(corpus: Option<&str>) -> Done {
    let mut command = Command::new("cargo");
    command.args(["test", "--workspace", "--no-fail-fast"]);
    if let Some(corpus) = corpus {
        let corpus = PathBuf::from(corpus).canonicalize().map_err(|error| format!("{corpus}: {error}"))?;
        if let Some(shared) = corpus.parent().filter(|_| std::env::var_os("ETWKIT_SHARED").is_none()) {
            command.env("ETWKIT_SHARED", shared);
        }
        command.env("ETWKIT_CORPUS", corpus);
    }
    etwkit_corpus::forget_skipped();
    let status = command.status()?;
    let skipped = etwkit_corpus::skipped_checks();
    let traces = skipped.iter().filter(|check| check.why.starts_with("no corpus/")).count();
    println!("{}", etwkit_corpus::summary());
    match status.success() {
        true if corpus.is_some() && traces > 0 => {
            Err(format!("{traces} checks did not find their traces in this corpus").into())
        }
        true => Ok(()),
        false => Err("tests failed".into()),
    }
}
