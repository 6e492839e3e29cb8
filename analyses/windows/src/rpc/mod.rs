//! Remote procedure calls.
//!
//! | file | does |
//! |---|---|
//! | `state` | what an event states; joins calls with their ends |
//! | `each`, `by_procedure` | rows |

mod by_procedure;
mod each;
mod state;

pub use by_procedure::{RpcByProcedure, RpcRow};
pub use each::{RpcEach, RpcEachRow};
pub use state::RpcFact;
