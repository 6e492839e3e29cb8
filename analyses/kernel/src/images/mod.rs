//! Images of a trace.
//!
//! | file | does |
//! |---|---|
//! | `fact` | what events state about files and signatures |
//! | `known` | what is known of the files of images |
//! | `list` | rows |

mod fact;
mod known;
mod list;

pub use fact::ImageFact;
pub use list::{ImageList, ImageRow};
