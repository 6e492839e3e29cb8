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

impl FirstPass {
    /// Adds a provider of schemas.
    pub fn add_provider(&mut self, provider: impl SchemaProvider + 'static) {
        self.providers.push((provider.learns_from(), Box::new(provider)));
    }

    /// Adds an observer.
    pub fn add_observer(&mut self, observer: impl Observer + 'static) {
        self.observers.push((observer.interest(), Box::new(observer)));
    }

    /// Returns whether any part wants to see events with this key.
    pub(crate) fn wants(&self, key: &EventKey) -> bool {
        let interests = self.providers.iter().map(|(claims, _)| claims);
        interests.chain(self.observers.iter().map(|(claims, _)| claims)).any(|claims| claims.holds(key))
    }

    /// Hands an event to all parts that want it. What one of them cannot read does not keep it from the others.
    pub(crate) fn observe(&mut self, event: &RawEvent<'_>, system: &mut System, mut failed: impl FnMut(Error)) {
        let key = event.key();
        for (claims, provider) in &mut self.providers {
            if claims.holds(&key) {
                provider.learn(event).unwrap_or_else(&mut failed);
            }
        }
        for (claims, observer) in &mut self.observers {
            if claims.holds(&key) {
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
