//! Work of graphics processors, by events of the graphics kernel.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what an event states |
//! | `engines` | whose contexts are whose, and on which engine they run |
//! | `state` | packets, from the queue over the engine to their end |
//! | `by_engine`, `each` | rows |
//! | `vsync` | vertical synchronizations |

mod by_engine;
mod each;
mod engines;
mod fact;
mod state;
mod vsync;

pub use by_engine::{GpuByEngine, GpuRow};
pub use each::{GpuEach, GpuEachRow};
pub use fact::GpuFact;
pub use vsync::{VSyncByAdapter, VSyncFact, VSyncRow};
