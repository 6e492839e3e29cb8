//! What threads spent their time on, from context switches.
//!
//! | file | does |
//! |---|---|
//! | `kind` | which time is weighed |
//! | `fact` | what is read of events |
//! | `runs` | stacks of the threads that run |
//! | `causes` | disk operations, faults, contention, and what arrived from the network |
//! | `waits` | waits whose cause may still turn out |
//! | `label` | states as frames |
//! | `collector` | from facts to the call tree |

mod causes;
mod collector;
mod fact;
mod kind;
mod label;
mod runs;
mod waits;

pub use collector::{ThreadTimeCollector, thread_time};
pub use fact::ThreadFact;
pub use kind::ThreadTime;
