//! Events as text: JSON lines, readable lines, tables, what Windows' tracerpt writes, messages.
//!
//! [`value`] turns one value into text by its field's presentation; everything else is built on it. Output goes into
//! byte vectors that are used again, so that nothing is allocated per event.

mod escape;
mod json;
mod jsonl;
mod lines;
mod message;
mod printf;
mod style;
mod table;
mod text;
pub mod time;
mod tracerpt;
pub mod value;
mod zone;

pub use json::write_json_value;
pub use jsonl::JsonLines;
pub use message::{push_message, write_message};
pub use style::Style;
pub use table::{Column, Form, Rows, RowsWorker, SplitRows, SplitWorker, TableInfo, Tables};
pub use text::TextLines;
pub use tracerpt::{Alias, Aliases, Look, TracerptCsv, TracerptCsvWorker, XmlEvents, XmlWorker};
pub use zone::Zone;
