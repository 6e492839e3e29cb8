//! Where events go.

mod appended_file;
mod csv_safe;
mod destination;
mod inputs;
mod new_file;
mod partition;
mod plain_lines;
mod table_folder;
mod unfinished;
mod unique_names;
mod whole_lines;

pub(crate) use appended_file::AppendedFile;
pub(crate) use csv_safe::{CsvOut, csv_error, csv_to, is_csv_safe_unused, want_csv_safe};
pub(crate) use destination::{
    Output, Writer, new_file, new_file_below, new_private_text, new_text, refuse_stdout, stdout,
};
pub(crate) use inputs::{is_schemas, is_symbols, note_read, note_read_in};
pub(crate) use new_file::{NewFile, discard_waiting, keep_waiting};
pub(crate) use partition::partition;
pub(crate) use plain_lines::PlainLines;
pub(crate) use table_folder::TableFolder;
pub(crate) use unfinished::remove_all;
pub(crate) use unique_names::{UniqueNames, safe_name};
pub(crate) use whole_lines::stop;
