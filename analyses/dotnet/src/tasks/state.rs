//! The tasks of one process.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit_analysis::Excess;

use crate::origin::{Origin, milliseconds};
use crate::processes::{Bounded, MOST};

use super::fact::{TaskFact, What};

/// A task.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) number: u32,
    pub(super) scheduler: u32,
    /// Whether the filter chooses its first event.
    is_chosen: bool,
    /// The task in which it was scheduled.
    pub(super) from: Option<u32>,
    pub(super) scheduled: Option<FileTime>,
    pub(super) started: Option<FileTime>,
    /// Thread on which it ran first.
    pub(super) tid: Option<u32>,
    /// Since when it runs.
    runs_since: Option<FileTime>,
    /// Milliseconds of its executions.
    pub(super) run: Option<f64>,
    /// Whether it ended with an exception; `None` if it has not ended.
    pub(super) is_exceptional: Option<bool>,
    /// Waits for it.
    pub(super) waits: u64,
    /// Milliseconds of those of which both ends are known, and of the longest.
    pub(super) wait: Option<f64>,
    pub(super) wait_max: Option<f64>,
}

impl Task {
    fn new(number: u32, scheduler: u32, is_chosen: bool) -> Self {
        let (from, scheduled, started, tid, runs_since, run, is_exceptional, waits, wait, wait_max) = <_>::default();
        Self {
            number,
            scheduler,
            is_chosen,
            from,
            scheduled,
            started,
            tid,
            runs_since,
            run,
            is_exceptional,
            waits,
            wait,
            wait_max,
        }
    }

    /// Returns the milliseconds from when it was scheduled until it started.
    pub(super) fn delay(&self) -> Option<f64> {
        Some(milliseconds(self.scheduled?, self.started?))
    }
}

/// The tasks of one process. Numbers are not used again within it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    list: Vec<Task>,
    places: HashMap<u32, usize>,
    /// When the wait of a thread for a task began.
    waits: HashMap<(u32, u32), FileTime>,
    excess: Excess,
}

impl Bounded for Tasks {
    fn excess(&self) -> u64 {
        self.excess.count()
    }
}

impl Tasks {
    /// Returns the tasks that count.
    pub(super) fn counted(&self) -> impl Iterator<Item = &Task> {
        self.list.iter().filter(|task| task.is_chosen)
    }

    pub(super) fn take(&mut self, fact: TaskFact, is_chosen: bool) {
        let TaskFact { origin, task, scheduler, on, what } = fact;
        let Origin { tid, time, .. } = origin;
        let wait = match what {
            What::WaitBegin if self.excess.admits(self.waits.len(), MOST) => {
                self.waits.insert((tid, task), time);
                None
            }
            What::WaitEnd => self.waits.remove(&(tid, task)).map(|start| milliseconds(start, time)),
            _ => None,
        };
        let Some(task) = self.task((task, scheduler), is_chosen) else { return };
        match what {
            What::Scheduled => (task.scheduled, task.scheduler, task.from) = (Some(time), scheduler, Some(on)),
            What::Started => {
                task.started = task.started.or(Some(time));
                task.tid = task.tid.or(Some(tid));
                task.runs_since = Some(time);
            }
            What::Completed { is_exceptional } => {
                let run = task.runs_since.take().map(|start| milliseconds(start, time));
                task.run = run.map(|run| run + task.run.unwrap_or(0.0)).or(task.run);
                task.is_exceptional = Some(is_exceptional || task.is_exceptional == Some(true));
            }
            What::WaitBegin => task.waits += 1,
            What::WaitEnd => {
                task.wait = put_together(task.wait, wait, |sum, ms| sum + ms);
                task.wait_max = put_together(task.wait_max, wait, f64::max);
            }
        }
    }

    /// Returns a task; `None` if there are more than are kept.
    fn task(&mut self, (number, scheduler): (u32, u32), is_chosen: bool) -> Option<&mut Task> {
        let next = self.list.len();
        let place = *self.places.entry(number).or_insert(next);
        if place == next {
            if !self.excess.admits(next, MOST) {
                self.places.remove(&number);
                return None;
            }
            self.list.push(Task::new(number, scheduler, is_chosen));
        }
        self.list.get_mut(place)
    }
}

/// Puts together what is known of two numbers.
pub(super) fn put_together(a: Option<f64>, b: Option<f64>, fold: fn(f64, f64) -> f64) -> Option<f64> {
    a.into_iter().chain(b).reduce(fold)
}
