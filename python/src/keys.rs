//! The names of members, and other texts that are the same in many events.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;

use crate::shapes::{AllShapes, Shapes};
use crate::tape::Tape;

/// All texts and shapes that the threads of a run have met, by number.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    all: Mutex<All>,
    pub(crate) shapes: Arc<AllShapes>,
}

#[derive(Debug, Default)]
struct All {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

/// The texts that one thread has met.
#[derive(Debug)]
pub(crate) struct OwnKeys {
    all: Arc<Keys>,
    known: HashMap<Arc<str>, u32>,
    /// What is known of each name.
    names: Vec<Name>,
    last: u32,
    shapes: Shapes,
}

/// The name of a member.
#[derive(Clone, Debug, Default)]
struct Name {
    /// As it is written, with quotes and the colon; empty if no line had it.
    written: Box<[u8]>,
    /// What came after it last time: events of a type have the same names in the same order.
    follows: u32,
    /// Whether its values are texts that many events have.
    is_shared: bool,
    /// Whether the events of a type have the same value.
    is_constant: bool,
}

/// Members whose values are texts that many events have.
const SHARED: [&str; 8] = ["provider", "provider_guid", "task_guid", "event", "keywords", "process", "kind", "schema"];
/// Members of which the events of a type have the same value.
const CONSTANT: [&str; 13] = [
    "provider",
    "provider_guid",
    "task_guid",
    "event",
    "id",
    "version",
    "level",
    "opcode",
    "task",
    "keywords",
    "channel",
    "kind",
    "schema",
];
/// Texts of values that are kept: a crafted trace has any number of names.
const MOST_SHARED: usize = 1 << 16;

impl Keys {
    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).texts.len()
    }

    /// Returns the texts from a number on.
    pub(crate) fn since(&self, number: usize) -> Vec<Arc<str>> {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.texts.get(number..).unwrap_or_default().to_vec()
    }

    fn number(&self, text: &Arc<str>) -> u32 {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let next = all.texts.len() as u32;
        let number = *all.numbers.entry(Arc::clone(text)).or_insert(next);
        if number == next {
            all.texts.push(Arc::clone(text));
        }
        number
    }
}

impl OwnKeys {
    pub(crate) fn new(all: Arc<Keys>) -> Self {
        let shapes = Shapes::new(Arc::clone(&all.shapes));
        let mut own = Self { all, known: HashMap::new(), names: Vec::new(), last: 0, shapes };
        for text in SHARED {
            let number = own.number(text);
            own.change(number, |name| name.is_shared = true);
        }
        for text in CONSTANT {
            let number = own.number(text);
            own.change(number, |name| name.is_constant = true);
        }
        own
    }

    /// Returns whether the values of a member are texts that many events have.
    #[inline]
    pub(crate) fn is_shared(&self, number: u32) -> bool {
        self.names.get(number as usize).is_some_and(|name| name.is_shared)
    }

    /// Finds the shape of an object. That of an event has the values that events of a type have.
    #[inline]
    pub(crate) fn set_shape(&mut self, tape: &mut Tape, place: usize, is_event: bool) {
        let Self { names, shapes, .. } = self;
        let is_constant = |key: u32| is_event && names.get(key as usize).is_some_and(|name| name.is_constant);
        shapes.find(tape, place, is_constant);
    }

    /// Returns the number of a value that many events have; `None` if it turns out that they are too many.
    #[inline]
    pub(crate) fn shared(&mut self, text: &str) -> Option<u32> {
        let known = self.known.get(text).copied();
        known.or_else(|| (self.known.len() < MOST_SHARED).then(|| self.number(text)))
    }

    /// Returns whether the events of a type have the same value of a member.
    pub(crate) fn is_constant(&self, number: u32) -> bool {
        self.names.get(number as usize).is_some_and(|name| name.is_constant)
    }

    /// Returns the name that came last.
    pub(crate) const fn last(&self) -> u32 {
        self.last
    }

    /// Sets the name that came last.
    #[inline]
    pub(crate) const fn go_on_behind(&mut self, name: u32) {
        self.last = name;
    }

    /// Returns the number of the name that comes next, and its length, if it is the one that came last time.
    #[inline]
    pub(crate) fn likely(&mut self, line: &[u8]) -> Option<(u32, usize)> {
        let number = self.names.get(self.last as usize)?.follows;
        let written = &*self.names.get(number as usize)?.written;
        if written.is_empty() || !line.starts_with(written) {
            return None;
        }
        self.last = number;
        Some((number, written.len()))
    }

    /// Returns the number of the name that comes next, and how it is written.
    pub(crate) fn next(&mut self, text: &str, written: &str) -> u32 {
        let number = self.number(text);
        self.change(number, |name| {
            if name.written.is_empty() {
                name.written = written.as_bytes().into();
            }
        });
        self.change(self.last, |name| name.follows = number);
        self.last = number;
        number
    }

    fn change(&mut self, number: u32, change: impl FnOnce(&mut Name)) {
        let place = number as usize;
        if self.names.len() <= place {
            self.names.resize(place + 1, Name::default());
        }
        if let Some(name) = self.names.get_mut(place) {
            change(name);
        }
    }

    /// Returns the number of a text.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.known.get(text) {
            return *number;
        }
        let text: Arc<str> = text.into();
        let number = self.all.number(&text);
        self.known.insert(text, number);
        number
    }
}
