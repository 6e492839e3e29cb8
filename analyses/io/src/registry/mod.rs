//! Operations on the registry.
//!
//! | file | does |
//! |---|---|
//! | `key_names` | paths of keys by the addresses of their control blocks |
//! | `fact` | what an event states |
//! | `each`, `by_key` | rows |

mod by_key;
mod each;
mod fact;
mod key_names;

pub use by_key::{RegistryByKey, RegistryRow};
pub use each::{RegistryEach, RegistryEachRow};
pub use fact::RegistryFact;
