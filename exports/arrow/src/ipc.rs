//! Files of Arrow's IPC format.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;
use etwkit_columns::{Batch, Column, Table};

use crate::batch::record_batch;
use crate::schema::schema;

/// Rows that are written together: a batch of a file costs each of its columns some hundred bytes.
const ROWS: usize = 1 << 16;
/// Bytes of values that wait to be written together, about.
const BYTES: usize = 8 << 20;

/// Writes the rows of a table as an IPC file (`.arrow`, also known as Feather 2), its buffers compressed by Zstandard. Not
/// a file until [`IpcWriter::finish`].
pub struct IpcWriter<W: Write> {
    file: FileWriter<W>,
    schema: SchemaRef,
    waiting: Vec<RecordBatch>,
    /// Rows of those that wait.
    rows: usize,
    bytes: usize,
    written: u64,
}

impl<W: Write> IpcWriter<W> {
    /// Begins a file of a table. The metadata become those of its schema.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn new(
        out: W,
        table: &Table,
        metadata: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ArrowError> {
        Self::of_columns(out, table.columns(), metadata)
    }

    /// Begins a file of columns.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn of_columns(
        out: W,
        columns: &[Column],
        metadata: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ArrowError> {
        let metadata: HashMap<String, String> = metadata.into_iter().collect();
        let schema = SchemaRef::new(schema(columns).with_metadata(metadata));
        let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD))?;
        let file = FileWriter::try_new_with_options(out, &schema, options)?;
        Ok(Self { file, schema, waiting: Vec::new(), rows: 0, bytes: 0, written: 0 })
    }

    /// Takes rows; small batches are written together.
    ///
    /// # Errors
    ///
    /// Those of the writer and of [`record_batch`].
    pub fn write(&mut self, batch: Batch) -> Result<(), ArrowError> {
        let batch = batch.expanded();
        self.rows += batch.rows;
        self.bytes += batch.size();
        self.waiting.push(record_batch(&self.schema, batch)?);
        if self.rows >= ROWS || self.bytes >= BYTES { self.flush() } else { Ok(()) }
    }

    /// Returns about how many bytes wait to be written.
    pub const fn waiting(&self) -> usize {
        self.bytes
    }

    /// Writes the rows that wait.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn flush(&mut self) -> Result<(), ArrowError> {
        let waiting = std::mem::take(&mut self.waiting);
        match waiting.as_slice() {
            [] => {}
            [batch] => self.file.write(batch)?,
            batches => self.file.write(&concat_batches(&self.schema, batches)?)?,
        }
        self.written += self.rows as u64;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// Ends the file, and returns how many rows it has.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(mut self) -> Result<u64, ArrowError> {
        self.flush()?;
        self.file.finish()?;
        Ok(self.written)
    }
}

impl<W: Write> fmt::Debug for IpcWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IpcWriter").field("rows", &self.rows).field("written", &self.written).finish_non_exhaustive()
    }
}
