//! From the names that were typed to the bytes of traces.
//!
//! | file | does |
//! |---|---|
//! | `args` | the arguments |
//! | `locations` | paths, globs and folders become a list of places to read from |
//! | `file_sets` | the files of a new-file set, and the order of numbered names |
//! | `neighbours` | other traces in a folder |
//! | `open` | a file becomes one trace, or the members of an archive |
//! | `archive` | which members of an archive are traces |
//! | `refusal` | why packed data is not read, in words for people |
//! | `opened` | a trace that was opened |

mod archive;
mod args;
mod file_sets;
mod identity;
mod location;
mod locations;
mod neighbours;
mod open;
mod opened;
mod refusal;

pub(crate) use args::{InputArgs, ReadingArgs};
pub(crate) use neighbours::collection;
pub(crate) use opened::Opened;
