//! Files of columns, in the formats that other engines read.

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use etwkit_arrow::{ArrowError, IpcWriter};
use etwkit_columns::{Batch, Column};
use etwkit_parquet::{Options, ParquetError, ParquetWriter};

use crate::args::named_by;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileKind {
    /// Parquet, for data frames, SQL and clusters
    Parquet,
    /// Arrow IPC, also known as Feather 2, for programs that map it
    #[value(aliases = ["ipc", "feather"])]
    Arrow,
}

impl FileKind {
    /// Returns the format that the name of a file implies.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        named_by(path)
    }

    /// Returns what the names of its files end with.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }

    /// Returns what it is called in a sentence.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        }
    }
}

/// A file that is written. None until it is finished.
#[derive(Debug)]
pub(crate) enum ColumnFile<W: Write + Send> {
    Parquet(Box<ParquetWriter<W>>),
    Arrow(Box<IpcWriter<W>>),
}

impl<W: Write + Send> ColumnFile<W> {
    /// Begins a file. The metadata are texts by key.
    pub(crate) fn new(kind: FileKind, out: W, columns: &[Column], metadata: Vec<(String, String)>) -> io::Result<Self> {
        Ok(match kind {
            FileKind::Parquet => {
                let options = Options::default().metadata(metadata);
                Self::Parquet(Box::new(ParquetWriter::of_columns(out, columns, options).map_err(of_parquet)?))
            }
            FileKind::Arrow => Self::Arrow(Box::new(IpcWriter::of_columns(out, columns, metadata).map_err(of_arrow)?)),
        })
    }

    /// Takes rows.
    pub(crate) fn write(&mut self, batch: Batch) -> io::Result<()> {
        match self {
            Self::Parquet(file) => file.write(batch).map_err(of_parquet),
            Self::Arrow(file) => file.write(batch).map_err(of_arrow),
        }
    }

    /// Returns about how many bytes wait to be written.
    pub(crate) const fn waiting(&self) -> usize {
        match self {
            Self::Parquet(file) => file.waiting(),
            Self::Arrow(file) => file.waiting(),
        }
    }

    /// Writes the rows that wait.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Parquet(file) => file.flush().map_err(of_parquet),
            Self::Arrow(file) => file.flush().map_err(of_arrow),
        }
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Parquet(file) => file.finish().map(drop).map_err(of_parquet),
            Self::Arrow(file) => file.finish().map(drop).map_err(of_arrow),
        }
    }
}

/// The error of the file below, if there is one: a closed pipe is to be recognised.
fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
