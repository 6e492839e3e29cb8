//! Boots of machines.
//!
//! | file | does |
//! |---|---|
//! | `pairs` | the providers of a boot, and which of their events begin and end what |
//! | `label` | names of drivers, devices and services |
//! | `fact` | what an event states |
//! | `stated` | what events state about a whole boot, with times of their own |
//! | `state` | joins begins with ends; knows which machines boot in the trace |
//! | `starts` | phases by the starts of processes |
//! | `by_phase`, `each` | rows |

mod by_phase;
mod each;
mod fact;
mod label;
mod pairs;
mod starts;
mod state;
mod stated;

pub use by_phase::{BootPhases, BootRow};
pub use each::{BootEach, BootEachRow};
pub use fact::BootFact;
