//! A trace as one self-contained HTML page.
//!
//! ```no_run
//! use etwkit::trace::Trace;
//! use etwkit_report::{ReportOptions, html, page};
//!
//! let trace = Trace::open("trace.etl", etwkit_parsers::with_stacks(etwkit_parsers::standard()))?;
//! let page = page(&trace, &ReportOptions::default())?;
//! html(&page, &mut std::fs::File::create("report.html")?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`page`] reads the trace and makes the model of the page ([`model`]); [`html`] writes the page around it. Neither needs
//! a file system.

mod collect;
mod html;
mod lanes;
pub mod model;
mod options;
mod page;
mod pass;
mod tables;
mod tiles;

pub use html::html;
pub use options::{ReportOptions, Section};
pub use pass::{Pass, PassBatch, PassWorker, page};
