//! TCP and UDP.
//!
//! | file | does |
//! |---|---|
//! | `ends` | the two ends of a connection, and which of them is the peer |
//! | `fact` | what an event states |
//! | `each`, `over_time`, `by_peer` | rows |

mod by_peer;
mod each;
mod ends;
mod fact;
mod over_time;

pub use by_peer::{NetworkByPeer, NetworkRow};
pub use each::{NetworkEach, NetworkEachRow};
pub use fact::NetworkFact;
pub use over_time::{NetworkOverTime, NetworkOverTimeRow};
