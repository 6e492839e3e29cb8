//! A file that is written.

use std::io::Write;
use std::sync::Arc;

use etwkit_columns::{Batch, Table};
use parquet::errors::Result;
use parquet::file::writer::SerializedFileWriter;

use crate::column;
use crate::properties::{Options, properties};
use crate::schema::schema_of;

/// Rows of a row group.
const ROWS: usize = 1 << 20;
/// Bytes of values that wait for their row group, about: columns are written one after the other.
const BYTES: usize = 64 << 20;

/// Writes the rows of a table. Not a file until [`ParquetWriter::finish`].
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    waiting: Vec<Batch>,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> std::fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetWriter").field("rows", &self.rows).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Rows of the file.
    pub rows: u64,
    /// Its row groups.
    pub row_groups: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file of a table.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn new(out: W, table: &Table, options: Options) -> Result<Self> {
        let properties = properties(table.columns(), options)?;
        let file = SerializedFileWriter::new(out, schema_of(table.columns())?, Arc::new(properties))?;
        Ok(Self { file, waiting: Vec::new(), rows: 0, bytes: 0 })
    }

    /// Takes rows; those of a full row group are written.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&mut self, batch: Batch) -> Result<()> {
        self.rows += batch.rows;
        self.bytes += batch.size();
        self.waiting.push(batch);
        if self.rows >= ROWS || self.bytes >= BYTES { self.flush() } else { Ok(()) }
    }

    /// Returns about how many bytes wait for their row group.
    pub const fn waiting(&self) -> usize {
        self.bytes
    }

    /// Writes the rows that wait as a row group.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn flush(&mut self) -> Result<()> {
        let batches = std::mem::take(&mut self.waiting);
        if self.rows > 0 {
            let mut group = self.file.next_row_group()?;
            let mut place = 0;
            while let Some(mut column) = group.next_column()? {
                for array in batches.iter().filter_map(|batch| batch.columns.get(place)) {
                    column::write(column.untyped(), array)?;
                }
                column.close()?;
                place += 1;
            }
            group.close()?;
        }
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(mut self) -> Result<Written> {
        self.flush()?;
        let metadata = self.file.close()?;
        let rows = metadata.file_metadata().num_rows().cast_unsigned();
        Ok(Written { rows, row_groups: metadata.num_row_groups() })
    }
}
