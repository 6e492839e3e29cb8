//! What is known of a trace.

use std::sync::Arc;

use etwkit::event::Kind;
use etwkit::trace::UndecodedReason;
use etwkit::{FileTime, Trace};
use etwkit_columns::EventName;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::chunk::{Chunk, Names};
use crate::errors::etl_error;
use crate::heads::Heads;
use crate::keys::{Keys, OwnKeys};
use crate::lines;

/// Returns session, machine, extent and losses. What is not known is None.
pub(crate) fn info<'py>(py: Python<'py>, trace: &Trace) -> PyResult<Bound<'py, PyDict>> {
    let logs = || trace.files().iter().filter(|file| !file.head.is_missing()).map(|file| &file.head.log);
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let (first, last) = trace.first_and_last().unzip();
    let (_, undecoded) = trace.decoded();
    let all = PyDict::new(py);
    all.set_item("files", trace.files().iter().map(|file| file.source.name()).collect::<Vec<_>>())?;
    all.set_item("sessions", logs().filter_map(|log| text(&log.session)).collect::<Vec<_>>())?;
    all.set_item("computers", trace.computers())?;
    all.set_item("os_build", logs().map(|log| log.os_build).next())?;
    all.set_item("processors", logs().map(|log| log.processors).max())?;
    all.set_item("start", trace.session_start().map(|time| time.to_string()))?;
    all.set_item("end", trace.session_end().map(|time| time.to_string()))?;
    all.set_item("first_event", first.map(|time| event_time(trace, time)))?;
    all.set_item("last_event", last.map(|time| event_time(trace, time)))?;
    all.set_item("events", trace.events_total())?;
    all.set_item("events_undecoded", undecoded)?;
    all.set_item("events_lost", trace.events_lost())?;
    all.set_item("buffers_lost", trace.buffers_lost())?;
    all.set_item("is_damaged", trace.is_damaged())?;
    all.set_item("problems_unlisted", trace.unlisted_problems())?;
    Ok(all)
}

/// Returns the time of an event as RFC 3339, without a zone if the trace has local times.
fn event_time(trace: &Trace, time: FileTime) -> String {
    let text = time.to_string();
    if trace.has_local_times() { text.trim_end_matches('Z').to_owned() } else { text }
}

/// Returns a dictionary for each type of event that the trace has.
pub(crate) fn types<'py>(py: Python<'py>, trace: &Trace) -> PyResult<Bound<'py, PyList>> {
    let all = PyList::empty(py);
    for row in trace.types().iter().filter(|row| row.events() > 0) {
        let (key, name) = (row.key(), EventName::of(row));
        // Numbers that do not tell types of a kind apart are not known here.
        let number = |kinds: &[Kind], number: u16| kinds.contains(&key.kind).then_some(number);
        let one = PyDict::new(py);
        one.set_item("provider", name.provider)?;
        one.set_item("event", name.event)?;
        one.set_item("provider_guid", row.provider_guid().to_string())?;
        one.set_item("kind", key.kind.name())?;
        one.set_item("id", number(&[Kind::Manifest, Kind::Wpp], key.id))?;
        one.set_item("version", number(&[Kind::Classic, Kind::Manifest], key.version.into()))?;
        one.set_item("opcode", number(&[Kind::Classic], key.opcode.into()))?;
        one.set_item("task", number(&[Kind::Manifest], key.task))?;
        one.set_item("events", row.events())?;
        one.set_item("undecoded", row.undecoded().map(UndecodedReason::name))?;
        all.append(one)?;
    }
    Ok(all)
}

/// Returns a dictionary for each problem.
pub(crate) fn problems<'py>(py: Python<'py>, trace: &Trace) -> PyResult<Bound<'py, PyList>> {
    let all = PyList::empty(py);
    let changes = trace.changes();
    for problem in trace.problems().iter().chain(&changes) {
        let one = PyDict::new(py);
        one.set_item("severity", problem.severity.name())?;
        one.set_item("kind", problem.kind.name())?;
        one.set_item("file", trace.file(problem.file).map(|file| file.source.name()))?;
        one.set_item("offset", problem.offset)?;
        one.set_item("len", problem.len)?;
        one.set_item("detail", &problem.detail)?;
        all.append(one)?;
    }
    Ok(all)
}

/// Returns the objects of lines of JSON.
pub(crate) fn rows(py: Python<'_>, lines: String) -> PyResult<Bound<'_, PyList>> {
    let keys = Arc::new(Keys::default());
    let tape = lines::read(lines, &mut OwnKeys::new(Arc::clone(&keys)), &mut Heads::default());
    let tape = tape.map_err(|error| etl_error(error.to_string(), None))?;
    let chunk = Chunk::new(py, tape, &keys, &mut Arc::new(Names::default()))?;
    let all = PyList::empty(py);
    for place in chunk.tape.events.iter().map(|place| *place as usize) {
        all.append(chunk.object(py, place)?)?;
    }
    Ok(all)
}
