//! The collections of one process of which events may come.

use std::collections::VecDeque;

use etwkit::FileTime;

use super::collection::Collection;
use super::names::BACKGROUND;

/// A collection of which events may come.
#[derive(Clone, Debug)]
pub(super) struct Recent {
    pub(super) gc: Collection,
    /// Whether the filter chooses the event of its start.
    pub(super) is_chosen: bool,
    /// Thread that suspended the program for it, which collects unless it is a background one.
    pub(super) tid: u32,
    /// When its pause began.
    pub(super) pause_start: FileTime,
    /// Whether the suspension in which it began is over.
    pub(super) is_restarted: bool,
}

impl Recent {
    /// Returns whether all its events were there: only these count.
    pub(super) const fn is_complete(&self) -> bool {
        self.is_restarted && self.gc.stats.is_some()
    }

    /// Returns whether it runs beside the program, and so beside any number of others.
    fn runs_on(&self) -> bool {
        self.gc.kind == BACKGROUND && self.gc.stats.is_none()
    }
}

/// The last collections of a process, and the background one that runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    recent: VecDeque<Recent>,
    /// A background collection that runs and is no longer among the recent ones.
    background: Option<Recent>,
    /// How many are no longer among the recent ones.
    retired: usize,
}

/// Collections that are looked at for an event: few are open at once.
const NEAR: usize = 8;

impl Window {
    /// Returns how many collections began.
    pub(super) fn begun(&self) -> usize {
        self.retired + self.recent.len()
    }

    pub(super) fn push(&mut self, collection: Recent) {
        self.recent.push_back(collection);
    }

    /// Returns the collections that began after so many others; none of them is retired.
    pub(super) fn since(&mut self, first: usize) -> impl Iterator<Item = &mut Recent> {
        self.recent.iter_mut().skip(first.saturating_sub(self.retired))
    }

    /// Returns the collections that an event may be of, the newest first.
    pub(super) fn near(&mut self) -> impl Iterator<Item = &mut Recent> {
        self.recent.iter_mut().rev().take(NEAR).chain(&mut self.background)
    }

    /// Returns the collection that runs. A foreground one is newer than the background one that it interrupts.
    pub(super) fn running(&mut self) -> Option<&mut Recent> {
        self.near().find(|recent| recent.gc.stop.is_none())
    }

    /// Takes out a collection of which no event can come, if there is one: those of a suspension, which began after
    /// `first` others, and the last ones stay, and a background one as long as it runs.
    pub(super) fn retire(&mut self, first: usize) -> Option<Recent> {
        let in_suspension = self.begun().saturating_sub(first);
        self.beyond(in_suspension.max(NEAR))
    }

    /// Takes out a collection, after the last event; `None` if all are out.
    pub(super) fn end(&mut self) -> Option<Recent> {
        self.beyond(0).or_else(|| self.background.take())
    }

    /// Takes out the oldest of the recent collections if there are more than so many. One that runs on waits, and the one
    /// that waited before goes.
    fn beyond(&mut self, most: usize) -> Option<Recent> {
        while self.recent.len() > most {
            let oldest = self.recent.pop_front()?;
            self.retired += 1;
            if !oldest.runs_on() {
                return Some(oldest);
            }
            if let Some(waiting) = self.background.replace(oldest) {
                return Some(waiting);
            }
        }
        None
    }
}
