//! What keys do.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::app::{App, Focus, Job};
use crate::detail_pane::DetailPane;
use crate::facet_pane::{FacetPane, joined};
use crate::list_view::ListView;
use crate::prompt::{Prompt, Question, Typed};
use crate::save::Save;
use crate::search::Needle;

impl App<'_> {
    /// Takes a key.
    pub fn update(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        self.message = None;
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            self.quit();
        } else if let Some(first) = self.help {
            self.help = help_key(first, key.code);
        } else if self.prompt.is_some() {
            self.prompt_key(key);
        } else if !self.move_key(key) {
            self.command_key(key.code);
        }
    }

    /// Takes text that was pasted.
    pub fn paste(&mut self, text: &str) {
        if let Some(prompt) = &mut self.prompt {
            prompt.paste(text, &self.names);
            self.typed();
        }
    }

    /// Keys that move in the pane that has the focus; false for other keys.
    fn move_key(&mut self, key: KeyEvent) -> bool {
        let Some(motion) = motion(key) else { return false };
        match self.focus {
            Focus::List => self.moved(motion),
            Focus::Facets => {
                if let Some(pane) = &mut self.facets {
                    motion(&mut pane.view, pane.rows.len() as u64);
                }
            }
            Focus::Detail => {
                if let Some(pane) = &mut self.detail {
                    motion(&mut pane.view, pane.lines.len() as u64);
                }
            }
        }
        true
    }

    fn command_key(&mut self, code: KeyCode) {
        if self.is_saving() && ends_save(code, self.focus) {
            self.say("a file is being saved: Esc gives it up, Ctrl+C leaves");
            return;
        }
        match code {
            KeyCode::Char('q') => self.quit(),
            KeyCode::Char('?') | KeyCode::F(1) => self.help = Some(0),
            KeyCode::Char('f') => self.ask(Question::Filter { before: self.filter.clone() }, &self.filter.clone()),
            KeyCode::Char('F') => self.narrow(""),
            KeyCode::Char('/') => self.ask(Question::Search, ""),
            KeyCode::Char('n') => self.search(true),
            KeyCode::Char('N') => self.search(false),
            KeyCode::Char('t') => self.ask(Question::Time, ""),
            KeyCode::Char('w') => self.ask(Question::Save, "events.jsonl"),
            KeyCode::Char('y') => self.copy(),
            KeyCode::Char('c') => self.toggle_facets(),
            KeyCode::Char('z') => self.enlarge(),
            KeyCode::Tab => self.next_focus(),
            KeyCode::Esc => self.close(),
            KeyCode::Left => self.shift_by(-8),
            KeyCode::Right => self.shift_by(8),
            KeyCode::Enter | KeyCode::Char('x') if self.focus == Focus::Facets => self.take_facet(code),
            KeyCode::Enter => self.open_detail(),
            _ => {}
        }
    }

    fn ask(&mut self, question: Question, text: &str) {
        self.prompt = Some(Prompt::new(question, text));
    }

    fn prompt_key(&mut self, key: KeyEvent) {
        let Some(prompt) = &mut self.prompt else { return };
        match prompt.take(key, &self.names) {
            Typed::Nothing => {}
            Typed::Changed => self.typed(),
            Typed::Answered => self.answer(),
            Typed::GivenUp => {
                let before = self.prompt.take().map(|prompt| prompt.question);
                if let Some(Question::Filter { before }) = before {
                    self.narrow(&before);
                }
            }
        }
    }

    /// A filter applies while it is typed.
    fn typed(&mut self) {
        let Some(mut prompt) = self.prompt.take() else { return };
        prompt.wrong = None;
        if matches!(prompt.question, Question::Filter { .. }) {
            let applied = self.set_filter(&prompt.line.text());
            prompt.wrong = applied.err().map(|error| (Some(error.column.saturating_sub(1)), error.detail));
        }
        self.prompt = Some(prompt);
    }

    fn answer(&mut self) {
        let Some(mut prompt) = self.prompt.take() else { return };
        let text = prompt.line.text();
        let wrong = match &prompt.question {
            Question::Filter { .. } => {
                let applied = self.set_filter(&text);
                applied.err().map(|error| (Some(error.column.saturating_sub(1)), error.detail))
            }
            Question::Search => {
                self.needle = Needle::new(&text).filter(|_| !text.is_empty()).or_else(|| self.needle.take());
                self.search(true);
                None
            }
            Question::Time => self.answer_time(text.trim()).err().map(|error| (None, error)),
            Question::Save => self.answer_save(&text).err().map(|error| (None, error)),
        };
        if wrong.is_some() {
            prompt.wrong = wrong;
            self.prompt = Some(prompt);
        }
    }

    fn answer_time(&mut self, text: &str) -> Result<(), String> {
        let selected = self.source.row(self.view.selected).map_err(|error| error.to_string())?;
        let day = selected.as_ref().and_then(|row| row.time.get(..10)).unwrap_or_default();
        let is_clock = text.as_bytes().get(2) == Some(&b':') && !text.ends_with('Z');
        let whole = if is_clock { format!("{day}T{text}Z") } else { text.to_owned() };
        let time = self.host.time(&whole)?;
        self.go_to(time);
        Ok(())
    }

    fn answer_save(&mut self, path: &str) -> Result<(), String> {
        if path.trim().is_empty() {
            return Err("a name is needed".to_owned());
        }
        let file = self.host.create(path)?;
        self.job = Some(Job::Save(Save::new(path.to_owned(), file)));
        Ok(())
    }

    /// Sets a filter that was not typed.
    fn narrow(&mut self, filter: &str) {
        if let Err(error) = self.set_filter(filter) {
            self.fail(format_args!("{filter}: column {}: {}", error.column, error.detail));
        }
    }

    fn take_facet(&mut self, code: KeyCode) {
        let condition = self.facets.as_ref().and_then(FacetPane::condition).map(str::to_owned);
        match condition {
            Some(condition) if code == KeyCode::Enter => self.narrow(&joined(&self.filter, &condition)),
            Some(condition) => self.narrow(&joined(&self.filter, &format!("not ({condition})"))),
            None => self.say("no filter picks these events"),
        }
    }

    fn toggle_facets(&mut self) {
        match (&self.facets, self.focus) {
            (Some(_), Focus::Facets) => {
                self.facets = None;
                self.focus = Focus::List;
            }
            (Some(_), _) => self.focus = Focus::Facets,
            (None, _) => {
                self.facets = Some(FacetPane::default());
                self.focus = Focus::Facets;
                if let Some(detail) = &mut self.detail {
                    detail.is_large = false;
                }
            }
        }
    }

    fn open_detail(&mut self) {
        if self.detail.is_none() {
            self.detail = Some(DetailPane::default());
        }
        self.focus = Focus::Detail;
    }

    fn enlarge(&mut self) {
        self.open_detail();
        if let Some(detail) = &mut self.detail {
            detail.is_large = !detail.is_large;
        }
    }

    fn next_focus(&mut self) {
        let is_large = self.detail.as_ref().is_some_and(|detail| detail.is_large);
        self.focus = match self.focus {
            Focus::Detail if is_large => Focus::Detail,
            Focus::List if self.detail.is_some() => Focus::Detail,
            Focus::List | Focus::Detail if self.facets.is_some() => Focus::Facets,
            _ => Focus::List,
        };
    }

    /// Closes what has the focus, or ends what goes on.
    fn close(&mut self) {
        if self.give_up() {
            return;
        }
        match self.focus {
            Focus::List => self.say("q leaves"),
            Focus::Facets => self.facets = None,
            Focus::Detail => self.detail = None,
        }
        self.focus = Focus::List;
    }

    fn shift_by(&mut self, by: isize) {
        let shift = match (&mut self.detail, self.focus) {
            (Some(detail), Focus::Detail) => &mut detail.shift,
            _ => &mut self.shift,
        };
        *shift = shift.saturating_add_signed(by);
    }
}

