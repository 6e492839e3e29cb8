//! Garbage collections, with the formulas of `GCStats` of PerfView.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event says |
//! | `heap`, `marks`, `names` | statistics of the heap; phases of marking; names of numbers |
//! | `state` | the suspensions and collections of one process |
//! | `each`, `by_process` | rows |

mod by_process;
mod each;
mod fact;
mod heap;
mod marks;
mod names;
mod state;

pub use by_process::{GcByProcess, GcRow};
pub use each::{GcEach, GcEachRow};
pub use fact::GcFact;
