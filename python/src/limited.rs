//! The first rows of a stream.

use std::task::Poll;
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use etwkit_arrow::EventReader;

/// Ends a stream after some rows, and with it the run.
#[derive(Debug)]
pub(crate) struct Limited {
    reader: EventReader,
    left: usize,
}

impl Limited {
    /// All rows, unless `first` states how many.
    pub(crate) fn new(reader: EventReader, first: Option<u64>) -> Self {
        Self { reader, left: first.and_then(|rows| usize::try_from(rows).ok()).unwrap_or(usize::MAX) }
    }

    /// As [`EventReader::next_within`].
    pub(crate) fn next_within(&mut self, time: Duration) -> Poll<Option<Result<RecordBatch, ArrowError>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        self.reader.next_within(time).map(|next| next.map(|batch| Ok(self.cut(batch?))))
    }

    fn cut(&mut self, batch: RecordBatch) -> RecordBatch {
        let rows = batch.num_rows().min(self.left);
        self.left -= rows;
        batch.slice(0, rows)
    }
}

impl Iterator for Limited {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        self.reader.next().map(|batch| Ok(self.cut(batch?)))
    }
}

impl RecordBatchReader for Limited {
    fn schema(&self) -> SchemaRef {
        self.reader.schema()
    }
}
