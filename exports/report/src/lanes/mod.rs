//! Lanes over time.

mod buffers;
mod levels;
mod marks;
mod packed_rows;
mod points;
mod processes;
mod providers;
mod rows;
mod samples;

pub(crate) use buffers::buffers;
pub(crate) use levels::levels;
pub(crate) use processes::processes;
pub(crate) use providers::{Providers, providers};
pub(crate) use rows::{GroupOfRows, RowLanes, Rows};
pub(crate) use samples::samples;

use crate::model::Lane;

/// Keeps the first lanes, and states how many more there are.
fn cut(lanes: &mut Vec<Lane>, most: usize) -> u64 {
    let more = lanes.len().saturating_sub(most);
    lanes.truncate(most);
    more as u64
}
