//! Replaces personal data in Windows `.etl` traces by pseudonyms of the same length.
//!
//! [`Redaction::collect`] reads a trace and collects its secrets, [`Redaction::write`] writes the trace with pseudonyms
//! in their place, and [`Redaction::check`] reads what was written and fails if a secret is left. No bytes move, so every
//! event decodes as before; only buffers that were compressed are written plain.
//!
//! ```no_run
//! use etwkit::Trace;
//! use etwkit_redact::{Options, Redaction};
//!
//! let parsers = etwkit_parsers::standard();
//! let trace = Trace::open("trace.etl", parsers.clone())?;
//! let mut redaction = Redaction::collect(&trace, &Options::default())?;
//! let mut out = std::io::BufWriter::new(std::fs::File::create("redacted.etl")?);
//! redaction.write(&trace, &mut out)?;
//! drop(out);
//! redaction.check(&trace, &Trace::open("redacted.etl", parsers)?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | does |
//! |---|---|
//! | `find` | finds what identifies itself in an event: by its form, by the type or name of its field |
//! | `collect` | decides which of it is looked for everywhere |
//! | `words` | looks for known words in any bytes |
//! | `naming` | gives each secret its pseudonym, and keeps both |
//! | `rewrite`, `packed` | change an event |
//! | `file` | goes over the buffers of a file, and writes them |
//! | `check` | the last scan |

mod address;
mod arguments;
mod beside;
mod buffers;
mod cases;
mod check;
mod checksum;
mod coding;
mod collect;
mod error;
mod file;
mod find;
mod key;
mod kind;
mod limits;
mod naming;
mod packed;
mod packet;
mod pseudonym;
mod redaction;
mod region;
mod report;
mod rewrite;
mod sid;
mod well_known;
mod words;

pub use error::{Error, Result};
pub use key::Key;
pub use kind::Kind;
pub use naming::Secret;
pub use redaction::{Options, Redaction};
pub use report::{Change, Report};
pub use words::is_searchable;
