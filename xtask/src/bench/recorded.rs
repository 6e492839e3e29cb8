//! Figures that were recorded: what later ones are compared to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Done;

/// Instructions an event, by shape and stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recorded {
    figures: BTreeMap<(String, String), u64>,
    /// The compiler that they were counted with: another one makes other code.
    compiler: String,
}

impl Recorded {
    /// Reads `xtask/recorded.txt`.
    pub(super) fn read() -> Done<Self> {
        Ok(Self::parse(&std::fs::read_to_string(place())?))
    }

    /// Replaces the figures in `xtask/recorded.txt` that were counted again.
    pub(super) fn write(self) -> Done {
        let mut all = Self::read().unwrap_or_default();
        all.figures.extend(self.figures);
        all.compiler = compiler()?;
        Ok(std::fs::write(place(), all.text())?)
    }

    pub(super) fn insert(&mut self, shape: &str, stage: &str, instructions: u64) {
        self.figures.insert((shape.to_owned(), stage.to_owned()), instructions);
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.figures.extend(other.figures);
    }

    pub(super) fn get(&self, shape: &str, stage: &str) -> Option<u64> {
        self.figures.get(&(shape.to_owned(), stage.to_owned())).copied()
    }

    /// Returns all figures: shape, stage, instructions per event.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.figures.iter().map(|((shape, stage), each)| (&**shape, &**stage, *each))
    }

    /// Returns whether figures of this compiler can be compared to them.
    pub(super) fn is_of_this_compiler(&self) -> Done<bool> {
        Ok(self.compiler == compiler()?)
    }

    fn parse(text: &str) -> Self {
        let mut all = Self::default();
        for line in text.lines() {
            match *line.split_whitespace().collect::<Vec<_>>() {
                ["compiler", ref words @ ..] => all.compiler = words.join(" "),
                [shape, stage, each] => {
                    if let Ok(each) = each.parse() {
                        all.insert(shape, stage, each);
                    }
                }
                _ => {}
            }
        }
        all
    }

    fn text(&self) -> String {
        let mut out = format!("compiler {}\n", self.compiler);
        for (shape, stage, each) in self.iter() {
            let _ = writeln!(out, "{shape} {stage} {each}");
        }
        out
    }
}

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded.txt")
}

fn compiler() -> Done<String> {
    let output = Command::new("rustc").arg("--version").output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut all = Recorded { compiler: "rustc 1.0".into(), ..Recorded::default() };
        all.insert("mixed", "json", 1000);
        all.insert("kernel", "walk", 69);
        assert_eq!(Recorded::parse(&all.text()), all);
    }
}
