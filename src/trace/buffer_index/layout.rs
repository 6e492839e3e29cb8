//! Which numbers of a buffer and of a segment are kept, in which order, and what each is likely to be. Both directions
//! go by this.

use crate::FileId;
use crate::container::BufferInfo;
use crate::decode::Seen;
use crate::format::{BufferFlags, Framing};
use crate::time::RawTime;

use crate::trace::segment::Segment;

/// Writes numbers, or reads them.
pub(super) trait Coder {
    /// Passes a number; one that is close to what is likely takes few bytes.
    fn number(&mut self, value: &mut i64, likely: i64);
    /// Passes bits that nothing is known of.
    fn word(&mut self, value: &mut u32);
}

/// The numbers of a buffer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BufferRow {
    /// What nearly all buffers have in common: file, flags, type and framing, 16 bits each.
    class: i64,
    offset: i64,
    size: i64,
    used: i64,
    processor: i64,
    sequence: i64,
    time: i64,
    /// Where its first segment begins.
    start: i64,
    /// The earliest time of its first segment.
    earliest: i64,
}

impl BufferRow {
    pub(super) fn new(info: &BufferInfo, segments: &[Segment], before: &Self) -> Self {
        let BufferInfo { file, offset, size, used, flags, processor, buffer_type, sequence, time, framing } = *info;
        let class = [file.0, flags.0, buffer_type, framing as u16];
        let first = segments.first();
        Self {
            class: class.iter().fold(0, |all, part| all << 16 | i64::from(*part)),
            offset: offset.cast_signed(),
            size: size.into(),
            used: used.into(),
            processor: processor.into(),
            sequence,
            time: time.0,
            start: first.map_or(before.start, |first| first.start.into()),
            earliest: first.map_or(before.earliest, |first| first.min.0),
        }
    }

    pub(super) fn info(&self) -> BufferInfo {
        let [file, flags, buffer_type, framing] = [48, 32, 16, 0].map(|bits| (self.class >> bits) as u16);
        BufferInfo {
            file: FileId(file),
            offset: self.offset.cast_unsigned(),
            size: self.size as u32,
            used: self.used as u32,
            flags: BufferFlags(flags),
            processor: self.processor as u16,
            buffer_type,
            sequence: self.sequence,
            time: RawTime(self.time),
            framing: framing_of(framing),
        }
    }

    /// Passes all numbers of a buffer that follows another one.
    #[inline]
    pub(super) fn pass(&mut self, before: &Self, coder: &mut impl Coder) {
        coder.number(&mut self.class, before.class);
        coder.number(&mut self.offset, before.offset.wrapping_add(before.size));
        coder.number(&mut self.size, before.size);
        coder.number(&mut self.used, before.used);
        coder.number(&mut self.processor, before.processor);
        coder.number(&mut self.sequence, before.sequence);
        coder.number(&mut self.time, before.time);
        coder.number(&mut self.start, before.start);
        coder.number(&mut self.earliest, before.earliest);
    }
}

/// The framing of a class.
const fn framing_of(word: u16) -> Framing {
    const OLD: u16 = Framing::ShortInstanceMarkers as u16;
    const RECORDS: u16 = Framing::Records as u16;
    const MARKERS_32: u16 = Framing::Markers32 as u16;
    const OLD_32: u16 = Framing::ShortInstanceMarkers32 as u16;
    match word {
        OLD => Framing::ShortInstanceMarkers,
        RECORDS => Framing::Records,
        MARKERS_32 => Framing::Markers32,
        OLD_32 => Framing::ShortInstanceMarkers32,
        _ => Framing::Markers,
    }
}

/// The numbers of a segment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SegmentRow {
    start: i64,
    len: i64,
    min: i64,
    /// From the earliest to the latest time, modulo 2^64.
    ticks: i64,
    entry_time: i64,
    /// Bit 0: not in order of time; bit 1: before a gap.
    marks: i64,
    /// The lower half of the marks of its types, and the upper one.
    seen: [u32; 2],
    sample: u32,
}

impl SegmentRow {
    /// What comes before the first segment of a buffer: that one begins where this one ends.
    pub(super) fn before(buffer: &BufferRow) -> Self {
        Self { start: buffer.start, min: buffer.earliest, ..Self::default() }
    }

    pub(super) fn new(segment: &Segment) -> Self {
        let Segment { start, end, entry_time, min, max, is_sorted, seen, before_gap, sample, .. } = *segment;
        Self {
            start: start.into(),
            len: i64::from(end) - i64::from(start),
            min: min.0,
            ticks: max.0.wrapping_sub(min.0),
            entry_time: entry_time.0,
            marks: i64::from(!is_sorted) | i64::from(before_gap) << 1,
            seen: seen.words(),
            sample,
        }
    }

    /// Returns the segment of a buffer.
    pub(super) const fn segment(&self, buffer: u32) -> Segment {
        Segment {
            buffer,
            start: self.start as u32,
            end: (self.start + self.len) as u32,
            entry_time: RawTime(self.entry_time),
            min: RawTime(self.min),
            max: RawTime(self.max()),
            is_sorted: self.marks & 1 == 0,
            seen: Seen::of_words(self.seen),
            before_gap: self.marks & 2 != 0,
            sample: self.sample,
        }
    }

    const fn max(&self) -> i64 {
        self.min.wrapping_add(self.ticks)
    }

    /// Passes all numbers of a segment that follows another one of the same buffer.
    #[inline]
    pub(super) fn pass(&mut self, before: &Self, coder: &mut impl Coder) {
        coder.number(&mut self.start, before.start.wrapping_add(before.len));
        coder.number(&mut self.len, before.len);
        coder.number(&mut self.min, before.max());
        coder.number(&mut self.ticks, before.ticks);
        // The event before a segment is the last one of the segment before it, which usually is its latest, too.
        coder.number(&mut self.entry_time, if before.len == 0 { self.min } else { before.max() });
        coder.number(&mut self.marks, 0);
        let [low, high] = &mut self.seen;
        for word in [low, high, &mut self.sample] {
            coder.word(word);
        }
    }
}
