//! Finds what identifies itself as a secret: by its form, or by the type or name of its field.

mod big;
mod found;
mod hints;
mod hosts;
mod packets;
mod passwords;
mod paths;
mod pattern;
mod patterns;
mod pieces;
mod sids;
mod typed;
mod versions;
mod view;

use etwkit::decode::Event;

use crate::kind::Kind;
use crate::packet::Packet;

use big::add_big;
pub(crate) use found::{Content, Form, Found, mac_text, without_overlaps};
use patterns::Patterns;
pub(crate) use pieces::{Piece, Pieces};
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

    /// Returns what is found in a region of an event, in order and without overlaps, and the pieces of the region.
    pub(crate) fn find(&self, region: &[u8], event: &Event<'_>) -> (Vec<Found>, Pieces) {
        let (found, pieces) = self.find_all(region, event, |_| ());
        (without_overlaps(found), pieces)
    }

    /// Returns the same with all that overlaps. `pair` receives pairs `X\Y` of texts.
    pub(crate) fn find_all(
        &self,
        region: &[u8],
        event: &Event<'_>,
        mut pair: impl FnMut((String, String)),
    ) -> (Vec<Found>, Pieces) {
        let mut found = Vec::new();
        let mut big = Vec::new();
        let pieces = typed::find(event, region, &mut found);
        for view in pieces.iter().flat_map(|piece| View::all(region, piece)) {
            self.patterns.find(&view, region, if view.is_big() { &mut big } else { &mut found });
            self.patterns.pairs(&view, region, &mut pair);
        }
        add_big(&mut found, big);
        let is_number = |found: &Found| found.kind == Kind::Address && found.form.coding().is_some();
        if found.iter().any(is_number) {
            let versions = typed::versions(event, region);
            let is_version = |found: &Found| versions.iter().any(|place| place.contains(&found.range.start));
            found.retain(|found| !is_number(found) || !is_version(found));
        }
        sids::find(region, &mut found);
        packets::find(&Self::packets(region, event), region, &mut found);
        (found, pieces)
    }

    /// Returns the network packets in a region.
    pub(crate) fn packets(region: &[u8], event: &Event<'_>) -> Vec<Packet> {
        packets::all(region, event)
    }
}
