//! Finds what identifies itself as a secret: by its form, or by the type or name of its field.

mod found;
mod hints;
mod hosts;
mod packets;
mod paths;
mod pattern;
mod patterns;
mod sids;
mod typed;
mod versions;
mod view;

use etwkit::decode::Event;

use crate::kind::Kind;
use crate::packet::Packet;

pub(crate) use found::{Content, Form, Found, mac_text, without_overlaps};
use patterns::Patterns;
use view::View;

/// Finds what identifies itself as a secret.
#[derive(Debug)]
pub(crate) struct Finder {
    patterns: Patterns,
}

impl Finder {
    pub(crate) fn new() -> Option<Self> {
        Some(Self { patterns: Patterns::new()? })
    }

    /// Returns what is found in a region of an event, in order and without overlaps. The event has its fields.
    pub(crate) fn find(&self, region: &[u8], event: Option<&Event<'_>>) -> Vec<Found> {
        without_overlaps(self.find_all(region, event))
    }

    /// Returns the same with all that overlaps.
    pub(crate) fn find_all(&self, region: &[u8], event: Option<&Event<'_>>) -> Vec<Found> {
        let mut found = Vec::new();
        if let Some(event) = event {
            typed::find(event, region, &mut found);
        }
        for view in View::all(region) {
            self.patterns.find(&view, region, &mut found);
        }
        let is_number = |found: &Found| found.kind == Kind::Address && found.form.coding().is_some();
        if let Some(event) = event.filter(|_| found.iter().any(is_number)) {
            let versions = typed::versions(event, region);
            let is_version = |found: &Found| versions.iter().any(|place| place.contains(&found.range.start));
            found.retain(|found| !is_number(found) || !is_version(found));
        }
        sids::find(region, &mut found);
        packets::find(&Self::packets(region, event), region, &mut found);
        found
    }

    /// Returns the network packets in a region.
    pub(crate) fn packets(region: &[u8], event: Option<&Event<'_>>) -> Vec<Packet> {
        packets::all(region, event)
    }

    /// Returns pairs `X\Y` of texts in a region.
    pub(crate) fn pairs(&self, region: &[u8]) -> Vec<(String, String)> {
        View::all(region).flat_map(|view| self.patterns.pairs(&view, region)).collect()
    }
}
