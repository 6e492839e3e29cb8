//! Events in the forms of Windows' own tools, for scripts and style sheets that read their reports.
//!
//! | form | format | tool |
//! |---|---|---|
//! | XML | [`TracerptXml`] | `tracerpt -of XML` |
//! | CSV | [`TracerptCsv`] | `tracerpt -of CSV` |
//! | lines of WPP messages | [`Tracefmt`] | `tracefmt` |
//! | lines with Tcl dictionaries | [`Twapi`] | `etw_dump_to_file` of the Tcl extension TWAPI |
//!
//! Each is a [`LineFormat`](etwkit::output::LineFormat), and a [`LineSink`](etwkit::output::LineSink) writes it.
//! [`ReportRows`] hands out the data of tracerpt's report as cells.
//!
//! Windows calls the kernel's events and fields otherwise than the tables of this project; [`Aliases::kernel`] has
//! these names, and all formats use them.
//!
//! ```
//! use etwkit::trace::{RunOptions, Trace};
//! use etwkit_windows_formats::XmlEvents;
//!
//! # fn main() -> etwkit::Result<()> {
//! # let hello = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/hello.etl");
//! # let input = etwkit::input::Input::open(hello)?;
//! # let parsers = etwkit::parser::Parsers::none();
//! let trace = Trace::open(input, parsers)?;
//! let mut sink = XmlEvents::new(&trace, Vec::new());
//! trace.run(&RunOptions::default(), &mut sink)?;
//! let xml = sink.finish()?;
//! # assert!(xml.ends_with(b"</Events>\n"));
//! # Ok(())
//! # }
//! ```

mod decimal;
mod header;
mod names;
mod ops;
mod tracefmt;
mod tracerpt;
mod twapi;

pub use names::{Alias, Aliases, FieldAppearance};
pub use tracefmt::{Tracefmt, TracefmtLines, TracefmtState};
pub use tracerpt::{
    ReportBatch, ReportRow, ReportRows, ReportRowsWorker, TracerptCsv, TracerptCsvLines, TracerptCsvState, TracerptXml,
    XmlEvents, XmlState,
};
pub use twapi::{Twapi, TwapiField, TwapiLines, TwapiState, twapi_logfile, twapi_session};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
