//! Tables of a profile.

mod callers;
mod functions;

pub use callers::{Neighbor, callees, callers};
pub use functions::{Function, functions, modules, processes, threads};
