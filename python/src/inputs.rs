//! What is opened: files, also packed ones, and bytes; and the descriptions of events that come along.

use std::path::PathBuf;

use etwkit::Result;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit_archive::Inputs;
use etwkit_parsers::Additions;
use pyo3::prelude::*;

/// A file, or a name and bytes.
#[derive(Debug, FromPyObject)]
pub(crate) enum Source {
    Bytes((String, Vec<u8>)),
    Path(PathBuf),
}

/// Opens all; returns also what is missing of packed files. Several traces of an archive are several files.
pub(crate) fn open(sources: Vec<Source>) -> Result<(Vec<Input>, Vec<String>)> {
    let mut inputs = Inputs::default();
    for source in sources {
        match source {
            Source::Bytes((name, bytes)) => inputs.add(Input::bytes(name, bytes)),
            Source::Path(path) => inputs.add_path(&path)?,
        }
    }
    Ok(inputs.into_parts())
}

/// Returns all parsers, with those of files that the caller has; and what could not be read of folders.
pub(crate) fn parsers(schemas: &[PathBuf], symbols: &[PathBuf], with_stacks: bool) -> Result<(Parsers, Vec<String>)> {
    let (additions, notes) = Additions::load(schemas, symbols)?;
    let parsers = etwkit_parsers::with(additions);
    Ok((if with_stacks { etwkit_parsers::with_stacks(parsers) } else { parsers }, notes))
}