/// How a key moves in a list of a length.
fn motion(key: KeyEvent) -> Option<fn(&mut ListView, u64)> {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('d' | 'f') if is_control => |view, len| view.page(1, len),
        KeyCode::Char('u' | 'b') if is_control => |view, len| view.page(-1, len),
        KeyCode::Down | KeyCode::Char('j') => |view, len| view.move_by(1, len),
        KeyCode::Up | KeyCode::Char('k') => |view, len| view.move_by(-1, len),
        KeyCode::PageDown | KeyCode::Char(' ') => |view, len| view.page(1, len),
        KeyCode::PageUp => |view, len| view.page(-1, len),
        KeyCode::Home | KeyCode::Char('g') => |view, len| view.select(0, len),
        KeyCode::End | KeyCode::Char('G') => |view, len| view.select(u64::MAX, len),
        _ => return None,
    })
}

/// Whether a key that is for something else would end a save that goes on.
fn ends_save(code: KeyCode, focus: Focus) -> bool {
    match code {
        KeyCode::Char('q' | 'f' | 'F' | '/' | 'n' | 'N' | 'w') => true,
        KeyCode::Enter | KeyCode::Char('x') => focus == Focus::Facets,
        _ => false,
    }
}

/// The first line of the help after a key; `None` closes it.
fn help_key(first: usize, code: KeyCode) -> Option<usize> {
    match code {
        KeyCode::Down | KeyCode::Char('j') => Some(first + 1),
        KeyCode::Up | KeyCode::Char('k') => Some(first.saturating_sub(1)),
        KeyCode::PageDown | KeyCode::Char(' ') => Some(first + 10),
        KeyCode::PageUp => Some(first.saturating_sub(10)),
        _ => None,
    }
}
