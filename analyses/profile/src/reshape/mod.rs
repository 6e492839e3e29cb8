//! Profiles made of others: frames grouped and folded, samples chosen.

mod fold;
mod group;
mod rebuild;
mod select;

pub use fold::fold;
pub use group::{Grouping, group};
pub use select::{Selection, select};
