//! A table of codes, read when the first name is asked for.

use std::sync::OnceLock;

/// A text of lines `code NAME ALIAS...`, code in hexadecimal digits, sorted by code, and what was read from it.
pub(super) struct Table {
    text: &'static str,
    lines: OnceLock<Vec<Line>>,
}

/// A code and its names, the first is the one to print.
pub(super) type Line = (u32, &'static str);

/// In place of the first name: components disagree about the code, and no name is right.
const UNCLEAR: &str = "-";

impl Table {
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, lines: OnceLock::new() }
    }

    /// Returns the name to print for a code.
    pub(super) fn name(&self, code: u32) -> Option<&'static str> {
        let lines = self.lines();
        let at = lines.binary_search_by_key(&code, |(code, _)| *code).ok()?;
        let (_, names) = lines.get(at)?;
        names.split(' ').next().filter(|name| *name != UNCLEAR)
    }

    /// Returns the code of a name or alias. If a name has two codes, the lower one. Takes time linear in the table.
    pub(super) fn code(&self, name: &str) -> Option<u32> {
        let named = |(_, names): &&Line| names.split(' ').any(|own| own == name && own != UNCLEAR);
        self.lines().iter().find(named).map(|(code, _)| *code)
    }

    pub(super) fn lines(&self) -> &[Line] {
        self.lines.get_or_init(|| self.text.lines().filter_map(line).collect())
    }

    /// Returns the count of lines that are not comments.
    #[cfg(test)]
    pub(super) fn len_of_text(&self) -> usize {
        self.text.lines().filter(|line| !line.starts_with('#')).count()
    }
}

fn line(line: &'static str) -> Option<Line> {
    let (code, names) = line.split_once(' ')?;
    Some((u32::from_str_radix(code, 16).ok()?, names))
}
