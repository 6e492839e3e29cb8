//! Batches.

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, SchemaRef};
use etwkit_columns::Batch;

use crate::array;

/// Turns a batch into one of Arrow. The schema is that of the batch's table, by [`schema`](crate::schema()).
///
/// # Errors
///
/// If the schema is that of another table, and if the texts of a column are 2 GiB or more.
pub fn record_batch(schema: &SchemaRef, batch: Batch) -> Result<RecordBatch, ArrowError> {
    let fields = schema.fields().iter();
    let arrays = fields.zip(batch.columns).map(|(field, values)| array::array(field.data_type(), values));
    let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
    // A table may have no columns.
    let options = RecordBatchOptions::new().with_row_count(Some(batch.rows));
    RecordBatch::try_new_with_options(SchemaRef::clone(schema), arrays, &options)
}
