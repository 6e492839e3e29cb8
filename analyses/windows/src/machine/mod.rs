//! The machine: what the kernel lists at the end of a session, and what Windows measured.
//!
//! | file | does |
//! |---|---|
//! | `winsat` | properties in the results of the Windows System Assessment Tool |
//! | `properties` | rows |

mod properties;
mod winsat;

pub use properties::{Machine, MachineFact, MachineRow};
