//! A file that is written.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use etwkit_columns::{Array, Batch, Column, DataType, Table, Values};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor};
use zstd::bulk::Compressor;

use crate::chunk::{Chunk, LEVEL};
use crate::leaf::Leaf;
use crate::nested_column::is_nested;
use crate::presence::Presence;
use crate::properties::{Options, is_growing, is_unique, properties};
use crate::same::typical;
use crate::schema::schema_of;
use crate::{column, flat_column, list_column, nested_column, text_column};

/// Rows of a row group.
const ROWS: usize = 1 << 20;
/// Rows of batches that are joined: the memory of each of many small arrays costs more than to copy them.
const SMALL: usize = 1 << 10;
/// Bytes of values that wait for their row group, about: columns are written one after the other.
const BYTES: usize = 64 << 20;

/// Writes the rows of a table. Not a file until [`ParquetWriter::finish`].
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    schema: SchemaDescriptor,
    ways: Vec<Way>,
    waiting: Vec<Batch>,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> std::fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetWriter").field("rows", &self.rows).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// Counts of what was written.
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
        Self::of_columns(out, table.columns(), options)
    }

    /// Begins a file of columns.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn of_columns(out: W, columns: &[Column], options: Options) -> Result<Self> {
        let properties = properties(columns, options)?;
        let schema = schema_of(columns)?;
        let file = SerializedFileWriter::new(out, Arc::clone(&schema), Arc::new(properties))?;
        let ways = columns.iter().map(Way::of).collect();
        let schema = SchemaDescriptor::new(schema);
        Ok(Self { file, schema, ways, waiting: Vec::new(), rows: 0, bytes: 0 })
    }

    /// Takes rows; those of a full row group are written.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&mut self, batch: Batch) -> Result<()> {
        self.rows += batch.rows;
        let batch = match self.waiting.last_mut() {
            Some(last) if batch.rows <= SMALL && last.rows <= SMALL => {
                // What is not repeated any more is larger than both were.
                self.bytes = self.bytes.saturating_sub(last.size());
                let left = last.append(batch).err();
                self.bytes += last.size();
                left
            }
            _ => Some(batch),
        };
        self.bytes += batch.as_ref().map_or(0, Batch::size);
        self.waiting.extend(batch);
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
            // Its memory is too large for each of many open files.
            let mut compressor = Compressor::new(LEVEL)?;
            let mut group = self.file.next_row_group()?;
            let mut first = 0;
            for (place, way) in self.ways.iter().enumerate() {
                let arrays: Vec<&Array> = batches.iter().filter_map(|batch| batch.columns.get(place)).collect();
                if let Way::Nested(of) = way {
                    nested_column::write(&mut group, &arrays, of)?;
                    first += nested_column::leaves(of);
                    continue;
                }
                let descr = self.schema.column(first);
                first += 1;
                let Some((bytes, close)) = way.chunk(&arrays, descr, &mut compressor)? else {
                    if let Some(mut column) = group.next_column()? {
                        arrays.iter().try_for_each(|array| column::write(column.untyped(), array))?;
                        column.close()?;
                    }
                    continue;
                };
                group.append_column(&bytes, close)?;
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

/// How a column is written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    /// As a dictionary and codes, where that goes.
    Coded,
    /// As differences.
    Growing,
    /// Texts as they are.
    Unique,
    /// Structs of a type, or lists of them.
    Nested(DataType),
}

impl Way {
    fn of(column: &Column) -> Self {
        match column {
            _ if is_nested(&column.data_type) => Self::Nested(column.data_type.clone()),
            _ if is_growing(column) => Self::Growing,
            _ if is_unique(column) => Self::Unique,
            _ => Self::Coded,
        }
    }

    /// Returns a chunk of arrays; `None` for those that the writers of `parquet` take.
    fn chunk(
        &self,
        arrays: &[&Array],
        descr: ColumnDescPtr,
        compressor: &mut Compressor<'static>,
    ) -> Result<Option<(Bytes, ColumnCloseResult)>> {
        let mut chunk = Chunk::new(descr, compressor);
        let statistics = match typical(arrays).map(Array::values) {
            Some(Values::List { .. }) => match list_column::items(arrays).and_then(|items| Leaf::new(&items)) {
                Some(leaf) => list_column::write(&mut chunk, arrays, leaf)?,
                None => return Ok(None),
            },
            Some(Values::Text { .. } | Values::Repeated { data_type: DataType::Text, texts: None, .. }) => {
                let presence = Presence::of(arrays);
                let is_plain = *self == Self::Unique && presence.nulls < presence.rows;
                match if is_plain { None } else { Leaf::new(arrays) } {
                    Some(leaf) => flat_column::write(&mut chunk, &presence, leaf)?,
                    None => text_column::write(&mut chunk, &presence, arrays)?,
                }
            }
            _ => {
                let leaf = if *self == Self::Growing { Leaf::growing(arrays) } else { Leaf::new(arrays) };
                match leaf {
                    Some(leaf) => flat_column::write(&mut chunk, &Presence::of(arrays), leaf)?,
                    None => return Ok(None),
                }
            }
        };
        chunk.close(statistics).map(Some)
    }
}
