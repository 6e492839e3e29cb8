//! Transfers of disks.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event says |
//! | `state` | whose transfers they are, and how long disks served them |
//! | `each`, `by_file` | rows |

mod by_file;
mod each;
mod fact;
mod state;

pub use by_file::{DiskByFile, DiskRow};
pub use each::{DiskEach, DiskEachRow};
pub use fact::DiskFact;
