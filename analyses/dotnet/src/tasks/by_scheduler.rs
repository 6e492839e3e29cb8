//! Tasks by scheduler.

use std::collections::BTreeMap;

use etwkit_analysis::{Measures, greatest_first};

use crate::declare::analysis;
use crate::processes::{Owner, Processes};

use super::fact::{INTEREST, TaskFact};
use super::state::{Task, Tasks, put_together};

etwkit_analysis::row! {
    /// Tasks of a process and a scheduler.
    pub struct TaskRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Number of the scheduler that originated them; 1 is the thread pool's.
        scheduler: u32 as Id,
        /// Tasks that any event mentions.
        tasks: u64 as Count,
        /// Those that were scheduled in the trace.
        scheduled: u64 as Count,
        /// Those that started in it.
        started: u64 as Count,
        /// Those of which an execution is in it as a whole.
        completed: u64 as Count,
        /// Those that ended with an exception.
        exceptional: u64 as Count,
        /// Milliseconds from when they were scheduled until they started.
        delay_ms_sum: Option<f64> as Milliseconds,
        /// The longest of these delays.
        delay_ms_max: Option<f64> as Milliseconds,
        /// Milliseconds of all executions.
        run_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds of the task that ran longest.
        run_ms_max: Option<f64> as Milliseconds,
        /// Waits for the tasks.
        waits: u64 as Count,
        /// Milliseconds of these waits, of which both ends are in the trace on one thread.
        wait_ms_sum: Option<f64> as Milliseconds,
        /// The longest of these waits.
        wait_ms_max: Option<f64> as Milliseconds,
    }
}

analysis! {
    /// Adds up the tasks of each process and scheduler.
    pub struct TasksByScheduler: TaskFact => Tasks => TaskRow;
    interest INTEREST;
    joins true;
    rows rows;
}

/// What is added up of a scheduler.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    tasks: u64,
    scheduled: u64,
    started: u64,
    exceptional: u64,
    delays: Measures,
    runs: Measures,
    waits: u64,
    wait: Option<f64>,
    wait_max: Option<f64>,
}

fn rows(processes: Processes<Tasks>) -> Vec<TaskRow> {
    let mut rows = Vec::new();
    for (owner, tasks) in processes.into_iter() {
        let mut schedulers: BTreeMap<u32, Sum> = BTreeMap::new();
        for task in tasks.counted() {
            schedulers.entry(task.scheduler).or_default().add(task);
        }
        rows.extend(schedulers.into_iter().map(|(scheduler, sum)| row(&owner, scheduler, sum)));
    }
    rows.sort_by(|a, b| greatest_first(a.run_ms_sum, b.run_ms_sum));
    rows
}

impl Sum {
    fn add(&mut self, task: &Task) {
        self.tasks += 1;
        self.scheduled += u64::from(task.scheduled.is_some());
        self.started += u64::from(task.started.is_some());
        self.exceptional += u64::from(task.is_exceptional == Some(true));
        self.delays.add(task.delay());
        self.runs.add(task.run);
        self.waits += task.waits;
        self.wait = put_together(self.wait, task.wait, |sum, ms| sum + ms);
        self.wait_max = put_together(self.wait_max, task.wait_max, f64::max);
    }
}

fn row(owner: &Owner, scheduler: u32, sum: Sum) -> TaskRow {
    TaskRow {
        pid: owner.pid,
        process: owner.name.clone(),
        scheduler,
        tasks: sum.tasks,
        scheduled: sum.scheduled,
        started: sum.started,
        completed: sum.runs.measured(),
        exceptional: sum.exceptional,
        delay_ms_sum: sum.delays.sum(),
        delay_ms_max: sum.delays.max(),
        run_ms_sum: sum.runs.sum(),
        run_ms_max: sum.runs.max(),
        waits: sum.waits,
        wait_ms_sum: if sum.waits == 0 { Some(0.0) } else { sum.wait },
        wait_ms_max: sum.wait_max,
    }
}
