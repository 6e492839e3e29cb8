//! Changes an event.

use etwkit::Trace;
use etwkit::decode::{Event, Scratch};
use etwkit::event::RawEvent;

use crate::buffers;
use crate::checksum::Sum;
use crate::error::Result;
use crate::find::{Content, Finder, Found, Pieces, without_overlaps};
use crate::kind::Kind;
use crate::limits::{MOST_ROUNDS, MOST_SUMMED};
use crate::naming::Naming;
use crate::packed::{blank, unpacked};
use crate::packet::Packet;
use crate::region::{Region, place_of};
use crate::report::{Change, Report};
use crate::words::Words;

/// Changes events.
#[derive(Debug)]
pub(crate) struct Rewriter<'r> {
    pub(crate) trace: &'r Trace,
    pub(crate) finder: &'r Finder,
    pub(crate) words: &'r Words,
    pub(crate) naming: &'r mut Naming,
    pub(crate) report: &'r mut Report,
}

impl Rewriter<'_> {
    /// Returns the bytes of an event, changed. They are as many as before.
    pub(crate) fn event(&mut self, event: RawEvent<'_>, scratch: &mut Scratch) -> Result<Vec<u8>> {
        let mut bytes = event.bytes().to_vec();
        let region = Region::of(&event);
        let Some((old, new)) = event.bytes().get(region.start..).zip(bytes.get_mut(region.start..)) else {
            return Ok(bytes);
        };
        self.report.events += 1;
        let located = buffers::located(self.trace, event, scratch);
        if let Some(from) = self.packed(&located) {
            self.report.blanked_payloads += 1;
            blank(new.get_mut(event.payload_start() - region.start..).unwrap_or_default(), from);
            return Ok(bytes);
        }
        let (found, pieces) = self.finder.find(old, &located);
        let mut all = found.clone();
        all.extend(self.words.outermost(old, &pieces, |at| region.is_name(at)));
        let all = without_overlaps(all);
        if all.is_empty() {
            return Ok(bytes);
        }
        self.report.changed += 1;
        for found in &all {
            let made = self.naming.replace(found, old)?;
            put(new, found, &made);
            self.note(&located, &region, old, found);
        }
        self.settle(new, &pieces, &region)?;
        mend(&Finder::packets(old, &located), old, new);
        for found in &found {
            self.naming.note_made(&found.content(new).text());
        }
        Ok(bytes)
    }

    /// Returns where packed data with a secret begins in the payload.
    fn packed(&self, event: &Event<'_>) -> Option<usize> {
        let payload = unpacked(event)?;
        let from = self.trace.type_of(event.raw())?.schema()?.lznt1_from()?;
        let (found, pieces) = self.finder.find(payload, event);
        let is_found = !found.is_empty() || self.words.find(payload, &pieces, |_| false).next().is_some();
        is_found.then(|| usize::from(from))
    }

    /// Replaces words that pseudonyms made up by chance, alone or with what is beside them.
    fn settle(&mut self, bytes: &mut [u8], pieces: &Pieces, region: &Region) -> Result<()> {
        for _ in 0..MOST_ROUNDS {
            let found = without_overlaps(self.words.outermost(bytes, pieces, |at| region.is_name(at)));
            if found.is_empty() {
                break;
            }
            let made: Vec<Vec<u8>> =
                found.iter().map(|found| self.naming.replace(found, bytes)).collect::<Result<_>>()?;
            found.iter().zip(made).for_each(|(found, made)| put(bytes, found, &made));
        }
        Ok(())
    }

    fn note(&mut self, event: &Event<'_>, region: &Region, bytes: &[u8], found: &Found) {
        let row = self.trace.type_of(event.raw());
        let at = found.range.start;
        let in_field = |field: &etwkit::decode::FieldView<'_>| {
            place_of(bytes, field.bytes()).is_some_and(|place| place.contains(&at))
        };
        let field = event.fields().find(in_field).map(|field| field.name().to_owned());
        if found.kind == Kind::Word && region.is_name(at) {
            self.naming.note_described(&text_of(found, bytes));
        }
        let other = if region.is_name(at) {
            "(names)"
        } else if at + region.start < event.raw().payload_start() {
            "(extended)"
        } else {
            "(payload)"
        };
        let change = Change {
            provider: row.map_or_else(String::new, |row| row.provider().to_owned()),
            event: row.and_then(|row| row.name()).unwrap_or_default().to_owned(),
            field: field.unwrap_or_else(|| other.to_owned()),
            kind: found.kind,
        };
        *self.report.changes.entry(change).or_default() += 1;
    }
}

/// Computes the checksums of packets anew. Packets may be nested, in hostile bytes without end: what exceeds the budget
/// keeps its old checksum.
fn mend(packets: &[Packet], old: &[u8], new: &mut [u8]) {
    let mut budget = MOST_SUMMED * old.len();
    for packet in packets {
        if let Some(header) = packet.header.clone().and_then(|header| new.get_mut(header)) {
            Sum::write_header(header);
        }
        if let Some(sum) = &packet.sum {
            let Some(left) = budget.checked_sub(sum.segment.len()) else { continue };
            budget = left;
            sum.write(old, new);
        }
    }
}

/// Writes what was made in the place of what was found.
fn put(bytes: &mut [u8], found: &Found, made: &[u8]) {
    let Some(place) = bytes.get_mut(found.range.clone()) else { return };
    if place.len() == made.len() {
        place.copy_from_slice(made);
    } else {
        // No form changes its length; should one do so, nothing of the secret stays.
        place.fill(b'x');
    }
}

/// Returns what was found as it is in bytes that may have changed.
pub(crate) fn text_of(found: &Found, bytes: &[u8]) -> String {
    let content: Content = found.content(bytes);
    content.text()
}
