//! The names of members, and other texts that are the same in many events.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;

/// All texts that the threads of a run have met, by number.
#[derive(Debug, Default)]
pub(crate) struct Keys(Mutex<All>);

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
    /// What came behind a name last time: events of a type have the same names in the same order.
    follows: HashMap<u32, (Arc<str>, u32)>,
    last: u32,
    /// Whether the member of a number has values that many events have.
    shared: Vec<bool>,
}

/// Members whose values many events have.
const SHARED: [&str; 7] = ["provider", "provider_guid", "task_guid", "event", "process", "kind", "schema"];
/// Texts of values that are kept: a crafted trace has any number of names.
const MOST_SHARED: usize = 1 << 16;

impl Keys {
    /// Returns the texts from a number on.
    pub(crate) fn since(&self, number: usize) -> Vec<Arc<str>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.texts.get(number..).unwrap_or_default().to_vec()
    }

    fn number(&self, text: &Arc<str>) -> u32 {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
        let (known, follows, shared) = <_>::default();
        let mut own = Self { all, known, follows, last: u32::MAX, shared };
        for name in SHARED {
            let number = own.number(name) as usize;
            own.shared.resize(own.shared.len().max(number + 1), false);
            own.shared.get_mut(number).into_iter().for_each(|slot| *slot = true);
        }
        own
    }

    /// Returns whether the values of a member are texts that many events have.
    #[inline]
    pub(crate) fn is_shared(&self, number: u32) -> bool {
        self.shared.get(number as usize).is_some_and(|is| *is)
    }

    /// Returns the number of a value that many events have; `None` if it turns out that they are too many.
    #[inline]
    pub(crate) fn shared(&mut self, text: &str) -> Option<u32> {
        let known = self.known.get(text).copied();
        known.or_else(|| (self.known.len() < MOST_SHARED).then(|| self.number(text)))
    }

    /// Returns the number of the name that comes next.
    #[inline]
    pub(crate) fn next(&mut self, name: &str) -> u32 {
        let number = match self.follows.get(&self.last) {
            Some((likely, number)) if **likely == *name => *number,
            _ => {
                let number = self.number(name);
                self.follows.insert(self.last, (name.into(), number));
                number
            }
        };
        self.last = number;
        number
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
