//! An open trace.

use std::path::PathBuf;
use std::sync::Arc;

use etwkit::trace::RawTrace;
use etwkit_columns::{EventName, Table as Columns};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::events::Events;
use crate::filters::Choice;
use crate::inputs::{self, Source};
use crate::interrupt::detached;
use crate::table::Table;
use crate::{analyses, info, stacks};

/// A trace after the first pass: what is in it is known, events are read when they are asked for.
#[pyclass(frozen, module = "etwkit")]
#[derive(Debug)]
pub(crate) struct Trace {
    trace: Arc<etwkit::Trace>,
    notes: Vec<String>,
}

#[pymethods]
impl Trace {
    /// Opens files as one trace and makes the first pass.
    #[new]
    fn new(
        py: Python<'_>,
        sources: Vec<Source>,
        additions: (Vec<PathBuf>, Vec<PathBuf>),
        with_stacks: bool,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        detached(py, |signals| {
            let (parsers, mut notes) = inputs::parsers(&additions.0, &additions.1, with_stacks)?;
            let (inputs, of_packed) = inputs::open(sources)?;
            notes.extend(of_packed);
            let threads = threads.unwrap_or_else(|| etwkit::trace::RunOptions::default().threads);
            let raw = RawTrace::open_all(inputs)?.threads(threads);
            let trace = raw.decode_with(parsers, &mut |_| signals.look())?;
            Ok(Self { trace: Arc::new(trace), notes })
        })
    }

    /// Returns what is missing of packed files, and what of folders with schemas could not be read.
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Returns facts about the trace.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        info::info(py, &self.trace)
    }

    /// Returns the types of events.
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        info::types(py, &self.trace)
    }

    /// Returns damage, losses and misfits.
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        info::problems(py, &self.trace)
    }

    /// Returns the names in a filter that no event has.
    fn unknown_names(&self, choice: Choice) -> PyResult<Vec<String>> {
        choice.unknown_names(&self.trace)
    }

    /// Starts to read events.
    fn events(
        &self,
        choice: Choice,
        fields: Option<Vec<String>>,
        first: Option<u64>,
        as_dicts: bool,
    ) -> PyResult<Events> {
        Events::start(Arc::clone(&self.trace), choice.options()?, fields.map(Into::into), first, as_dicts)
    }

    /// Returns the table of all events.
    fn all_events(&self, choice: Choice, first: Option<u64>) -> PyResult<Table> {
        Ok(Table::new(Arc::clone(&self.trace), Columns::of_all_events(), choice.options()?, first))
    }

    /// Returns the table of the events of a name.
    fn table(&self, event: &str, provider: Option<&str>, choice: Choice, first: Option<u64>) -> PyResult<Table> {
        let columns = Columns::of_event(&self.trace, &self.name(event, provider)?);
        Ok(Table::new(Arc::clone(&self.trace), columns, choice.options()?, first))
    }

    /// Runs an analysis: its rows, and sentences on what they lack.
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        each: bool,
        choice: Choice,
    ) -> PyResult<(Bound<'py, PyList>, Vec<String>)> {
        let (lines, lacks) = analyses::run(py, name, each, &self.trace, &choice.options()?)?;
        Ok((info::rows(py, lines)?, lacks))
    }

    /// Adds up call stacks: frames from the outermost to the innermost, samples and weight of each; and sentences on
    /// what they lack.
    fn stacks<'py>(
        &self,
        py: Python<'py>,
        by: &str,
        unit: Option<&str>,
        choice: Choice,
    ) -> PyResult<(Bound<'py, PyList>, Vec<String>)> {
        stacks::stacks(py, (by, unit), &self.trace, &choice.options()?)
    }
}

impl Trace {
    /// Finds the one event of a name.
    fn name(&self, event: &str, provider: Option<&str>) -> PyResult<EventName> {
        match EventName::find(&self.trace, event, provider).as_slice() {
            [] => {
                let of = provider.map_or_else(String::new, |provider| format!(" of a provider {provider}"));
                Err(PyKeyError::new_err(format!("the trace has no event {event}{of}")))
            }
            [one] => Ok(one.clone()),
            many => Err(PyValueError::new_err(ambiguous(event, many))),
        }
    }
}

/// Says what names one of these events alone.
fn ambiguous(event: &str, names: &[EventName]) -> String {
    let [first, others @ ..] = names else { return String::new() };
    let listed = |part: fn(&EventName) -> &str| names.iter().map(part).collect::<Vec<_>>().join(", ");
    if others.iter().all(|other| other.provider == first.provider) {
        return format!("there are several events {event}: {}", listed(|name| &name.event));
    }
    format!("name the provider of {event}: {}", listed(|name| &name.provider))
}
