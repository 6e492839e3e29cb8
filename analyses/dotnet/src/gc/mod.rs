//! Garbage collections, with the formulas of `GCStats` of PerfView.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event says |
//! | `heap`, `history` | statistics of the heap after a collection; of each generation before and after |
//! | `marks`, `names` | phases of marking; names of numbers |
//! | `cpu` | CPU time of the threads that collect, by samples |
//! | `state`, `processes` | the suspensions and collections of one process; those of all |
//! | `each`, `by_process` | rows |

mod by_process;
mod cpu;
mod each;
mod fact;
mod heap;
mod history;
mod marks;
mod names;
mod processes;
mod state;

pub use by_process::{GcByProcess, GcRow};
pub use each::{GcEach, GcEachRow};
pub use fact::GcFact;
