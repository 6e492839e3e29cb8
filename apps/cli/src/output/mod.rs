//! Where events go.

mod destination;
mod table_folder;

pub(crate) use destination::{Output, Writer};
pub(crate) use table_folder::TableFolder;
