//! A line that is typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::limits::MAX_TYPED;

/// Text and the place in it, in characters.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineEditor {
    chars: Vec<char>,
    cursor: usize,
}

impl LineEditor {
    /// A line with a text, and the place at its end.
    pub(crate) fn new(text: &str) -> Self {
        let mut line = Self::default();
        line.insert(text);
        line
    }

    /// Puts text at the place. What has no place in a line is left out.
    pub(crate) fn insert(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control()) {
            if self.chars.len() < MAX_TYPED {
                self.chars.insert(self.cursor, c);
                self.cursor += 1;
            }
        }
    }

    /// Puts text in place of the characters from `from` to the place.
    pub(crate) fn replace_from(&mut self, from: usize, text: &str) {
        self.chars.drain(from.min(self.cursor)..self.cursor);
        self.cursor = from.min(self.cursor);
        self.insert(text);
    }

    /// Takes a key; false if it means nothing in a line.
    pub(crate) fn take(&mut self, key: KeyEvent) -> bool {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if is_control => drop(self.chars.drain(..std::mem::take(&mut self.cursor))),
            KeyCode::Char('k') if is_control => self.chars.truncate(self.cursor),
            KeyCode::Char('w') if is_control => self.delete_word(),
            KeyCode::Char('a') if is_control => self.cursor = 0,
            KeyCode::Char('e') if is_control => self.cursor = self.chars.len(),
            KeyCode::Char(_) if is_control => return false,
            KeyCode::Char(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => {
                if let Some(before) = self.cursor.checked_sub(1) {
                    self.chars.remove(before);
                    self.cursor = before;
                }
            }
            KeyCode::Delete => {
                if self.cursor < self.chars.len() {
                    self.chars.remove(self.cursor);
                }
            }
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.chars.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.chars.len(),
            _ => return false,
        }
        true
    }

    fn delete_word(&mut self) {
        let is_blank = |c: &char| c.is_whitespace();
        let before = self.chars.iter().take(self.cursor).rev();
        let blanks = before.clone().take_while(|c| is_blank(c)).count();
        let word = before.skip(blanks).take_while(|c| !is_blank(c)).count();
        self.replace_from(self.cursor - blanks - word, "");
    }

    pub(crate) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// The text before the place.
    pub(crate) fn before(&self) -> String {
        self.chars.iter().take(self.cursor).collect()
    }

    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_edited_at_its_place() {
        let mut line = LineEditor::new("level <= err\nor");
        assert_eq!(line.text(), "level <= error", "a line has no control characters");
        let press = |line: &mut LineEditor, code, modifiers| assert!(line.take(KeyEvent::new(code, modifiers)));
        press(&mut line, KeyCode::Char('w'), KeyModifiers::CONTROL);
        press(&mut line, KeyCode::Char('5'), KeyModifiers::NONE);
        assert_eq!(line.text(), "level <= 5");
        press(&mut line, KeyCode::Home, KeyModifiers::NONE);
        press(&mut line, KeyCode::Delete, KeyModifiers::NONE);
        press(&mut line, KeyCode::Char('L'), KeyModifiers::SHIFT);
        press(&mut line, KeyCode::Backspace, KeyModifiers::NONE);
        press(&mut line, KeyCode::Backspace, KeyModifiers::NONE);
        assert_eq!((line.text().as_str(), line.cursor()), ("evel <= 5", 0));
        press(&mut line, KeyCode::Right, KeyModifiers::NONE);
        press(&mut line, KeyCode::Char('k'), KeyModifiers::CONTROL);
        assert_eq!(line.text(), "e");
        assert!(!line.take(KeyEvent::new(KeyCode::Char('x'), KeyModifiers::CONTROL)));
        line.insert(&"x".repeat(2 * MAX_TYPED));
        assert_eq!(line.text().len(), MAX_TYPED);
    }
}
