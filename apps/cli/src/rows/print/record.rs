//! One record of CSV a row.

use std::io::{self, Write};

use crate::rows::{Cell, Column};

/// Writes a row.
pub(super) fn write<'c, W: Write>(
    cells: impl Iterator<Item = (&'c Column, &'c Cell)>,
    csv: &mut csv::Writer<W>,
) -> io::Result<()> {
    for (_, cell) in cells {
        csv.write_field(cell.plain().as_bytes()).map_err(io_error)?;
    }
    csv.write_record(None::<&[u8]>).map_err(io_error)
}

/// Returns why a record could not be written. The conversion of the csv crate loses the kind, and with it that the reader of
/// a pipe has gone.
pub(super) fn io_error(error: csv::Error) -> io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    }
}
