//! Tasks by scheduler.

use std::collections::BTreeMap;

use crate::declare::analysis;
use crate::processes::{Owner, Processes};

use super::fact::{INTEREST, TaskFact};
use super::state::{Task, Tasks};

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
        delay_ms_sum: f64 as Milliseconds,
        /// The longest of these delays.
        delay_ms_max: f64 as Milliseconds,
        /// Milliseconds of all executions.
        run_ms_sum: f64 as Milliseconds,
        /// Milliseconds of the task that ran longest.
        run_ms_max: f64 as Milliseconds,
        /// Waits for the tasks.
        waits: u64 as Count,
        /// Milliseconds of these waits, of which both ends are in the trace on one thread.
        wait_ms_sum: f64 as Milliseconds,
        /// The longest of these waits.
        wait_ms_max: f64 as Milliseconds,
    }
}

analysis! {
    /// Adds up the tasks of each process and scheduler.
    pub struct TasksByScheduler: TaskFact => Tasks => TaskRow;
    interest INTEREST;
    joins true;
    rows rows;
}

fn rows(processes: Processes<Tasks>) -> Vec<TaskRow> {
    let mut rows = Vec::new();
    for (owner, tasks) in processes.into_iter() {
        let mut schedulers: BTreeMap<u32, TaskRow> = BTreeMap::new();
        for task in tasks.counted() {
            add(schedulers.entry(task.scheduler).or_insert_with(|| empty(&owner, task.scheduler)), task);
        }
        rows.extend(schedulers.into_values());
    }
    rows.sort_by(|a, b| b.run_ms_sum.total_cmp(&a.run_ms_sum));
    rows
}

fn add(row: &mut TaskRow, task: &Task) {
    let (delay, run) = (task.delay().unwrap_or(0.0), task.run.unwrap_or(0.0));
    row.tasks += 1;
    row.scheduled += u64::from(task.scheduled.is_some());
    row.started += u64::from(task.started.is_some());
    row.completed += u64::from(task.run.is_some());
    row.exceptional += u64::from(task.is_exceptional);
    row.delay_ms_sum += delay;
    row.delay_ms_max = row.delay_ms_max.max(delay);
    row.run_ms_sum += run;
    row.run_ms_max = row.run_ms_max.max(run);
    row.waits += task.waits;
    row.wait_ms_sum += task.wait;
    row.wait_ms_max = row.wait_ms_max.max(task.wait_max);
}

fn empty(owner: &Owner, scheduler: u32) -> TaskRow {
    TaskRow {
        pid: owner.pid,
        process: owner.name.clone(),
        scheduler,
        tasks: 0,
        scheduled: 0,
        started: 0,
        completed: 0,
        exceptional: 0,
        delay_ms_sum: 0.0,
        delay_ms_max: 0.0,
        run_ms_sum: 0.0,
        run_ms_max: 0.0,
        waits: 0,
        wait_ms_sum: 0.0,
        wait_ms_max: 0.0,
    }
}
