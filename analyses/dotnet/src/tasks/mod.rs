//! Tasks of the Task Parallel Library.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `state` | the tasks of one process |
//! | `by_scheduler`, `each` | rows |

mod by_scheduler;
mod each;
mod fact;
mod state;

pub use by_scheduler::{TaskRow, TasksByScheduler};
pub use each::{TaskEachRow, TasksEach};
pub use fact::TaskFact;
