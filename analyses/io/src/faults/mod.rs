//! Page faults.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `each`, `by_file` | rows |

mod by_file;
mod each;
mod fact;

pub use by_file::{FaultRow, FaultsByFile};
pub use each::{FaultEachRow, FaultsEach};
pub use fact::FaultFact;
