//! Exceptions that programs threw.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `by_type`, `each` | rows |

mod by_type;
mod each;
mod fact;

pub use by_type::{ExceptionRow, ExceptionsByType};
pub use each::{ExceptionEachRow, ExceptionsEach};
pub use fact::ExceptionFact;
