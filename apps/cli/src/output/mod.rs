//! Where events go.

mod destination;
mod inputs;
mod new_file;
mod table_folder;
mod unique_names;

pub(crate) use destination::{Output, Writer, new_file, new_private_file};
pub(crate) use inputs::note_read;
pub(crate) use new_file::{NewFile, discard_waiting, keep_waiting};
pub(crate) use table_folder::TableFolder;
pub(crate) use unique_names::{UniqueNames, safe_name};
