//! Events without which later ones, which are wanted, say something else: a stack of the CLR belongs to the event of its
//! thread before it.

use std::collections::HashMap;
use std::hash::Hash;

use etwkit::Trace;
use etwkit::event::{EventKey, Place, RawEvent};
use etwkit::trace::{Filter, FilterCheck, Glob, Order};

use crate::error::Result;
use crate::hashes::Hashes;
use crate::stack_links::CLR;

/// Which events come right before wanted ones that need them. It may take one too many, never one too few.
#[derive(Debug, Default)]
pub(crate) struct Before {
    places: Hashes,
}

/// Threads whose last event is remembered; as many as the parser of the CLR joins with stacks.
const MOST_THREADS: usize = 1 << 18;

impl Before {
    /// Finds the events: a pass over those of the providers that write such, if there are any.
    pub(crate) fn of(trace: &Trace, filter: &Filter) -> Result<Self> {
        let mut found = Self::default();
        if !trace.types().iter().any(|row| is_clr_stack(trace, row.key())) {
            return Ok(found);
        }
        let providers = CLR.iter().map(|guid| Glob::new(&guid.to_string()));
        let (mut wanted, mut last) = (FilterCheck::new(trace, filter), Last::new(MOST_THREADS));
        let mut events = trace.events_in(Order::Time, &Filter::default().providers(providers));
        while let Some(event) = events.next_raw()? {
            let Some(tid) = event.tid() else { continue };
            if !is_clr_stack(trace, &event.key()) {
                last.put(tid, event.place());
            } else if wanted.passes(&event) {
                last.get(tid).into_iter().for_each(|place| found.places.insert(number(place)));
            }
        }
        Ok(found)
    }

    /// Returns whether a wanted event needs this one.
    pub(crate) fn may_have(&self, event: &RawEvent<'_>) -> bool {
        self.places.may_have(number(event.place()))
    }
}

fn is_clr_stack(trace: &Trace, key: &EventKey) -> bool {
    CLR.contains(&key.provider) && trace.systems().iter().any(|system| system.stacks.is_carrier(key))
}

const fn number(place: Place) -> u64 {
    (place.buffer as u64) << 32 | place.offset as u64
}

/// The last events of threads.
struct Last<K> {
    most: usize,
    places: HashMap<K, Place>,
}

impl<K: Eq + Hash> Last<K> {
    fn new(most: usize) -> Self {
        Self { most, places: HashMap::new() }
    }

    fn put(&mut self, of: K, place: Place) {
        if self.places.len() < self.most || self.places.contains_key(&of) {
            self.places.insert(of, place);
        }
    }

    fn get(&self, of: K) -> Option<Place> {
        self.places.get(&of).copied()
    }
}
