//! A tape with its names as Python has them.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use crate::keys::Keys;
use crate::tape::{Tape, Token};

/// Names of members: of one run, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    texts: Vec<Arc<str>>,
    strings: Vec<Arc<Py<PyString>>>,
}

impl Names {
    /// Returns the same names, and those that have come since.
    fn grown(&self, py: Python<'_>, new: Vec<Arc<str>>) -> Self {
        let mut all = self.clone();
        all.strings.extend(new.iter().map(|name| Arc::new(PyString::intern(py, name).unbind())));
        all.texts.extend(new);
        all
    }
}

/// Events that events in Python share.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) tape: Tape,
    names: Arc<Names>,
}

impl Chunk {
    /// Takes a tape. Its names are those of `last`, or new ones.
    pub(crate) fn new(py: Python<'_>, tape: Tape, keys: &Keys, last: &mut Arc<Names>) -> Self {
        let new = keys.since(last.texts.len());
        if !new.is_empty() {
            *last = Arc::new(last.grown(py, new));
        }
        Self { tape, names: Arc::clone(last) }
    }

    /// Returns the place of an event's object.
    pub(crate) fn event(&self, number: usize) -> Option<usize> {
        self.tape.events.get(number).map(|place| *place as usize)
    }

    /// Returns the place of a member's value.
    pub(crate) fn member(&self, object: usize, name: &str) -> Option<usize> {
        let is = |key: u32| self.names.texts.get(key as usize).is_some_and(|text| **text == *name);
        self.tape.members(object).find(|(key, _)| is(*key)).map(|(_, place)| place)
    }

    /// Returns the names of an object's members.
    pub(crate) fn names<'py>(&self, py: Python<'py>, object: usize) -> Vec<Bound<'py, PyString>> {
        self.tape.members(object).filter_map(|(key, _)| self.name(py, key)).collect()
    }

    /// Returns the text at a place, if it is one.
    pub(crate) fn text(&self, place: usize) -> Option<&str> {
        match self.tape.tokens.get(place) {
            Some(Token::Text(start, end)) => Some(self.tape.text(*start, *end)),
            Some(Token::Shared(number)) => self.names.texts.get(*number as usize).map(|text| &**text),
            _ => None,
        }
    }

    /// Returns the value at a place.
    pub(crate) fn value<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.tape.tokens.get(place) {
            Some(Token::Bool(value)) => PyBool::new(py, *value).to_owned().into_any(),
            Some(Token::Integer(value)) => value.into_pyobject(py)?.into_any(),
            Some(Token::Float(value)) => value.into_pyobject(py)?.into_any(),
            Some(Token::Text(start, end)) => PyString::new(py, self.tape.text(*start, *end)).into_any(),
            Some(Token::Shared(number)) => self.shared(py, *number),
            Some(Token::Object(_)) => self.object(py, place)?.into_any(),
            Some(Token::List(end)) => self.list(py, place + 1, *end as usize)?.into_any(),
            Some(Token::Null | Token::Key(_)) | None => py.None().into_bound(py),
        })
    }

    /// Returns the object at a place as a dictionary.
    pub(crate) fn object<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyDict>> {
        let members = PyDict::new(py);
        for (key, value) in self.tape.members(place) {
            if let Some(name) = self.names.strings.get(key as usize) {
                members.set_item(name.bind(py), self.value(py, value)?)?;
            }
        }
        Ok(members)
    }

    fn shared<'py>(&self, py: Python<'py>, number: u32) -> Bound<'py, PyAny> {
        self.name(py, number).map_or_else(|| py.None().into_bound(py), Bound::into_any)
    }

    fn name<'py>(&self, py: Python<'py>, key: u32) -> Option<Bound<'py, PyString>> {
        self.names.strings.get(key as usize).map(|name| name.bind(py).clone())
    }

    fn list<'py>(&self, py: Python<'py>, mut place: usize, end: usize) -> PyResult<Bound<'py, PyList>> {
        let values = PyList::empty(py);
        while place < end {
            values.append(self.value(py, place)?)?;
            place = self.tape.behind(place);
        }
        Ok(values)
    }
}
