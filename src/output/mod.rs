//! The outputs of the engine: JSON lines ([`JsonLines`]), text ([`TextLines`]), tables ([`TableRows`],
//! [`SplitRows`]) and counts ([`Tally`]).
//!
//! A format of lines is a [`LineFormat`], and [`LineSink`] writes it. Formats of other programs are crates of their
//! own, such as `etwkit-windows-formats`; what they share is here: values that are made once for each type of event
//! ([`PerType`]) or process ([`PerProcess`]).

mod beginnings;
mod compiled;
mod file_labels;
mod header_parts;
mod images;
pub(crate) mod json;
mod line_format;
mod line_sink;
mod names;
mod per_type;
mod processes;
mod spare_buffers;
mod table;
mod tally;
mod text;

pub use header_parts::WriterFacts;
pub use json::{FieldsJson, JsonFormat, JsonLines, JsonState};
pub use line_format::LineFormat;
pub use line_sink::{LineSink, LineWorker};
pub use names::names_of_type;
pub use per_type::PerType;
pub use processes::PerProcess;
pub use table::{
    Column, RowFormat, SplitRows, SplitWorker, TableFormat, TableInfo, TableRows, TableState, TableWriter,
};
pub use tally::{Group, Groups, Tally, TallyWorker};
pub use text::{Summarize, TextFormat, TextLines, TextState};
