//! Operations on files.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `state` | joins operations with their ends, and names their files |
//! | `each`, `by_file` | rows |

mod by_file;
mod each;
mod fact;
mod state;

pub use by_file::{FileByFile, FileRow};
pub use each::{FileEach, FileEachRow};
pub use fact::FileFact;
