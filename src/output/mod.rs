//! What the engine itself writes: JSON lines ([`JsonLines`]), text ([`TextLines`]), tables ([`TableRows`], [`SplitRows`]),
//! counts ([`Tally`]), what Windows' tracerpt writes ([`XmlEvents`], [`TracerptCsv`]) and TWAPI's lines
//! ([`TwapiLines`]).

mod csv;
mod headed;
mod jsonl;
mod lines;
mod prepared;
mod table;
mod tally;
mod text;
mod tracerpt;
mod twapi;

pub use jsonl::JsonLines;
pub use table::{Column, RowFormat, SplitRows, SplitWorker, TableInfo, TableRows, TableRowsWorker, TableWriter};
pub use tally::{Group, Groups, Tally};
pub use text::TextLines;
pub use tracerpt::{
    Alias, Aliases, FieldAppearance, PickWorker, PickedCells, TracerptCsv, TracerptCsvWorker, XmlEvents, XmlWorker,
};
pub use twapi::{TwapiField, TwapiLines, TwapiWorker, twapi_logfile, twapi_session};
