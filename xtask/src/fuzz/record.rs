//! What the targets did, as a table of `docs/fuzzing.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use super::target::Outcome;
use crate::done::{Done, root};

/// Returns the table of outcomes.
pub(super) fn table(outcomes: &[Outcome]) -> String {
    rows(outcomes.iter().map(|outcome| (outcome.name.clone(), row(outcome, ""))))
}

/// Replaces the rows of the targets that ran without a finding.
pub(super) fn write(outcomes: &[Outcome]) -> Done {
    let path = root().join("docs/fuzzing.md");
    let page = fs::read_to_string(&path)?;
    let (before, rest) = page.split_once(BEGIN).ok_or("docs/fuzzing.md has no table")?;
    let (old, after) = rest.split_once(END).ok_or("the table of docs/fuzzing.md has no end")?;
    let mut by_name: BTreeMap<String, String> = old.lines().filter_map(named).collect();
    let commit = commit()?;
    for outcome in outcomes.iter().filter(|outcome| outcome.is_clean) {
        by_name.insert(outcome.name.clone(), row(outcome, &commit));
    }
    fs::write(path, format!("{before}{BEGIN}\n{}{END}{after}", rows(by_name.into_iter())))?;
    Ok(())
}

const BEGIN: &str = "<!-- figures -->";
const END: &str = "<!-- end of figures -->";

fn rows(rows: impl Iterator<Item = (String, String)>) -> String {
    let mut text =
        "| target | commit | minutes | executions | edges | corpus |\n|---|---|--:|--:|--:|--:|\n".to_owned();
    for (_, row) in rows {
        let _ = writeln!(text, "{row}");
    }
    text
}

fn row(outcome: &Outcome, commit: &str) -> String {
    let Outcome { name, executions, coverage, corpus, .. } = outcome;
    let minutes = outcome.time.as_secs_f64() / 60.0;
    format!("| `{name}` | {commit} | {minutes:.1} | {executions} | {coverage} | {corpus} |")
}

/// Returns the short name of the commit that is checked out.
fn commit() -> Result<String, Box<dyn std::error::Error>> {
    let output = Command::new("git").args(["rev-parse", "--short=8", "HEAD"]).current_dir(root()).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Returns the target of a row.
fn named(row: &str) -> Option<(String, String)> {
    Some((row.strip_prefix("| `")?.split('`').next()?.to_owned(), row.to_owned()))
}
