//! The last scan.

use etwkit::container::{Arena, BufferInfo, Step, Walk};
use etwkit::decode::{Event, Scratch};
use etwkit::event::RawEvent;
use etwkit::format::BufferHeader;
use etwkit::{Input, ProblemKind, Trace};

use crate::buffers::{self, Buffer, located};
use crate::error::{Error, Result};
use crate::find::{Finder, Found};
use crate::kind::Kind;
use crate::naming::Naming;
use crate::packed::unpacked;
use crate::region::Region;
use crate::rewrite::text_of;
use crate::words::Words;

/// Reads an output again.
#[derive(Debug)]
pub(crate) struct Check<'c> {
    pub(crate) finder: &'c Finder,
    pub(crate) words: &'c Words,
    pub(crate) naming: &'c Naming,
}

/// Bytes that are read at once.
const WINDOW: usize = 1 << 20;

impl Check<'_> {
    /// Fails if a secret is left, or if an event is read in another way.
    pub(crate) fn run(&self, old: &Trace, new: &Trace) -> Result<()> {
        self.all_bytes(new)?;
        no_slack(new)?;
        same_clock(old, new)?;
        same_events(old, new)?;
        let mut scratch = Scratch::default();
        buffers::each(new, |buffer| {
            buffer.each_event(|event| {
                let offset = offset_of(buffer, &event);
                self.event(new, event, offset, &mut scratch)
            })
        })
    }

    /// Looks for words in all bytes of the file, whatever they are.
    fn all_bytes(&self, trace: &Trace) -> Result<()> {
        let Some(file) = trace.files().first() else { return Ok(()) };
        let (mut at, mut memory) = (0, Vec::new());
        while at < file.source.len() {
            // Windows overlap, so that no word is between them.
            let window = file.source.window(at, WINDOW + self.words.longest, &mut memory)?;
            if let Some((place, kind)) = self.words.first_long(window) {
                let offset = at + place as u64;
                return Err(Error::Left { kind: kind.name(), offset, what: "as bytes of the file" });
            }
            at += WINDOW as u64;
        }
        Ok(())
    }

    fn event(&self, trace: &Trace, event: RawEvent<'_>, offset: u64, scratch: &mut Scratch) -> Result<()> {
        let region = Region::of(&event);
        let bytes = event.bytes().get(region.start..).unwrap_or_default();
        let located = located(trace, event, scratch);
        let (found, pieces) = self.finder.find(bytes, &located);
        if let Some(found) = found.iter().find(|found| !self.is_made(found, bytes)) {
            return left(found.kind, offset, "by its form or its field");
        }
        if let Some(found) = self.words.find(bytes, &pieces, |at| region.is_name(at)).next() {
            return left(found.kind, offset, "as a word");
        }
        unpacked(&located).map_or(Ok(()), |payload| self.unpacked(&located, payload, offset))
    }

    /// Returns whether what was found was made. Where it is not known what is text, a number beside an address may look like
    /// a digit of its pseudonym and not of itself.
    fn is_made(&self, found: &Found, bytes: &[u8]) -> bool {
        let text = text_of(found, bytes);
        let is_address = found.kind == Kind::Address && found.form.coding().is_some();
        let len = text.len();
        let parts = [0..len, 1..len, 0..len.saturating_sub(1), 1..len.saturating_sub(1)];
        let parts = parts.into_iter().take(if is_address { 4 } else { 1 });
        parts.filter_map(|part| text.get(part)).any(|text| self.naming.is_made(text))
    }

    /// Looks into a payload that the event has in packed form.
    fn unpacked(&self, event: &Event<'_>, payload: &[u8], offset: u64) -> Result<()> {
        let (found, pieces) = self.finder.find(payload, event);
        let found = found.into_iter().find(|found| !self.is_made(found, payload));
        match found.or_else(|| self.words.find(payload, &pieces, |_| false).next()) {
            Some(found) => left(found.kind, offset, "in packed data of the event"),
            None => Ok(()),
        }
    }
}

/// Fails if bytes that nobody read follow events.
fn no_slack(new: &Trace) -> Result<()> {
    let places: Vec<u64> =
        new.problems().iter().filter(|problem| problem.kind == ProblemKind::Slack).map(|slack| slack.offset).collect();
    if places.is_empty() {
        return Ok(());
    }
    buffers::each(new, |buffer| {
        let range = buffer.info.offset..buffer.info.offset + u64::from(buffer.info.size);
        match places.iter().find(|place| range.contains(place)).filter(|_| buffer.has_events()) {
            Some(offset) => Err(Error::Changed { offset: *offset, what: "old bytes follow it" }),
            None => Ok(()),
        }
    })
}

