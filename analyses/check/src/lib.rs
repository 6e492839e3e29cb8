//! Says whether a trace is whole.
//!
//! ```no_run
//! use etwkit::trace::Trace;
//! use etwkit_check::check;
//!
//! let trace = Trace::open("trace.etl", etwkit_parsers::with_stacks(etwkit_parsers::standard()))?;
//! let report = check(&trace)?;
//! println!("{}", report.verdict());
//! for finding in &report.findings {
//!     println!("{}: {} ({})", finding.severity.name(), finding.detail, finding.meaning);
//! }
//! # Ok::<(), etwkit::Error>(())
//! ```

mod buffers;
mod checker;
mod events;
mod finding;
mod headers;
mod session;
pub mod undecoded;

use std::fmt;

use etwkit::trace::{Order, RunOptions, Trace};
use etwkit::{Result, Severity};

pub use checker::{CheckWorker, Checker};
pub use events::UnknownProcesses;
pub use finding::Finding;
pub use headers::HeaderEvents;

/// The result of a check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// What was found, the worst first, then in the order of files and bytes.
    pub findings: Vec<Finding>,
    /// Problems of the bytes beyond those that the engine lists.
    pub unlisted: u64,
    /// Events that were read.
    pub events: u64,
}

/// The result of a check in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing to report.
    Whole,
    /// Every event is there; something is worth knowing.
    Notes,
    /// The file is whole, and events are missing: the session lost them while it recorded.
    Incomplete,
    /// Bytes of the file cannot be read, or are missing.
    Damaged,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Whole => "whole",
            Self::Notes => "whole, with notes",
            Self::Incomplete => "incomplete",
            Self::Damaged => "damaged",
        })
    }
}

impl Report {
    /// Returns the verdict: that of the worst finding.
    pub fn verdict(&self) -> Verdict {
        match self.findings.iter().map(|finding| finding.severity).max() {
            None => Verdict::Whole,
            Some(Severity::Note) => Verdict::Notes,
            Some(Severity::Loss) => Verdict::Incomplete,
            Some(_) => Verdict::Damaged,
        }
    }
}

/// Checks a trace. Reads its events again, and the stacks if its parsers kept them.
///
/// # Errors
///
/// For files that can no longer be read.
pub fn check(trace: &Trace) -> Result<Report> {
    let mut checker = Checker::new(trace);
    trace.run(&RunOptions::default().order(Order::File), &mut checker)?;
    Ok(checker.finish())
}
