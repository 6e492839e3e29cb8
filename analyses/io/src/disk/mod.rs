//! Transfers of disks.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `state` | whose transfers they are, and how long disks served them |
//! | `each`, `over_time`, `by_file` | rows |

mod by_file;
mod each;
mod fact;
mod over_time;
mod state;

pub use by_file::{DiskByFile, DiskRow};
pub use each::{DiskEach, DiskEachRow};
pub use fact::DiskFact;
pub use over_time::{DiskOverTime, DiskOverTimeRow};
