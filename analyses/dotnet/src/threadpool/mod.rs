//! The thread pool.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `state` | the thread pool of one process |
//! | `queue` | work items from enqueue to dequeue |
//! | `by_process`, `each` | rows |

mod by_process;
mod each;
mod fact;
mod queue;
mod state;

pub use by_process::{ThreadPoolByProcess, ThreadPoolRow};
pub use each::{ThreadPoolEach, ThreadPoolEachRow};
pub use fact::ThreadPoolFact;
