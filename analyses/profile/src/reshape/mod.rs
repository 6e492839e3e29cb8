//! Profiles made of others: frames grouped and folded, samples chosen.

mod fold;
mod group;
mod rebuild;
mod select;

pub use fold::{fold, fold_to};
pub use group::{Grouping, group};
pub use select::{Selection, select};
