//! Garbage collections, with the formulas of `GCStats` of PerfView.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `heap`, `history` | statistics of the heap after a collection; of each generation before and after |
//! | `marks`, `names` | phases of marking; names of numbers |
//! | `cpu` | CPU time of the threads that collect, by samples |
//! | `collection`, `collections` | a collection; those that are over, in few bytes |
//! | `window` | the collections of one process of which events may come |
//! | `state`, `processes` | the suspensions and collections of one process; those of all |
//! | `sums` | what the collections of a process add up to |
//! | `each`, `by_process` | rows |

mod by_process;
mod collection;
mod collections;
mod cpu;
mod each;
mod fact;
mod heap;
mod history;
mod marks;
mod names;
mod processes;
mod state;
mod sums;
mod window;

pub use by_process::{GcByProcess, GcRow};
pub use each::{GcEach, GcEachRow};
pub use fact::GcFact;
