//! Each task.

use etwkit_analysis::Time;

use crate::declare::analysis;
use crate::processes::Processes;

use super::fact::{INTEREST, TaskFact};
use super::state::Tasks;

etwkit_analysis::row! {
    /// A task.
    pub struct TaskEachRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Number of the task.
        task: u32 as Id,
        /// Number of the scheduler that originated it.
        scheduler: u32 as Id,
        /// Number of the task in which it was scheduled; 0 if in none.
        from: Option<u32> as Id,
        /// When it was scheduled, UTC.
        scheduled: Option<Time> as Time,
        /// When it started, UTC.
        started: Option<Time> as Time,
        /// Milliseconds between them.
        delay_ms: Option<f64> as Milliseconds,
        /// Milliseconds for which it ran.
        run_ms: Option<f64> as Milliseconds,
        /// Thread on which it started.
        tid: Option<u32> as Id,
        /// Milliseconds for which threads waited for it; absent if no wait is in the trace as a whole.
        wait_ms: Option<f64> as Milliseconds,
        /// Whether it ended with an exception; absent if its end is not in the trace.
        exceptional: Option<bool> as Text,
    }
}

analysis! {
    /// Lists the tasks, by process in the order in which they are mentioned first.
    pub struct TasksEach: TaskFact => Tasks => TaskEachRow;
    interest INTEREST;
    joins true;
    rows rows;
}

fn rows(processes: Processes<Tasks>) -> Vec<TaskEachRow> {
    let mut rows = Vec::new();
    for (owner, tasks) in processes.into_iter() {
        rows.extend(tasks.counted().map(|task| TaskEachRow {
            pid: owner.pid,
            process: owner.name.clone(),
            task: task.number,
            scheduler: task.scheduler,
            // 0 is not a task.
            from: task.from.filter(|task| *task != 0),
            scheduled: task.scheduled.map(Time),
            started: task.started.map(Time),
            delay_ms: task.delay(),
            run_ms: task.run,
            tid: task.tid,
            wait_ms: task.wait,
            exceptional: task.is_exceptional,
        }));
    }
    rows
}
