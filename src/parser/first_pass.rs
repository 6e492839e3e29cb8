//! The parts that take part in the first pass over one trace.

use crate::error::{Error, Result};
use crate::event::{EventKey, RawEvent};
use crate::system::System;

use super::{Claims, Finding, Observer, Providers, SchemaProvider};

/// The providers and observers of one trace. [`Parser::begin`](super::Parser::begin) adds them; providers are asked for
/// schemas in the order in which they were added.
#[derive(Debug, Default)]
pub struct FirstPass {
    providers: Vec<(Claims, Box<dyn SchemaProvider>)>,
    observers: Vec<(Claims, Box<dyn Observer>)>,
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

    /// Returns the parts that want to see events with this key: one bit each, providers first. All parts from the last
    /// bit on share it.
    pub(crate) fn wants(&self, key: &EventKey) -> u64 {
        let interests = self.providers.iter().map(|(claims, _)| claims);
        let all = interests.chain(self.observers.iter().map(|(claims, _)| claims));
        all.enumerate().filter(|(_, claims)| claims.holds(key)).fold(0, |bits, (place, _)| bits | bit(place))
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
        let mut bits = wanted;
        while bits != 0 {
            let place = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let all = if place == LAST { self.providers.len() + self.observers.len() } else { place + 1 };
            for place in place..all {
                self.observe_by(place, event, system).unwrap_or_else(&mut failed);
            }
        }
    }

    /// Hands an event to one part.
    fn observe_by(&mut self, place: usize, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        // The last bit says only that one of the parts from there on wants the event.
        let is_wanted = |claims: &Claims| place < LAST || claims.holds(&event.key());
        let observer = place.checked_sub(self.providers.len());
        if let Some((claims, provider)) = self.providers.get_mut(place) {
            return if is_wanted(claims) { provider.learn(event) } else { Ok(()) };
        }
        match observer.and_then(|place| self.observers.get_mut(place)) {
            Some((claims, observer)) if is_wanted(claims) => observer.observe(event, system),
            _ => Ok(()),
        }
    }

    /// Returns the providers, which have learned all that they can, and what the observers found.
    pub(crate) fn end(self) -> (Providers, Vec<Finding>) {
        let findings = self.observers.into_iter().filter_map(|(_, observer)| observer.finish()).collect();
        (Providers::new(self.providers.into_iter().map(|(_, provider)| provider)), findings)
    }
}
