//! Writes Windows `.etl` traces: trims, filters, merges, compresses and repairs them.
//!
//! [`copy`] copies the events of a trace that pass a filter, with all others that are needed to read them: what
//! describes events, processes, threads, images, methods and files, and the stacks of the events. [`LogWriter`] is the
//! writer below it, for programs that choose or change events themselves.
//!
//! ```no_run
//! use etwkit::trace::{Filter, Trace};
//! use etwkit_relog::{CopyOptions, copy};
//!
//! let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
//! let trace = Trace::open("trace.etl", parsers)?;
//! let options = CopyOptions::default().filter(Filter::default().pids([4711]), "process 4711");
//! let out = std::fs::File::create("part.etl")?;
//! let (_, copied) = copy(&trace, &options, out)?;
//! println!("{} events, {} more to read them", copied.wanted, copied.context);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod before;
mod by_raw_time;
mod clocks;
mod copy;
mod error;
mod facts;
mod hashes;
mod losses;
mod needed;
mod note;
mod origins;
mod refused;
mod split;
mod stack_links;
mod survey;
mod time_givers;
mod writer;

pub use clocks::time_shifts;
pub use copy::{Copied, CopyOptions, copy, copy_with, is_name_of_copy};
pub use error::{Error, Result};
pub use note::PROVIDER;
pub use split::{Part, Parts, Split};
pub use writer::{EventBytes, LogWriter, WriteOptions, Written};
