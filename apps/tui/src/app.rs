//! The state of the viewer, and what changes it.

use std::fmt::Display;

use etwkit::render::terminal;
use etwkit::{FileTime, Trace};

use crate::detail_pane::DetailPane;
use crate::facet_pane::FacetPane;
use crate::host::Host;
use crate::limits::MAX_COPIED;
use crate::list_view::ListView;
use crate::prompt::Prompt;
use crate::save::Save;
use crate::search::{Found, Needle, Search};
use crate::source::Source;

/// A viewer of one trace: it takes keys ([`App::update`]), works piece by piece ([`App::work`]) and draws itself
/// ([`App::draw`]). It needs no terminal.
#[derive(Debug)]
pub struct App<'t> {
    pub(crate) source: Source<'t>,
    pub(crate) host: Box<dyn Host + 't>,
    /// What is shown, for people.
    pub(crate) title: String,
    /// Names that a filter may use.
    pub(crate) names: Vec<String>,
    /// The filter in force.
    pub(crate) filter: String,
    pub(crate) view: ListView,
    pub(crate) focus: Focus,
    pub(crate) facets: Option<FacetPane>,
    pub(crate) detail: Option<DetailPane>,
    pub(crate) prompt: Option<Prompt>,
    pub(crate) job: Option<Job>,
    pub(crate) needle: Option<Needle>,
    pub(crate) message: Option<Message>,
    /// The first line of the help that is seen, if it is open.
    pub(crate) help: Option<usize>,
    /// Characters that the last column is moved to the left by.
    pub(crate) shift: usize,
    /// The time to select as soon as the list has come to it.
    goal: Option<FileTime>,
    /// The time of the event that was selected last, which another filter goes to.
    anchor: Option<FileTime>,
    /// The list cannot be read on.
    is_stuck: bool,
    copied: Option<String>,
    pub(crate) has_colors: bool,
    is_over: bool,
}

/// What takes the keys that move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    #[default]
    List,
    Facets,
    Detail,
}

/// Work that goes on piece by piece.
#[derive(Debug)]
pub(crate) enum Job {
    Search(Search),
    Save(Save),
}

