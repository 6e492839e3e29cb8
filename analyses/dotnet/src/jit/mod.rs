//! Compilation of methods, with the formulas of `JITStats` of PerfView.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `kind` | what compilations are for, and tiers |
//! | `state` | the compilations of one process |
//! | `each`, `by_process` | rows |

mod by_process;
mod each;
mod fact;
mod kind;
mod state;

pub use by_process::{JitByProcess, JitRow};
pub use each::{JitEach, JitEachRow};
pub use fact::JitFact;
