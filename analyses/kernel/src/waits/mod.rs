//! What threads waited for.
//!
//! | file | does |
//! |---|---|
//! | `totals` | times of a thread |
//! | `by_thread`, `each` | rows |

mod by_thread;
mod each;
mod totals;

pub use by_thread::{WaitRow, WaitsByThread};
pub use each::{LongestWaits, MOST_WAITS, WaitEachRow, WaitsEach};
pub use totals::ThreadTotals;
