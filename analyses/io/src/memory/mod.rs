//! Virtual memory, heaps and working sets of processes.
//!
//! | file | does |
//! |---|---|
//! | `ranges` | ranges of addresses |
//! | `followed`, `heap` | addresses and blocks of heaps from their allocation to their release |
//! | `working_sets` | what an event states about the working sets of all processes |
//! | `fact` | what an event states |
//! | `state` | the memory of one process |
//! | `by_process` | rows |

mod by_process;
mod fact;
mod followed;
mod heap;
mod ranges;
mod state;
mod working_sets;

pub use by_process::{MemoryByProcess, MemoryRow};
pub use fact::MemoryFact;
