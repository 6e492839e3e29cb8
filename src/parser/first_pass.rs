//! The parts that take part in the first pass over one trace.

use crate::error::Error;
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
        let is_wanted =
            |place: usize, claims: &Claims| wanted & bit(place) != 0 && (place < LAST || claims.holds(&event.key()));
        for (place, (claims, provider)) in self.providers.iter_mut().enumerate() {
            if is_wanted(place, claims) {
                provider.learn(event).unwrap_or_else(&mut failed);
            }
        }
        let first = self.providers.len();
        for (place, (claims, observer)) in (first..).zip(&mut self.observers) {
            if is_wanted(place, claims) {
                observer.observe(event, system).unwrap_or_else(&mut failed);
            }
        }
    }

    /// Returns the providers, which have learned all that they can, and what the observers found.
    pub(crate) fn end(self) -> (Providers, Vec<Finding>) {
        let findings = self.observers.into_iter().filter_map(|(_, observer)| observer.finish()).collect();
        (Providers::new(self.providers.into_iter().map(|(_, provider)| provider)), findings)
    }
}
