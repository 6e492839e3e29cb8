//! TCP and UDP.
//!
//! | file | does |
//! |---|---|
//! | `ends` | the two ends of a connection, and which of them is the peer |
//! | `fact` | what an event says |
//! | `each`, `by_peer` | rows |

mod by_peer;
mod each;
mod ends;
mod fact;

pub use by_peer::{NetworkByPeer, NetworkRow};
pub use each::{NetworkEach, NetworkEachRow};
pub use fact::NetworkFact;
