//! Damage to a file never hides the undamaged parts, and missing parts are reported.
//!
//! A trace is walked whole; then it is cut off, a byte of it is changed, or a range of it is zeroed, and it is walked
//! again. These conditions are checked:
//!
//! 1. **No panic, no hang.** A case takes at most seconds (debug build, a file of some MB), and delivers no more events
//!    than the file has room for.
//! 2. **Undamaged buffers come out whole.** Every event of an unchanged buffer is delivered again,
//!    at its place, with its bytes, its raw time and its processor; in file order and in time order.
//! 3. **Nothing vanishes.** Every byte of the damaged file is a buffer header, an event or its padding, fill after a
//!    buffer's used length, part of a compressed buffer, or in a reported problem.
//! 4. **Lost bytes are damage.** Every byte that was in an event of the whole file and is in no delivered event now is
//!    in a problem of severity Damage. If the events of a compressed buffer no longer fill it, a problem of severity
//!    Damage covers it. A cut anywhere but between two buffers is Damage. Bytes 0xFF are not an exception within the
//!    used length of a buffer that is intact.
//!
//! Limits that follow from the format:
//!
//! * There are no checksums. A byte changed in a payload, a time stamp, an id, a processor number or a compressed
//!   literal is not seen; the event is delivered with it. A changed length that happens to lead to the start of a
//!   later event makes one long event: its bytes are delivered, so (4) is met literally.
//! * A cut exactly between two buffers leaves a whole file where nothing dependable counts the buffers (section 4.2):
//!   `tests/missing_buffers.rs` has the cases in which it is reported.
//! * A file whose first event is not whole and which has no other buffer contains nothing, and the same is true of one
//!   whose first buffer's header and first event are damaged if it has no other buffer that is undamaged, or is from
//!   before Vista: it may be refused as no trace.
//! * The log-file header states how all buffers are laid out: before Vista, buffers have no size of their own and no
//!   reader can find them without it. So (2) is not checked when the damage is in the header's first 0x24 payload
//!   bytes (`BufferSize`, `Version`, `LogFileMode`) or in its marker *and* the file is from before Vista and the
//!   header, as it reads then, states something else about the layout or cannot be read at all. In all other cases (2)
//!   is checked even if the header is gone.
//! * Bytes after a used length that are 0xFF look like fill, even if a larger used length had them in an event.
//! * Zeros up to the end of a file that was preallocated or never finalised are what such a file looks like: they are
//!   a Note (`zero-tail`), which (4) takes for a report.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::{Duration, Instant};

use etwkit::container::BufferInfo;
use etwkit::trace::{Filter, Order, Trace};
use etwkit::{Problem, ProblemKind, Severity};
use etwkit_synth::fixtures;
use support::{Random, Seen, census_of, corpus_files, events, is_no_trace};

#[test]
fn fixtures_survive_damage() {
    let mut random = Random(1);
    for fixture in fixtures().into_iter().filter(|f| f.expected.is_trace() && !f.name.starts_with("damaged")) {
        let whole = Whole::of(fixture.name, fixture.bytes);
        for _ in 0..200 {
            whole.try_damage(&whole.random_damage(&mut random));
        }
    }
}

#[test]
fn fixtures_survive_a_cut_at_every_eighth_byte_and_a_flip_of_every_header_bit() {
    for fixture in fixtures() {
        if !["hello.etl", "compressed-xpress.etl", "merged-relogged.etl", "bperf.btl", "bperf-huffman.btl"]
            .contains(&fixture.name)
        {
            continue;
        }
        let whole = Whole::of(fixture.name, fixture.bytes);
        for at in (0..whole.bytes.len()).step_by(8) {
            whole.try_damage(&Damage::Cut(at));
        }
        for (number, buffer) in whole.buffers.iter().enumerate() {
            // Of the first one also the log-file header.
            let most = if number == 0 { 72 + 32 + 0x120 } else { 72 };
            for bit in 0..buffer.range.len().min(most) * 8 {
                whole.try_damage(&Damage::Flip(buffer.range.start + bit / 8, 1 << (bit % 8)));
            }
        }
    }
}

