//! A tape with its names and shapes as Python has them.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use crate::keys::Keys;
use crate::shapes::{MOST_MEMBERS, Member};
use crate::tape::{Tape, Token};

/// Names of members and shapes of objects: of one run, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    texts: Vec<Arc<str>>,
    strings: Vec<Arc<Py<PyString>>>,
    templates: Vec<Arc<Template>>,
}

/// What the dictionaries of a shape have in common. To copy one costs less than to insert its members.
#[derive(Debug)]
struct Template {
    /// It has all members; those whose values vary are None. Nobody else has it.
    members: Py<PyDict>,
    /// Bits of the members whose values vary.
    vary: u64,
}

impl Names {
    /// Adds the names and shapes that have come since.
    fn grow(&mut self, py: Python<'_>, keys: &Keys) -> PyResult<()> {
        // Shapes first: their names are there already.
        let shapes = keys.shapes.since(self.templates.len());
        let names = keys.since(self.texts.len());
        self.strings.extend(names.iter().map(|name| Arc::new(PyString::intern(py, name).unbind())));
        self.texts.extend(names);
        for shape in shapes {
            let template = self.template(py, &shape)?;
            self.templates.push(Arc::new(template));
        }
        Ok(())
    }

    fn template(&self, py: Python<'_>, shape: &[Member]) -> PyResult<Template> {
        let (members, mut vary) = (PyDict::new(py), 0);
        for (place, member) in shape.iter().enumerate() {
            let value = match member.value() {
                Some(Token::Shared(number)) => self.string(py, number).map(Bound::into_any),
                Some(Token::Integer(value)) => Some(value.into_pyobject(py)?.into_any()),
                _ => None,
            };
            vary |= u64::from(value.is_none()) << place;
            if let Some(name) = self.string(py, member.key()) {
                members.set_item(name, value)?;
            }
        }
        Ok(Template { members: members.unbind(), vary })
    }

    fn string<'py>(&self, py: Python<'py>, number: u32) -> Option<Bound<'py, PyString>> {
        self.strings.get(number as usize).map(|string| string.bind(py).clone())
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
    pub(crate) fn new(py: Python<'_>, tape: Tape, keys: &Keys, last: &mut Arc<Names>) -> PyResult<Self> {
        if keys.len() > last.texts.len() || keys.shapes.len() > last.templates.len() {
            Arc::make_mut(last).grow(py, keys)?;
        }
        Ok(Self { tape, names: Arc::clone(last) })
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
        self.tape.members(object).filter_map(|(key, _)| self.names.string(py, key)).collect()
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
            Some(Token::Object(..)) => self.object(py, place)?.into_any(),
            Some(Token::List(end)) => self.list(py, place + 1, *end as usize)?.into_any(),
            Some(Token::Null | Token::Key(_)) | None => py.None().into_bound(py),
        })
    }

    /// Returns the object at a place as a dictionary.
    pub(crate) fn object<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyDict>> {
        let template = match self.tape.tokens.get(place) {
            Some(Token::Object(_, shape)) => self.names.templates.get(*shape as usize),
            _ => None,
        };
        let (members, vary) = match template {
            Some(template) => (template.members.bind(py).copy()?, template.vary),
            None => (PyDict::new(py), u64::MAX),
        };
        for (number, (key, value)) in self.tape.members(place).enumerate() {
            let varies = number >= MOST_MEMBERS || vary >> number & 1 != 0;
            if let Some(name) = self.names.strings.get(key as usize).filter(|_| varies) {
                members.set_item(name.bind(py), self.value(py, value)?)?;
            }
        }
        Ok(members)
    }

    fn shared<'py>(&self, py: Python<'py>, number: u32) -> Bound<'py, PyAny> {
        self.names.string(py, number).map_or_else(|| py.None().into_bound(py), Bound::into_any)
    }

    fn list<'py>(&self, py: Python<'py>, mut place: usize, end: usize) -> PyResult<Bound<'py, PyList>> {
        // A value has at least one token.
        let mut values = Vec::with_capacity(end.saturating_sub(place));
        while place < end {
            values.push(self.value(py, place)?);
            place = self.tape.behind(place);
        }
        PyList::new(py, values)
    }
}
