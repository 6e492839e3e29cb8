//! One event.

use std::sync::Arc;

use etwkit::select::HeaderField;
use pyo3::exceptions::{PyAttributeError, PyKeyError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyIterator, PyString};

use crate::chunk::Chunk;

/// An event: a read-only mapping with the members of its JSON line. The header's members are attributes, too: those
/// that the event does not have are None. The attribute `time` is a `datetime`, in UTC and whole microseconds.
#[pyclass(frozen, mapping, module = "etwkit")]
#[derive(Debug)]
pub(crate) struct Event {
    chunk: Arc<Chunk>,
    /// The place of its object.
    place: usize,
}

impl Event {
    pub(crate) const fn new(chunk: Arc<Chunk>, place: usize) -> Self {
        Self { chunk, place }
    }

    fn value<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.chunk.member(self.place, name).map(|place| self.chunk.value(py, place)).transpose()
    }
}

#[pymethods]
impl Event {
    /// The time of the event, or None if the clock of the trace is not known. Without a zone where the time is that of
    /// the machine. `event["time"]` is the text with all seven digits.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        static PARSE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let Some(text) = self.chunk.member(self.place, "time").and_then(|place| self.chunk.text(place)) else {
            return Ok(None);
        };
        // Six digits, which every Python reads; a time that is not a date has no T.
        let Some(date) = text.get(..26).filter(|_| text.contains('T')) else { return Ok(None) };
        let zone = if text.ends_with('Z') { "+00:00" } else { "" };
        let parse = PARSE.get_or_try_init(py, || {
            Ok::<_, PyErr>(py.import("datetime")?.getattr("datetime")?.getattr("fromisoformat")?.unbind())
        })?;
        Ok(Some(parse.bind(py).call1((format!("{date}{zone}"),))?))
    }

    /// The fields of the payload by name; empty if the event has none, or no schema describes it.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.value(py, "fields")?.unwrap_or_else(|| PyDict::new(py).into_any()))
    }

    /// Returns the event as a dictionary, as `json.loads` makes it of the event's JSON line.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.chunk.object(py, self.place)
    }

    /// Returns the names of the members.
    fn keys<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyString>> {
        self.chunk.names(py, self.place)
    }

    /// Returns a member, or `default` if the event does not have it.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.value(py, name)?.or(default))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.value(py, name)?;
        let is_known = || HeaderField::columns().chain(HeaderField::rare()).any(|field| field.name() == name);
        if value.is_none() && !is_known() {
            return Err(PyAttributeError::new_err(format!(
                "an event has no {name}; fields of the payload are in fields"
            )));
        }
        Ok(value)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.chunk.member(self.place, name).is_some()
    }

    fn __len__(&self) -> usize {
        self.chunk.tape.members(self.place).count()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.keys(py).into_pyobject(py)?.try_iter()
    }

    fn __repr__(&self) -> String {
        let text = |name| self.chunk.member(self.place, name).and_then(|place| self.chunk.text(place)).unwrap_or("?");
        format!("<Event {} {}/{}>", text("time"), text("provider"), text("event"))
    }
}