#[test]
fn a_thousand_damages_of_real_files() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let cases: u64 = number("ETWKIT_CASES").unwrap_or(1_000);
    let small = corpus_files(1 << 20);
    let large: Vec<_> = corpus_files(5 << 20).into_iter().filter(|file| !small.contains(file)).collect();
    if small.is_empty() {
        return;
    }
    let start = Instant::now();
    let mut random = Random(number("ETWKIT_SEED").unwrap_or(2));
    // A file at a time, so that each is walked whole but once.
    let each = |share: u64, files: &[_]| share.div_ceil((files.len() as u64).max(1));
    let plan = [(each(cases, &small), small), (each(cases / 40, &large), large)];
    let mut done = 0;
    for (each, files) in plan {
        for (name, path) in files {
            let whole = Whole::of(&name, std::fs::read(path).unwrap());
            for _ in 0..each {
                whole.try_damage(&whole.random_damage(&mut random));
                done += 1;
            }
        }
    }
    eprintln!("{done} damaged files in {:?}", start.elapsed());
}

/// What is done to a file.
#[derive(Clone, Debug)]
enum Damage {
    /// Everything from here on is gone.
    Cut(usize),
    /// This byte is xored with that.
    Flip(usize, u8),
    /// These bytes are zeros.
    Zero(Range<usize>),
    /// These bytes are 0xFF, as an erased block of flash memory.
    Erase(Range<usize>),
}

/// A file before it is damaged.
struct Whole {
    name: String,
    bytes: Vec<u8>,
    buffers: Vec<Buffer>,
    layout: (u32, bool),
}

/// One of its buffers.
struct Buffer {
    range: Range<usize>,
    used: u32,
    compressed: bool,
    /// Events begin at multiples of this.
    align: u32,
    events: Vec<Seen>,
}

impl Whole {
    fn of(name: &str, bytes: Vec<u8>) -> Self {
        let trace = census_of(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!trace.is_damaged(), "{name}: {:?}", trace.problems());
        let mut by_buffer: BTreeMap<u64, Vec<Seen>> = BTreeMap::new();
        for event in events(&trace, Order::File, &Filter::default()) {
            by_buffer.entry(event.buffer).or_default().push(event);
        }
        let buffers = trace.buffers().map(|info| Buffer {
            range: info.offset as usize..info.offset as usize + info.size as usize,
            used: info.used,
            compressed: info.is_compressed(),
            align: info.framing.align() as u32,
            events: by_buffer.remove(&info.offset).unwrap_or_default(),
        });
        Self { name: name.to_owned(), buffers: buffers.collect(), layout: layout(&trace), bytes }
    }

    /// Half of all damage is where it has the most effect: in buffer headers and in the heads of events.
    fn random_damage(&self, random: &mut Random) -> Damage {
        let len = self.bytes.len() as u64;
        let buffer = &self.buffers[random.below(self.buffers.len() as u64) as usize];
        let start = buffer.range.start as u64;
        let event = buffer.events.get(random.below(buffer.events.len() as u64) as usize);
        let event = event.filter(|_| !buffer.compressed).map_or(start + 72, |event| start + u64::from(event.offset));
        let spot = match random.below(4) {
            0 => start + random.below(72),
            1 => event + random.below(16),
            _ => random.below(len),
        };
        let at = spot.min(len - 1) as usize;
        match random.below(4) {
            0 => Damage::Cut(at),
            1 => Damage::Flip(at, 1 + random.below(255) as u8),
            kind => {
                let page = random.below(2) == 0;
                let (at, most) = if page { (at / 512 * 512, 16 << 10) } else { (at, 600) };
                let range = at..(at + 1 + random.below(most) as usize).min(self.bytes.len());
                if kind == 2 { Damage::Zero(range) } else { Damage::Erase(range) }
            }
        }
    }

    fn try_damage(&self, damage: &Damage) {
        let bytes = self.damaged(damage);
        let start = Instant::now();
        let context = format!("{} {damage:x?}", self.name);
        let trace = match census_of(&bytes) {
            Ok(trace) => trace,
            Err(error) => {
                assert!(is_no_trace(&error), "{context}: {error}");
                return assert!(self.has_no_whole_event(damage), "{context}: refused: {error}");
            }
        };
        let found = Found::of(&bytes, &trace);
        assert!(start.elapsed() < Duration::from_secs(10), "{context}: took {:?}", start.elapsed());
        assert!(found.events.len() as u64 <= room(&bytes, &trace), "{context}: too many events");
        self.check_undamaged_buffers(damage, &trace, &found, &context);
        if trace.unlisted_problems() == 0 {
            Self::check_accounts(&bytes, &trace, &found, &context);
            self.check_losses(damage, &bytes, &trace, &found, &context);
        }
    }

