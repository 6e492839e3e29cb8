//! Deferred procedure calls and interrupts.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `nesting` | time without what interrupted it |
//! | `by_routine` | rows |

mod by_routine;
mod fact;
mod nesting;

pub use by_routine::{DpcIsrByRoutine, DpcIsrRow};
pub use fact::DpcIsrFact;