/// What the last key led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl<'t> App<'t> {
    /// A viewer of a trace, with all its events in the list. `title` names it; `host` is the program around.
    pub fn new(trace: &'t Trace, title: &str, host: Box<dyn Host + 't>) -> Self {
        Self {
            source: Source::new(trace),
            host,
            title: terminal::escaped(title).into_owned(),
            names: etwkit_browse::names(trace),
            filter: String::new(),
            view: ListView::default(),
            focus: Focus::default(),
            facets: None,
            detail: None,
            prompt: None,
            job: None,
            needle: None,
            message: None,
            help: None,
            shift: 0,
            goal: None,
            anchor: None,
            is_stuck: false,
            copied: None,
            has_colors: true,
            is_over: false,
        }
    }

    /// Says whether colours are wanted; they are unless this is called.
    pub fn set_colors(&mut self, are_wanted: bool) {
        self.has_colors = are_wanted;
    }

    /// Begins the list of what passes a filter expression; an empty text means no filter. The selection goes to the
    /// time where it was.
    ///
    /// # Errors
    ///
    /// The text is not an expression. The list stays as it is.
    pub fn set_filter(&mut self, text: &str) -> Result<(), etwkit::select::SyntaxError> {
        if text == self.filter {
            return Ok(());
        }
        self.remember_time();
        self.source.filter(text)?;
        text.clone_into(&mut self.filter);
        self.view.select(0, 0);
        self.give_up();
        self.is_stuck = false;
        self.goal = self.anchor;
        if let Some(detail) = &mut self.detail {
            detail.row = None;
        }
        if let Some(facets) = &mut self.facets {
            facets.parts = None;
        }
        Ok(())
    }

    /// Does a piece of the work that is left: reads on in the list, looks for a text, saves. It takes milliseconds.
    pub fn work(&mut self) {
        let job = self.job.take();
        let done = match job {
            Some(Job::Save(save)) => {
                self.save_on(save);
                Ok(())
            }
            Some(Job::Search(search)) => self.search_on(search),
            None => self.read_on(),
        };
        if let Err(error) = done {
            self.goal = None;
            self.fail(error);
        }
    }

    /// Returns whether there is work left.
    pub fn is_busy(&self) -> bool {
        self.job.is_some() || !self.source.is_read() && !self.is_stuck
    }

    /// Returns whether the viewer was left.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the text that is to go to the clipboard, once.
    pub fn take_copied(&mut self) -> Option<String> {
        self.copied.take()
    }

    pub(crate) fn quit(&mut self) {
        self.is_over = true;
    }

    /// Events in the list.
    pub(crate) fn len(&self) -> u64 {
        self.source.list.len()
    }

    /// Selects an event, and forgets the time that was to be gone to.
    pub(crate) fn moved(&mut self, change: impl FnOnce(&mut ListView, u64)) {
        self.goal = None;
        change(&mut self.view, self.source.list.len());
    }

    /// Goes to the first event at a time or after it.
    pub(crate) fn go_to(&mut self, time: FileTime) {
        self.goal = Some(time);
        if let Err(error) = self.seek() {
            self.fail(error);
        }
    }

    pub(crate) fn search(&mut self, is_forward: bool) {
        match &self.needle {
            Some(needle) => {
                let search = Search::new(needle.clone(), is_forward, self.view.selected, &self.source);
                self.goal = None;
                self.job = Some(Job::Search(search));
            }
            None => self.say("nothing was searched yet: / does it"),
        }
    }

    /// Returns whether a file is being saved.
    pub(crate) fn is_saving(&self) -> bool {
        matches!(self.job, Some(Job::Save(_)))
    }

    /// Ends a search or a save; false if there is none.
    pub(crate) fn give_up(&mut self) -> bool {
        let job = self.job.take();
        match &job {
            Some(Job::Search(_)) => self.say("the search was given up"),
            Some(Job::Save(_)) => self.say("nothing was saved"),
            None => {}
        }
        job.is_some()
    }

    /// Hands the JSON line of the selected event to the clipboard.
    pub(crate) fn copy(&mut self) {
        match self.source.detail(self.view.selected) {
            Ok(Some(detail)) if detail.event.get().len() <= MAX_COPIED => {
                self.copied = Some(detail.event.get().to_owned());
                self.say("the JSON line of the event went to the clipboard, if the terminal allows it");
            }
            Ok(Some(_)) => self.say("the event is too long for a clipboard: w saves"),
            Ok(None) => self.say("there is no event"),
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn say(&mut self, text: impl Display) {
        self.message = Some(Message { text: terminal::escaped(&text.to_string()).into_owned(), is_error: false });
    }

    pub(crate) fn fail(&mut self, text: impl Display) {
        self.message = Some(Message { text: terminal::escaped(&text.to_string()).into_owned(), is_error: true });
    }

    fn remember_time(&mut self) {
        let is_begin = self.view.selected == 0 && self.filter.is_empty();
        if let Ok(Some(row)) = self.source.row(self.view.selected) {
            self.anchor = if is_begin { None } else { row.at };
        }
    }

    fn read_on(&mut self) -> etwkit::Result<()> {
        if let Err(error) = self.source.step() {
            self.is_stuck = true;
            return Err(error);
        }
        self.seek()
    }

    /// Selects the event of the time that is to be gone to, if the list has come to it.
    fn seek(&mut self) -> etwkit::Result<()> {
        let Some(time) = self.goal else { return Ok(()) };
        let is_behind = self.source.list.facets.latest().is_none_or(|latest| latest < time);
        if is_behind && !self.source.is_read() {
            return Ok(());
        }
        let row = self.source.at(time)?;
        self.goal = None;
        self.view.center(row, self.source.list.len());
        Ok(())
    }

    fn search_on(&mut self, mut search: Search) -> etwkit::Result<()> {
        match search.step(&self.source)? {
            Found::Row(row) => {
                self.view.center(row, self.source.list.len());
                self.say(format_args!("\"{}\": n next, N previous", search.needle.text));
            }
            Found::Nothing => {
                let side = if search.is_forward { "further" } else { "earlier" };
                self.say(format_args!("no {side} event has \"{}\"", search.needle.text));
            }
            Found::Behind if self.is_stuck => self.say("the list cannot be read on"),
            Found::Behind => {
                self.read_on()?;
                self.job = Some(Job::Search(search));
            }
            Found::NotYet => self.job = Some(Job::Search(search)),
        }
        Ok(())
    }

    fn save_on(&mut self, mut save: Save) {
        match save.step(&self.source) {
            Ok(true) => self.job = Some(Job::Save(save)),
            Ok(false) => match save.finish() {
                Ok(done) => self.say(done),
                Err(error) => self.fail(error),
            },
            Err(error) => self.fail(error),
        }
    }
}
