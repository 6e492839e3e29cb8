//! Requests of ASP.NET.
//!
//! | file | does |
//! |---|---|
//! | `state` | what an event states; the requests of one process |
//! | `by_process`, `each` | rows |

mod by_process;
mod each;
mod state;

pub use by_process::{AspNetByProcess, AspNetRow};
pub use each::{AspNetEach, AspNetEachRow};
pub use state::AspNetFact;
