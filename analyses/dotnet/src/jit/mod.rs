//! Compilation of methods, with the formulas of `JITStats` of PerfView.
//!
//! | file | does |
//! |---|---|
//! | `state` | what an event says; the compilations of one process |
//! | `each`, `by_process` | rows |

mod by_process;
mod each;
mod state;

pub use by_process::{JitByProcess, JitRow};
pub use each::{JitEach, JitEachRow};
pub use state::JitFact;
