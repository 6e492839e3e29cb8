//! Assemblies and modules.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `state` | the application domains, assemblies and modules of one process |
//! | `by_process`, `each` | rows |

mod by_process;
mod each;
mod fact;
mod state;

pub use by_process::{LoaderByProcess, LoaderRow};
pub use each::{LoaderEach, LoaderEachRow};
pub use fact::LoaderFact;
