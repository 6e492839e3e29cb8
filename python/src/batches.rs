//! Parts of tables, one after the other.

use std::sync::{Mutex, PoisonError};
use std::task::Poll;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::{etl_error, exception};
use crate::interrupt::INTERVAL;
use crate::limited::Limited;

/// An iterator over the batches of a table.
#[pyclass(module = "etwkit")]
#[derive(Debug)]
pub(crate) struct Batches {
    /// Behind a lock that is never waited for: iterators may be moved between threads.
    rows: Mutex<Limited>,
}

impl Batches {
    pub(crate) const fn new(rows: Limited) -> Self {
        Self { rows: Mutex::new(rows) }
    }
}

#[pymethods]
impl Batches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let rows = self.rows.get_mut().unwrap_or_else(PoisonError::into_inner);
        loop {
            match py.detach(|| rows.next_within(INTERVAL)) {
                Poll::Pending => py.check_signals()?,
                Poll::Ready(None) => return Ok(None),
                Poll::Ready(Some(Ok(batch))) => return Ok(Some(Batch(batch))),
                Poll::Ready(Some(Err(error))) => return Err(failure(error)),
            }
        }
    }
}

/// Some rows of a table.
#[pyclass(frozen, module = "etwkit")]
#[derive(Debug)]
pub(crate) struct Batch(RecordBatch);

#[pymethods]
impl Batch {
    /// Returns a capsule with a stream of this batch alone (Arrow's `PyCapsule` interface).
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let rows = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        capsule(py, Box::new(rows))
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }
}

/// Returns a capsule with a stream.
pub(crate) fn capsule(py: Python<'_>, rows: Box<dyn RecordBatchReader + Send>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(rows), c"arrow_array_stream")
}

/// Returns the exception for what ended a stream: that of the engine, if it is one.
fn failure(error: ArrowError) -> PyErr {
    match error {
        ArrowError::ExternalError(inner) => match inner.downcast::<etwkit::Error>() {
            Ok(error) => exception(*error),
            Err(other) => etl_error(other.to_string(), None),
        },
        other => etl_error(other.to_string(), None),
    }
}
