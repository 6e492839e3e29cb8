//! Names that complete what is typed.

use etwkit_browse::quoted;

use crate::limits::MAX_OFFERED;
use crate::line_editor::LineEditor;

/// The names that begin with the word before the place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Completion {
    /// Where the word begins, in characters.
    from: usize,
    pub(crate) names: Vec<String>,
    /// The name that is in the line now.
    pub(crate) chosen: Option<usize>,
}

impl Completion {
    /// Looks for names that complete the word before the place. A line that ends with a blank, and a quoted text, have
    /// none.
    pub(crate) fn of(line: &LineEditor, names: &[String]) -> Self {
        let before = line.before();
        let quotes = before.chars().filter(|c| matches!(c, '"' | '\'')).count();
        let word_len = before.chars().rev().take_while(|c| is_of_word(*c)).count();
        if word_len == 0 || quotes % 2 == 1 {
            return Self::default();
        }
        let from = line.cursor() - word_len;
        let word: String = before.chars().skip(from).collect::<String>().to_lowercase();
        // Names may have their origin: `fields.Size`.
        let (prefix, bare) = match ["fields.", "header.", "payload."].iter().find(|part| word.starts_with(**part)) {
            Some(part) => (*part, word.trim_start_matches(part)),
            None => ("", word.as_str()),
        };
        let is_match = |name: &&String| name.to_lowercase().starts_with(bare) && name.to_lowercase() != bare;
        let found = names.iter().filter(is_match).take(MAX_OFFERED).map(|name| format!("{prefix}{}", written(name)));
        Self { from, names: found.collect(), chosen: None }
    }

    /// Puts the next name into the line; with `by` -1, the one before.
    pub(crate) fn choose(&mut self, line: &mut LineEditor, by: isize) {
        let len = self.names.len();
        if len == 0 {
            return;
        }
        let next = match self.chosen {
            Some(chosen) => chosen.wrapping_add_signed(by).wrapping_add(len) % len,
            None if by < 0 => len - 1,
            None => 0,
        };
        if let Some(name) = self.names.get(next) {
            line.replace_from(self.from, name);
            self.chosen = Some(next);
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '#' | '@')
}

/// A name as a filter has it: in quotes if it has other characters than a word.
fn written(name: &str) -> String {
    if name.chars().all(is_of_word) {
        return name.to_owned();
    }
    quoted(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_complete_the_word_at_the_place() {
        let names: Vec<String> = ["provider", "process", "pid", "Odd name", "Odder"].map(str::to_owned).into();
        let of = |text: &str| Completion::of(&LineEditor::new(text), &names).names;
        assert_eq!(of("pr"), ["provider", "process"]);
        assert_eq!(of("level < 3 and (PRO"), ["provider", "process"]);
        assert_eq!(of("fields.od"), ["fields.\"Odd name\"", "fields.Odder"]);
        assert!(of("").is_empty() && of("pid").is_empty() && of("provider == \"pr").is_empty() && of("x ").is_empty());

        let mut line = LineEditor::new("not pr");
        let mut completion = Completion::of(&line, &names);
        completion.choose(&mut line, 1);
        assert_eq!(line.text(), "not provider");
        completion.choose(&mut line, 1);
        completion.choose(&mut line, 1);
        completion.choose(&mut line, -1);
        assert_eq!(line.text(), "not process");
    }
}
