//! Queries of names.
//!
//! | file | does |
//! |---|---|
//! | `state` | what an event states; joins queries with their answers |
//! | `each`, `by_name` | rows |

mod by_name;
mod each;
mod state;

pub use by_name::{DnsByName, DnsRow};
pub use each::{DnsEach, DnsEachRow};
pub use state::DnsFact;
