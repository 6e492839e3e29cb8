//! Log-file headers beyond the first one of a file.

use etwkit::event::{Place, RawEvent};
use etwkit::format::{BufferHeader, Framing};
use etwkit::trace::Trace;

use crate::finding::Finding;

/// Hook of the event whose payload is the header of a file.
const HEADER: u16 = 0;
/// Headers that are listed.
const MOST: usize = 20;
/// Headers that are kept: those of all files of a trace, and more.
const MOST_KEPT: usize = 1 << 16;

/// What the header of another file means.
const CONCATENATED: &str = "files were concatenated: the events from here on are read with the clock, the boot and the names \
                            of the first, which may be wrong; cut the file there";
/// No tool that is known writes such a file.
const WITHIN_A_BUFFER: &str = "the events from here on may be of another session: they are read with the clock, the boot and \
                               the names of the first, which may be wrong";

/// Events whose payload is a log-file header.
#[derive(Debug, Default)]
pub struct HeaderEvents {
    /// Place and bytes.
    list: Vec<(Place, u64)>,
    /// How many had no room in the list.
    more: u64,
}

impl HeaderEvents {
    /// Takes an event, if it is one.
    pub(crate) fn take(&mut self, event: &RawEvent<'_>) {
        if event.hook() != Some(HEADER) {
            return;
        }
        if self.list.len() < MOST_KEPT {
            self.list.push((event.place(), event.bytes().len() as u64));
        } else {
            self.more += 1;
        }
    }

    /// Adds what another one found.
    pub(crate) fn join(&mut self, other: Self) {
        self.list.extend(other.list);
        self.more += other.more + self.list.len().saturating_sub(MOST_KEPT) as u64;
        self.list.truncate(MOST_KEPT);
    }
}

/// Every file has one, at its beginning, also where several sessions appended to it or files were merged (sections 4.4 and
/// 8.6 of the format). Returns how many findings are not listed.
pub(crate) fn check(trace: &Trace, headers: HeaderEvents, findings: &mut Vec<Finding>) -> u64 {
    let located = |(place, len): (Place, u64)| {
        let buffer = trace.buffer(place.buffer).filter(|buffer| buffer.framing != Framing::Records)?;
        let (start, at) = (buffer.offset, u64::from(place.offset));
        // What is behind a cut between buffers is a trace.
        let begins_buffer = at == BufferHeader::SIZE as u64;
        let is_whole = begins_buffer || buffer.is_compressed();
        let within = if is_whole { (start, buffer.size.into()) } else { (start + at, len) };
        (start > 0 || !begins_buffer).then_some((place.file, within, begins_buffer))
    };
    let mut found: Vec<_> = headers.list.into_iter().filter_map(located).collect();
    found.sort_unstable();
    let unlisted = headers.more + found.len().saturating_sub(MOST) as u64;
    for (file, place, begins_buffer) in found.into_iter().take(MOST) {
        let detail = "a second log-file header: another trace begins here".to_owned();
        let meaning = if begins_buffer { CONCATENATED } else { WITHIN_A_BUFFER };
        let mut finding = Finding::new("second-header", file, detail, meaning);
        finding.place = Some(place);
        findings.push(finding);
    }
    unlisted
}
