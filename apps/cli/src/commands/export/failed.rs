//! Failures of the writer of Parquet files.

use std::io;

use etwkit_parquet::ParquetError;

use crate::failure::Failure;

/// A failure within a run, as the engine hands it through: that of the file, if there is one.
pub(super) fn in_run(error: ParquetError) -> etwkit::Error {
    etwkit::Error::from(io_error(error))
}

/// A failure before or after a run.
pub(super) fn outside(error: ParquetError) -> Failure {
    Failure::from(io_error(error))
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
