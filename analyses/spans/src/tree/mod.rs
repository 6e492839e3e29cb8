//! Trees of spans: which ran within which, and why.
//!
//! | file | does |
//! |---|---|
//! | `links` | finds the parent of each span while the trace is read |
//! | `children` | the children of each span in order of time; exclusive time |
//! | `exclusive` | the time of each span in which others within it ran |
//! | `rows` | rows in the order of the tree |
//! | `folded`, `chrome` | forms for viewers |

mod children;
mod chrome;
mod exclusive;
mod folded;
mod links;
mod rows;

pub use children::Tree;
pub(crate) use links::Links;
pub use rows::TreeRow;
