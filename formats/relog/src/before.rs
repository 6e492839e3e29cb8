//! Events without which later ones, which are wanted, say something else: a stack of the CLR belongs to the event of its
//! thread before it, and rates of a performance log are differences to the sample before.

use std::collections::HashMap;
use std::hash::Hash;

use etwkit::event::{EventKey, Place, RawEvent};
use etwkit::trace::{Filter, FilterCheck, Glob, Order};
use etwkit::{Guid, Trace};

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
/// Performance logs whose last sample is remembered.
const MOST_LOGS: usize = 1 << 10;

/// Class and opcode of the samples of a performance log (`docs/performance-logs.md`).
const SAMPLE: (Guid, u8) = (Guid::from_u128(0x933f_3bb3_943e_490d_9ced_3cbb_14c1_4479), 34);

impl Before {
    /// Finds the events: a pass over those of the providers that write such, if there are any.
    pub(crate) fn of(trace: &Trace, filter: &Filter) -> Result<Self> {
        let has = |is: &dyn Fn(&EventKey) -> bool| trace.types().iter().any(|row| is(row.key()));
        let clr = if has(&|key| is_clr_stack(trace, key)) { &CLR[..] } else { &[] };
        let logs = if has(&is_sample) { &[SAMPLE.0][..] } else { &[] };
        let providers: Vec<Glob> = clr.iter().chain(logs).map(|guid| Glob::new(&guid.to_string())).collect();
        let mut found = Self::default();
        if providers.is_empty() {
            return Ok(found);
        }
        let mut wanted = FilterCheck::new(trace, filter);
        let (mut threads, mut logs) = (Last::new(MOST_THREADS), Last::new(MOST_LOGS));
        let mut events = trace.events_in(Order::Time, &Filter::default().providers(providers));
        while let Some(event) = events.next_raw()? {
            let (key, place) = (event.key(), event.place());
            let before = if is_sample(&key) {
                logs.replace((place.file, log(&event)), place)
            } else if is_clr_stack(trace, &key) {
                event.tid().and_then(|tid| threads.get(&tid))
            } else {
                event.tid().and_then(|tid| threads.replace(tid, place));
                None
            };
            if let Some(before) = before.filter(|_| wanted.passes(&event)) {
                found.places.insert(number(before));
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

/// Returns whether events with a key are samples of a performance log. Its parser learns from each what its samples look
/// like, which every part of a log does as well.
pub(crate) fn is_sample(key: &EventKey) -> bool {
    (key.provider, key.opcode) == SAMPLE
}

/// Returns what the samples of one log have in common: the GUID that they begin with.
fn log(event: &RawEvent<'_>) -> Option<[u8; 16]> {
    event.payload().first_chunk().copied()
}

const fn number(place: Place) -> u64 {
    (place.buffer as u64) << 32 | place.offset as u64
}

/// The last events of threads or logs.
struct Last<K> {
    most: usize,
    places: HashMap<K, Place>,
}

impl<K: Eq + Hash> Last<K> {
    fn new(most: usize) -> Self {
        Self { most, places: HashMap::new() }
    }

    /// Sets the last event of a thread or log, and returns the one before.
    fn replace(&mut self, of: K, place: Place) -> Option<Place> {
        let has_room = self.places.len() < self.most || self.places.contains_key(&of);
        if has_room { self.places.insert(of, place) } else { None }
    }

    fn get(&self, of: &K) -> Option<Place> {
        self.places.get(of).copied()
    }
}
