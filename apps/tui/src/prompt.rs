//! The line at the bottom that asks for something.

use crossterm::event::{KeyCode, KeyEvent};

use crate::completion::Completion;
use crate::line_editor::LineEditor;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// A filter; what it was before comes back if it is not answered.
    Filter { before: String },
    /// A text to look for.
    Search,
    /// A time to go to.
    Time,
    /// A file to write.
    Save,
}

/// A question and what was typed so far.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    pub(crate) question: Question,
    pub(crate) line: LineEditor,
    /// What is wrong, and where if it is known, in characters from 0.
    pub(crate) wrong: Option<(Option<usize>, String)>,
    pub(crate) completion: Completion,
}

/// What a key did to a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    Nothing,
    Changed,
    Answered,
    GivenUp,
}

impl Prompt {
    pub(crate) fn new(question: Question, text: &str) -> Self {
        Self { question, line: LineEditor::new(text), wrong: None, completion: Completion::default() }
    }

    /// Takes a key. `names` are those that complete a filter.
    pub(crate) fn take(&mut self, key: KeyEvent, names: &[String]) -> Typed {
        match key.code {
            KeyCode::Esc => return Typed::GivenUp,
            KeyCode::Enter => return Typed::Answered,
            KeyCode::Tab => self.completion.choose(&mut self.line, 1),
            KeyCode::BackTab => self.completion.choose(&mut self.line, -1),
            _ if self.line.take(key) => self.complete(names),
            _ => return Typed::Nothing,
        }
        Typed::Changed
    }

    /// Takes text that was pasted.
    pub(crate) fn paste(&mut self, text: &str, names: &[String]) {
        self.line.insert(text);
        self.complete(names);
    }

    fn complete(&mut self, names: &[String]) {
        let is_filter = matches!(self.question, Question::Filter { .. });
        self.completion = if is_filter { Completion::of(&self.line, names) } else { Completion::default() };
    }

    /// The text before the line.
    pub(crate) fn label(&self) -> &'static str {
        match self.question {
            Question::Filter { .. } => "filter: ",
            Question::Search => "search: ",
            Question::Time => "go to time: ",
            Question::Save => "save as: ",
        }
    }

    /// What may be typed.
    pub(crate) fn hint(&self) -> &'static str {
        match self.question {
            Question::Filter { .. } => "as in `etwkit help where`, such as: level <= warning and ProcessID == 4",
            Question::Search => "text in any value, without regard to letter case; n and N go on",
            Question::Time => "14:59:35.5, 2021-09-09T14:59:35Z, or +1m30s from the start",
            Question::Save => "JSON lines of the events that pass the filter; a file that is there is replaced",
        }
    }
}
