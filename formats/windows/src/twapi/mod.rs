//! Events as lines of TWAPI's `etw_dump_to_file` (`docs/twapi.md`).
//!
//! | module | owns |
//! |---|---|
//! | `field` | names of the 23 fields |
//! | `lines` | the format |
//! | `labels` | names of fields and of their values |
//! | `properties` | the payload as a Tcl dictionary |
//! | `prepared` | the same, from the payload into the output |
//! | `list` | Tcl's list quoting |
//! | `header` | the header of a trace as Tcl dictionaries |

mod field;
mod header;
mod labels;
mod lines;
mod list;
mod prepared;
mod properties;

pub use field::TwapiField;
pub use header::{twapi_logfile, twapi_session};
pub use lines::{Twapi, TwapiLines, TwapiState};
