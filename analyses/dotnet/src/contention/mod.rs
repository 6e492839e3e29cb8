//! Waits for locks of the runtime.
//!
//! | file | does |
//! |---|---|
//! | `state` | what an event states; the waits of one process |
//! | `by_thread`, `each` | rows |

mod by_thread;
mod each;
mod state;

pub use by_thread::{ContentionByThread, ContentionRow};
pub use each::{ContentionEach, ContentionEachRow};
pub use state::ContentionFact;