    fn damaged(&self, damage: &Damage) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        match damage {
            Damage::Cut(at) => bytes.truncate(*at),
            Damage::Flip(at, mask) => bytes[*at] ^= mask,
            Damage::Zero(range) => bytes[range.clone()].fill(0),
            Damage::Erase(range) => bytes[range.clone()].fill(0xFF),
        }
        bytes
    }

    /// Bytes that are not what they were; a zeroed zero is undamaged.
    fn touched(&self, damage: &Damage) -> Range<usize> {
        match damage {
            Damage::Cut(at) => *at..self.bytes.len(),
            Damage::Flip(at, _) => *at..*at + 1,
            Damage::Zero(range) | Damage::Erase(range) => {
                let byte = if matches!(damage, Damage::Zero(_)) { 0 } else { 0xFF };
                let hit: Vec<usize> = range.clone().filter(|&at| self.bytes[at] != byte).collect();
                hit.first().map_or(0..0, |first| *first..hit[hit.len() - 1] + 1)
            }
        }
    }

    /// Returns whether a file may be refused: it ends inside its first event.
    fn has_no_whole_event(&self, damage: &Damage) -> bool {
        let first = 72 + self.buffers[0].events[0].bytes.len();
        let touched = self.touched(damage);
        let hit = |buffer: &Buffer| touched.start < buffer.range.end && buffer.range.start < touched.end;
        let alone = self.layout.1 || self.buffers[1..].iter().all(hit);
        alone && touched.start < first || matches!(damage, Damage::Cut(at) if *at < first)
    }

    fn check_undamaged_buffers(&self, damage: &Damage, trace: &Trace, found: &Found, context: &str) {
        let touched = self.touched(damage);
        let head = 72..72 + 32 + 0x24;
        let says = layout(trace);
        let gone = trace.files()[0].head.is_missing();
        // Buffers of Vista and later are found whatever the log-file header states.
        let lies = self.layout.1 && (gone || says != self.layout);
        if lies && touched.start < head.end && head.start < touched.end.max(touched.start + 1) {
            return;
        }
        for buffer in &self.buffers {
            if touched.start < buffer.range.end && buffer.range.start < touched.end {
                continue;
            }
            for want in &buffer.events {
                let got = found.events.get(&(want.buffer, want.offset));
                let same = got.is_some_and(|got| {
                    (&got.bytes, got.time, got.processor) == (&want.bytes, want.time, want.processor)
                });
                assert!(
                    same,
                    "{context}: event {:#x} of undamaged buffer {:x?} is not delivered: {:#?}",
                    want.offset,
                    buffer.range,
                    trace.problems()
                );
            }
        }
    }

    fn check_accounts(bytes: &[u8], trace: &Trace, found: &Found, context: &str) {
        let mut known = found.in_events.clone();
        for info in trace.buffers() {
            let start = info.offset as usize;
            mark(&mut known, start..start + 72);
            let end = start + info.size as usize;
            if info.is_compressed() {
                mark(&mut known, start..end);
                continue;
            }
            let used = (start + (info.used as usize).next_multiple_of(8)).min(end);
            // Up to seven bytes after the used length are the padding of the last event.
            mark(&mut known, (start + info.used as usize).min(used)..used);
            // Fill is 0xFF; some writers leave zeros before it.
            let zeros = bytes[used..end].iter().take_while(|&&b| info.used >= 72 && b == 0).count();
            mark(&mut known, used..used + zeros);
            (used..end).for_each(|at| known[at] |= bytes[at] == 0xFF);
        }
        for problem in trace.problems() {
            mark(&mut known, range(problem));
        }
        let unknown = known.iter().position(|known| !known);
        assert_eq!(unknown, None, "{context}: byte {unknown:x?} is accounted for by nothing: {:#?}", trace.problems());
    }

    fn check_losses(&self, damage: &Damage, bytes: &[u8], trace: &Trace, found: &Found, context: &str) {
        let mut reported = found.in_events.clone();
        for problem in
            trace.problems().iter().filter(|p| p.severity == Severity::Damage || p.kind == ProblemKind::ZeroTail)
        {
            mark(&mut reported, range(problem));
        }
        let touched = self.touched(damage);
        for buffer in self.buffers.iter().filter(|b| touched.start < b.range.end && b.range.start < touched.end) {
            if buffer.range.start >= bytes.len() {
                continue; // Nothing shows that there was a buffer.
            }
            if buffer.compressed {
                Self::check_compressed(buffer, trace, found, context);
                continue;
            }
            // After a used length that was changed, 0xFF is what should be there.
            let used = (buffer.range.start + 0x30..buffer.range.start + 0x34).any(|at| touched.contains(&at));
            let may_be_fill = |at: usize| used && bytes[at] == 0xFF;
            for event in &buffer.events {
                let start = buffer.range.start + event.offset as usize;
                let end = (start + event.bytes.len()).min(bytes.len());
                let silent = (start..end).find(|&at| !reported[at] && !may_be_fill(at));
                assert_eq!(silent, None, "{context}: byte {silent:x?} was in an event: {:#?}", trace.problems());
            }
        }
        if let Damage::Cut(at) = damage {
            let between = self.buffers.iter().any(|buffer| buffer.range.start == *at);
            let zeros = trace.problems().iter().any(|problem| problem.kind == ProblemKind::ZeroTail);
            assert!(between || zeros || trace.is_damaged(), "{context}: a cut is not reported");
        }
    }

    fn check_compressed(buffer: &Buffer, trace: &Trace, found: &Found, context: &str) {
        let at = buffer.range.start as u64;
        let mut end = 72;
        for ((_, offset), event) in found.events.range((at, 0)..(at + 1, 0)) {
            if *offset == end {
                end = offset + (event.bytes.len() as u32).next_multiple_of(buffer.align);
            }
        }
        let filled = end >= buffer.used;
        let over = |p: &Problem| {
            range(p).start < buffer.range.end && buffer.range.start < range(p).end.max(range(p).start + 1)
        };
        let damage = trace.problems().iter().any(|p| p.severity == Severity::Damage && over(p));
        assert!(filled || damage, "{context}: events of a compressed buffer are missing: {:#?}", trace.problems());
    }
}

