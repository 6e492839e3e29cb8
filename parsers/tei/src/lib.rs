//! `TRACE_EVENT_INFO`: schemas that merging puts into a trace.
//!
//! `xperf -merge`, WPR and PerfView ask TDH of the traced machine for the schema of every registered event they meet
//! and write the answers into the file, as events of the provider `EventMetadata`. They may come before or after the
//! events that they describe, or in another file of the same collection, so [`TraceEventInfo`] keeps the blobs and
//! compiles one on demand.
//!
//! | module | owns |
//! |---|---|
//! | `parser` | [`TraceEventInfo`]: which blob is for which event |
//! | `info` | `TRACE_EVENT_INFO`: names and properties |
//! | `map` | `EVENT_MAP_INFO`: names of values |
//! | `texts` | texts by offset, with a limit on what they may take |
//!
//! Sources: `tdh.h` of the Windows SDK; sections 9 and 10.1 of `docs/format`.

mod info;
mod map;
mod parser;
mod texts;

pub use parser::TraceEventInfo;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