fn left<T>(kind: Kind, offset: u64, what: &'static str) -> Result<T> {
    Err(Error::Left { kind: kind.name(), offset, what })
}

/// Returns where an event is in the file; all buffers of an output are plain.
fn offset_of(buffer: &Buffer<'_>, event: &RawEvent<'_>) -> u64 {
    buffer.info.offset + u64::from(event.place().offset)
}

/// Fails unless the times of both traces mean the same.
fn same_clock(old: &Trace, new: &Trace) -> Result<()> {
    let clock = |trace: &Trace| trace.files().first().map(|file| file.head.clock);
    let changed = Error::Changed { offset: BufferHeader::SIZE as u64, what: "it is the header, and its clock differs" };
    if clock(old) == clock(new) { Ok(()) } else { Err(changed) }
}

/// Fails unless both traces have the same events with the same fields.
fn same_events(old: &Trace, new: &Trace) -> Result<()> {
    let changed = |offset, what| Err(Error::Changed { offset, what });
    let [Some(old_file), Some(new_file)] = [old.files().first(), new.files().first()] else { return Ok(()) };
    let (mut arenas, mut scratches) = (<[Arena; 2]>::default(), <[Scratch; 2]>::default());
    let [mut old_buffers, mut new_buffers] = [old, new].map(|trace| (0..).zip(trace.buffers()));
    let [old_arena, new_arena] = &mut arenas;
    loop {
        let old_buffer = next_with_events(&mut old_buffers, &old_file.source, old_arena)?;
        let new_buffer = next_with_events(&mut new_buffers, &new_file.source, new_arena)?;
        let (old_place, new_place) = match (old_buffer, new_buffer) {
            (None, None) => return Ok(()),
            (Some(old_place), Some(new_place)) => (old_place, new_place),
            (place, other) => {
                let offset = place.or(other).map_or(0, |(_, info)| info.offset);
                return changed(offset, "the number of buffers with events differs");
            }
        };
        let mut old_walk = walk(&old_place, &old_file.source, old_arena)?;
        let mut new_walk = walk(&new_place, &new_file.source, new_arena)?;
        loop {
            let offset = new_place.1.offset + u64::from(new_walk.offset());
            let [first, second] = &mut scratches;
            match (next(&mut old_walk), next(&mut new_walk)) {
                (None, None) => break,
                (Some(one), Some(two)) => same_event(&located(old, one, first), &located(new, two, second), offset)?,
                _ => return changed(offset, "the number of events differs"),
            }
        }
    }
}

/// The number of a buffer, and what is known about it.
type Numbered = (u32, BufferInfo);

/// Passes over buffers up to the next one with events.
fn next_with_events(
    buffers: &mut impl Iterator<Item = Numbered>,
    source: &Input,
    arena: &mut Arena,
) -> Result<Option<Numbered>> {
    for (number, info) in buffers {
        if (Buffer { info: &info, number, bytes: arena.load(source, &info)?.bytes }).has_events() {
            return Ok(Some((number, info)));
        }
    }
    Ok(None)
}

fn walk<'a>((number, info): &Numbered, source: &'a Input, arena: &'a mut Arena) -> Result<Walk<'a>> {
    Ok(Walk::new(arena.load(source, info)?.bytes, info, *number))
}

fn next<'d>(walk: &mut Walk<'d>) -> Option<RawEvent<'d>> {
    loop {
        if let Step::Event(event) = walk.step()? {
            return Some(event);
        }
    }
}

fn same_event(old: &Event<'_>, new: &Event<'_>, offset: u64) -> Result<()> {
    let changed = |what| Err(Error::Changed { offset, what });
    let (one, two) = (old.raw(), new.raw());
    if one.key() != two.key() || one.time() != two.time() || one.bytes().len() != two.bytes().len() {
        return changed("its header differs");
    }
    if old.fit() != new.fit() {
        return changed("its payload fits its schema in another way");
    }
    if old.fields().count() != new.fields().count() {
        return changed("it has another number of fields");
    }
    Ok(())
}
