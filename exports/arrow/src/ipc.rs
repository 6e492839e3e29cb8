//! Files of Arrow's IPC format.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;

use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, SchemaRef};
use etwkit_columns::{Batch, Table};

use crate::batch::record_batch;
use crate::schema::schema;

/// Writes the rows of a table as an IPC file (`.arrow`, also known as Feather 2), its buffers compressed by Zstandard. Not
/// a file until [`IpcWriter::finish`].
pub struct IpcWriter<W: Write> {
    file: FileWriter<W>,
    schema: SchemaRef,
    rows: u64,
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
        let metadata: HashMap<String, String> = metadata.into_iter().collect();
        let schema = SchemaRef::new(schema(table.columns()).with_metadata(metadata));
        let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD))?;
        let file = FileWriter::try_new_with_options(out, &schema, options)?;
        Ok(Self { file, schema, rows: 0 })
    }

    /// Writes rows.
    ///
    /// # Errors
    ///
    /// Those of the writer and of [`record_batch`].
    pub fn write(&mut self, batch: Batch) -> Result<(), ArrowError> {
        self.rows += batch.rows as u64;
        self.file.write(&record_batch(&self.schema, batch)?)
    }

    /// Ends the file, and returns how many rows it has.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(mut self) -> Result<u64, ArrowError> {
        self.file.finish()?;
        Ok(self.rows)
    }
}

impl<W: Write> fmt::Debug for IpcWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IpcWriter").field("rows", &self.rows).finish_non_exhaustive()
    }
}
