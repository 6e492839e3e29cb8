//! Events as columns.

use std::sync::Arc;

use arrow_schema::ffi::FFI_ArrowSchema;
use etwkit::FileTime;
use etwkit::query::Expression;
use etwkit::trace::{RunOptions, Trace};
use etwkit_arrow::EventReader;
use etwkit_columns::{ColumnError, Table as Columns};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::batches::{Batches, capsule};
use crate::errors::exception;
use crate::limited::Limited;

/// A table that is read anew by each one who asks for its stream.
#[pyclass(frozen, module = "etwkit")]
#[derive(Debug)]
pub(crate) struct Table {
    trace: Arc<Trace>,
    columns: Columns,
    options: RunOptions,
    first: Option<u64>,
}

impl Table {
    pub(crate) const fn new(trace: Arc<Trace>, columns: Columns, options: RunOptions, first: Option<u64>) -> Self {
        Self { trace, columns, options, first }
    }

    fn rows(&self, options: RunOptions, first: Option<u64>) -> PyResult<Limited> {
        let reader = EventReader::new(Arc::clone(&self.trace), self.columns.clone(), options).map_err(exception)?;
        Ok(Limited::new(reader, first))
    }

    /// Returns the options of a run that reads fewer events: no more is chosen by further conditions.
    fn narrowed(&self, filter: Option<&str>, since: Option<i64>, until: Option<i64>) -> RunOptions {
        let mut options = self.options.clone();
        let time = &mut options.filter.time;
        time.since = time.since.max(since.map(FileTime));
        time.until = [time.until, until.map(FileTime)].into_iter().flatten().min();
        // What cannot be read is not needed: the one who asks chooses among the rows again.
        if let Some(more) = filter.and_then(|text| Some(text.parse::<Expression>().ok()?.with_rfc3339_times())) {
            let both = options.filter.expression.take().map(|own| own.and(more.clone()));
            options.filter.expression = Some(both.unwrap_or(more));
        }
        options
    }
}

#[pymethods]
impl Table {
    /// Returns the names and types of the columns.
    fn columns(&self) -> Vec<(String, String)> {
        named(&self.columns)
    }

    /// Returns the same table with these columns alone. What no column shows is not rendered.
    fn project(&self, names: Vec<String>) -> PyResult<Self> {
        let columns = self.columns.clone().project(names).map_err(refused)?;
        Ok(Self::new(Arc::clone(&self.trace), columns, self.options.clone(), self.first))
    }

    /// Returns the same table with at most this many rows.
    fn limited(&self, rows: u64) -> Self {
        let first = Some(self.first.map_or(rows, |own| own.min(rows)));
        Self::new(Arc::clone(&self.trace), self.columns.clone(), self.options.clone(), first)
    }

    /// Starts to read its rows. The further conditions need not be met by all of them: they spare work.
    fn batches(
        &self,
        py: Python<'_>,
        filter: Option<&str>,
        since: Option<i64>,
        until: Option<i64>,
        first: Option<u64>,
    ) -> PyResult<Batches> {
        // The first rows are not the first of those that further conditions leave.
        let options = if self.first.is_some() { self.options.clone() } else { self.narrowed(filter, since, until) };
        let first = [self.first, first].into_iter().flatten().min();
        py.detach(|| Ok(Batches::new(self.rows(options, first)?)))
    }

    /// Returns a capsule with a new stream of its rows (Arrow's `PyCapsule` interface).
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Readers cast by themselves if they get another schema than they would like.
        drop(requested_schema);
        capsule(py, Box::new(self.rows(self.options.clone(), self.first)?))
    }

    /// Returns a capsule with the schema (Arrow's `PyCapsule` interface).
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = etwkit_arrow::schema(self.columns.columns());
        let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

/// Returns the names and types of the columns of all events, or of those that are named.
#[pyfunction]
#[pyo3(signature = (names = None))]
pub(crate) fn event_columns(names: Option<Vec<String>>) -> PyResult<Vec<(String, String)>> {
    let all = Columns::of_all_events();
    let chosen = names.map_or(Ok(all.clone()), |names| all.project(names)).map_err(refused)?;
    Ok(named(&chosen))
}

fn named(columns: &Columns) -> Vec<(String, String)> {
    columns.columns().iter().map(|column| (column.name.clone(), column.data_type.to_string())).collect()
}

/// Returns the exception for names that choose no columns.
fn refused(error: ColumnError) -> PyErr {
    let text = error.to_string();
    match error {
        ColumnError::Unknown(_) => PyKeyError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}
