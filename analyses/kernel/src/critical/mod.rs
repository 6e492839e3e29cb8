//! The critical path of a window: what a thread waited for, and what those waited for that ended its waits.
//!
//! | file | does |
//! |---|---|
//! | `path` | from slices to the path |
//! | `analysis` | rows |

mod analysis;
mod path;

pub use analysis::{CriticalPath, CriticalRow};
pub use path::ThreadSlices;