/// What the damaged file gives.
struct Found {
    /// By buffer's place in the file and event's place in the buffer.
    events: BTreeMap<(u64, u32), Seen>,
    /// Which bytes of the file are in delivered events of plain buffers, padding included.
    in_events: Vec<bool>,
}

impl Found {
    fn of(bytes: &[u8], trace: &Trace) -> Self {
        let compressed: BTreeSet<u64> = trace.buffers().filter(BufferInfo::is_compressed).map(|b| b.offset).collect();
        let by_place = events(trace, Order::File, &Filter::default());
        let mut by_time = events(trace, Order::Time, &Filter::default());
        assert!(by_time.windows(2).all(|pair| pair[0].time <= pair[1].time), "time goes back");
        let mut sorted = by_place.clone();
        sorted.sort();
        by_time.sort();
        assert!(sorted == by_time, "file order and time order hold other events");
        assert_eq!(by_place.len() as u64, trace.events_total(), "the passes find the same events");
        let mut in_events = vec![false; bytes.len()];
        for event in by_place.iter().filter(|event| !compressed.contains(&event.buffer)) {
            let start = event.buffer as usize + event.offset as usize;
            mark(&mut in_events, start..start + event.bytes.len().next_multiple_of(8));
        }
        Self { events: by_place.into_iter().map(|event| ((event.buffer, event.offset), event)).collect(), in_events }
    }
}

/// What the log-file header states about the layout of all buffers.
fn layout(trace: &Trace) -> (u32, bool) {
    let head = &trace.files()[0].head;
    (head.log.buffer_size, head.is_pre_vista())
}

/// Events that would fit: none is shorter than eight bytes.
fn room(bytes: &[u8], trace: &Trace) -> u64 {
    let unpacked: u64 = trace.buffers().filter(BufferInfo::is_compressed).map(|b| u64::from(b.used)).sum();
    (bytes.len() as u64 + unpacked) / 8
}

fn range(problem: &Problem) -> Range<usize> {
    problem.offset as usize..(problem.offset + problem.len) as usize
}

fn mark(bytes: &mut [bool], range: Range<usize>) {
    let end = range.end.min(bytes.len());
    bytes[range.start.min(end)..end].fill(true);
}
