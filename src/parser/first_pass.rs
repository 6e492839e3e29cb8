//! The parts that take part in the first pass over one trace.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::event::{EventKey, RawEvent};
use crate::system::{FrameNamer, System};

use super::{Claims, Finding, Observer, Providers, SchemaProvider};

/// The providers and observers of one trace. [`Parser::begin`](super::Parser::begin) adds them; providers are asked for
/// schemas in the order in which they were added.
#[derive(Debug, Default)]
pub struct FirstPass {
    providers: Vec<(Claims, Box<dyn SchemaProvider>)>,
    observers: Vec<(Claims, Box<dyn Observer>)>,
    namer: Option<Arc<dyn FrameNamer>>,
}

/// The last bit of a set of parts.
const LAST: usize = 63;

const fn bit(place: usize) -> u64 {
    1 << if place < LAST { place } else { LAST }
}

impl FirstPass {
    /// Adds a provider of schemas.
    pub fn add_provider(&mut self, provider: impl SchemaProvider + 'static) {
        self.providers.push((provider.learns_from(), Box::new(provider)));
    }

    /// Adds an observer.
    pub fn add_observer(&mut self, observer: impl Observer + 'static) {
        self.observers.push((observer.interest(), Box::new(observer)));
    }

    /// Sets what names native code in stacks; the last one counts.
    pub fn set_frame_namer(&mut self, namer: Arc<dyn FrameNamer>) {
        self.namer = Some(namer);
    }

    /// Returns what names native code in stacks.
    pub(crate) const fn frame_namer(&self) -> Option<&Arc<dyn FrameNamer>> {
        self.namer.as_ref()
    }

    /// Returns the parts that want to see events with this key: one bit each, providers first. All parts from the last
    /// bit on share it.
    pub(crate) fn wants(&self, key: &EventKey) -> u64 {
        let interests = self.providers.iter().map(|(claims, _)| claims);
        let all = interests.chain(self.observers.iter().map(|(claims, _)| claims));
        all.enumerate().filter(|(_, claims)| claims.holds(key)).fold(0, |bits, (place, _)| bits | bit(place))
    }

    /// Returns the parts that read nothing but the own stacks of events, as [`FirstPass::wants`] does.
    pub(crate) fn own_stacks(&self) -> u64 {
        let places = (self.providers.len()..).zip(&self.observers);
        places
            .filter(|(place, (_, part))| *place < LAST && part.reads_own_stacks())
            .fold(0, |all, (place, _)| all | bit(place))
    }

    /// Hands an event to all parts that want it, which are those of [`FirstPass::wants`]. What one of them cannot read
    /// does not keep it from the others.
    pub(crate) fn observe(
        &mut self,
        event: &RawEvent<'_>,
        wanted: u64,
        system: &mut System,
        mut failed: impl FnMut(Error),
    ) {
        let mut bits = wanted & !bit(LAST);
        while bits != 0 {
            let place = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.hand(place, event, system).unwrap_or_else(&mut failed);
        }
        if wanted & bit(LAST) != 0 {
            self.hand_to_rest(event, system, &mut failed);
        }
    }

    /// Hands an event to a part.
    #[inline]
    fn hand(&mut self, place: usize, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        match place.checked_sub(self.providers.len()) {
            None => self.providers.get_mut(place).map_or(Ok(()), |(_, provider)| provider.learn(event)),
            Some(place) => {
                self.observers.get_mut(place).map_or(Ok(()), |(_, observer)| observer.observe(event, system))
            }
        }
    }

    /// Hands an event to those that share the last bit, which states only that one of them wants the event.
    #[cold]
    fn hand_to_rest(&mut self, event: &RawEvent<'_>, system: &mut System, failed: &mut impl FnMut(Error)) {
        let key = event.key();
        for place in LAST..self.providers.len() + self.observers.len() {
            let claims = self.claims(place);
            if claims.is_some_and(|claims| claims.holds(&key)) {
                self.hand(place, event, system).unwrap_or_else(&mut *failed);
            }
        }
    }

    fn claims(&self, place: usize) -> Option<&Claims> {
        match place.checked_sub(self.providers.len()) {
            None => self.providers.get(place).map(|(claims, _)| claims),
            Some(place) => self.observers.get(place).map(|(claims, _)| claims),
        }
    }

    /// Returns the providers, which have learned all that they can, and what the observers found.
    pub(crate) fn end(self) -> (Providers, Vec<Finding>) {
        let findings = self.observers.into_iter().filter_map(|(_, observer)| observer.finish()).collect();
        (Providers::new(self.providers.into_iter().map(|(_, provider)| provider)), findings)
    }
}
