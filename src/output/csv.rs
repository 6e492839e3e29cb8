//! CSV in memory.

use std::io;

use crate::error::Result;

/// Writes CSV to memory. Rows of one table have as many cells as its header: it need not count them.
pub(super) fn csv_writer() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().flexible(true).buffer_capacity(1 << 10).from_writer(Vec::new())
}

/// What was written.
pub(super) fn finished(writer: csv::Writer<Vec<u8>>) -> Result<Vec<u8>> {
    Ok(writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?)
}

/// A line of CSV.
pub(super) fn csv_line<T: AsRef<[u8]>>(cells: impl IntoIterator<Item = T>) -> Result<Vec<u8>> {
    let mut writer = csv_writer();
    writer.write_record(cells).map_err(io::Error::from)?;
    finished(writer)
}
