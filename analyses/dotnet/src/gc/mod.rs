//! Garbage collections, with the formulas of `GCStats` of PerfView.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event says |
//! | `heap`, `history` | statistics of the heap after a collection; of each generation before and after |
//! | `marks`, `names` | phases of marking; names of numbers |
//! | `state` | the suspensions and collections of one process |
//! | `each`, `by_process` | rows |

mod by_process;
mod each;
mod fact;
mod heap;
mod history;
mod marks;
mod names;
mod state;

pub use by_process::{GcByProcess, GcRow};
pub use each::{GcEach, GcEachRow};
pub use fact::GcFact;
