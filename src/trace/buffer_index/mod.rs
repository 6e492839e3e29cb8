//! What is known of all buffers and of their segments, packed.
//!
//! A trace of many gigabytes has hundreds of thousands of buffers, and what is known of them stays in memory for as
//! long as the trace is open. Most numbers of a buffer are close to those of the one before it. So they are kept as
//! differences, as few bytes as these need, in blocks of some buffers each that can be read without the others.

mod blocks;
mod buffers;
mod layout;
mod numbers;
mod pack;
mod unpack;

use crate::container::BufferInfo;

use super::segment::Segment;
use blocks::Blocks;
use pack::Packer;
use unpack::Unpacker;

pub use buffers::Buffers;
pub(super) use numbers::IndexedSegment;

/// Buffers in the order in which they were found, each with its segments.
#[derive(Debug, Default)]
pub(super) struct BufferIndex {
    blocks: Blocks,
    packer: Packer,
}

/// Buffers of a block: to find one, half of those of its block are passed over.
const BLOCK: u32 = 8;

impl BufferIndex {
    /// Returns how many buffers there are.
    pub(super) const fn len(&self) -> u32 {
        self.blocks.end().buffer
    }

    /// Adds a buffer and its segments, which are in order and begin and end within it.
    pub(super) fn push(&mut self, buffer: &BufferInfo, segments: &[Segment]) {
        let Self { blocks, packer } = self;
        if blocks.buffers_of_last() >= BLOCK {
            blocks.begin();
            *packer = Packer::default();
        }
        blocks.push(segments.len(), |bytes| packer.push(buffer, segments, bytes));
    }

    /// Adds the buffers of another index after its own.
    pub(super) fn append(&mut self, other: &Self) {
        self.blocks.append(&other.blocks);
        // What comes next continues the last block, which may still be one of its own.
        if other.len() > 0 {
            self.packer = other.packer.clone();
        }
    }

    /// Returns how many blocks there are.
    pub(super) const fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the segments of a block, in order.
    pub(super) fn block(&self, number: usize) -> impl Iterator<Item = IndexedSegment> {
        self.blocks.unpacker(number).into_iter().flat_map(Unpacker::segments)
    }

    /// Returns all segments, in order.
    pub(super) fn segments(&self) -> impl Iterator<Item = IndexedSegment> {
        (0..self.blocks()).flat_map(|number| self.block(number))
    }

    /// Returns the segment with a number.
    pub(super) fn segment(&self, number: u32) -> Option<IndexedSegment> {
        self.blocks.unpacker(self.blocks.of_segment(number)?)?.segment(number)
    }

    /// Returns the buffer with a number.
    pub(super) fn buffer(&self, number: u32) -> Option<BufferInfo> {
        Buffers::from(&self.blocks, number).next()
    }

    /// Returns all buffers, in order.
    pub(super) fn buffers(&self) -> Buffers<'_> {
        Buffers::from(&self.blocks, 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::FileId;
    use crate::decode::Seen;
    use crate::format::{BufferFlags, Framing};
    use crate::time::RawTime;

    /// Numbers of buffers as files have them, and any others.
    fn buffer() -> impl Strategy<Value = BufferInfo> {
        let usual = (0..3_u16, 0..1_u64 << 40, Just(0x1_0000_u32), 72..0x1_0001_u32, 0..100_i64, 0..1_i64 << 60);
        let odd = (any::<u16>(), any::<u64>(), any::<u32>(), any::<u32>(), any::<i64>(), any::<i64>());
        let framing = prop_oneof![
            Just(Framing::Markers),
            Just(Framing::ShortInstanceMarkers),
            Just(Framing::Records),
            Just(Framing::Markers32),
            Just(Framing::ShortInstanceMarkers32)
        ];
        (prop_oneof![usual, odd], any::<[u16; 3]>(), framing).prop_map(|(numbers, words, framing)| {
            let ((file, offset, size, used, sequence, time), [flags, processor, buffer_type]) = (numbers, words);
            let (file, flags, time) = (FileId(file), BufferFlags(flags), RawTime(time));
            BufferInfo { file, offset, size, used, flags, processor, buffer_type, sequence, time, framing }
        })
    }

    /// A segment, whose place and buffer are not set.
    fn segment() -> impl Strategy<Value = Segment> {
        let times = prop_oneof![[0..1000_i64, 0..1000_i64, 0..1000_i64], any::<[i64; 3]>()];
        (times, any::<[bool; 2]>(), any::<[u32; 2]>(), any::<u32>()).prop_map(
            |(times, [is_sorted, before_gap], seen, sample)| {
                let [min, max, entry_time] = times.map(RawTime);
                let (buffer, start, end, seen) = (0, 0, 0, Seen::of_words(seen));
                Segment { buffer, start, end, entry_time, min, max, is_sorted, seen, before_gap, sample }
            },
        )
    }

    /// Places of segments: each begins where the one before it ends.
    fn placed((lens, segments): (Vec<u32>, Vec<Segment>), buffer: u32) -> Vec<Segment> {
        let mut start = 72;
        let place = |(segment, len): (Segment, u32)| {
            let end = start + len;
            let placed = Segment { buffer, start, end, ..segment };
            start = end;
            placed
        };
        segments.into_iter().zip(lens).map(place).collect()
    }

    fn text(segments: impl Iterator<Item = IndexedSegment>) -> Vec<String> {
        segments.map(|segment| format!("{segment:?}")).collect()
    }

    proptest! {
        #[test]
        fn what_was_packed_comes_back(
            rows in prop::collection::vec(
                (buffer(), prop::collection::vec(0..40_000_u32, 4), prop::collection::vec(segment(), 0..4)),
                0..40,
            ),
            cut in 0..40_usize,
        ) {
            let (mut first, mut second, mut wanted) = (BufferIndex::default(), BufferIndex::default(), Vec::new());
            for (number, (buffer, lens, segments)) in (0..).zip(&rows) {
                let segments = placed((lens.clone(), segments.clone()), number);
                if (cut..2 * cut).contains(&(number as usize)) {
                    second.push(buffer, &segments);
                } else {
                    // After the others, what comes next is added to the whole.
                    first.append(&std::mem::take(&mut second));
                    first.push(buffer, &segments);
                }
                wanted.extend(segments.into_iter().map(|segment| (*buffer, segment)));
            }
            first.append(&second);
            let buffers: Vec<BufferInfo> = rows.iter().map(|(buffer, ..)| *buffer).collect();
            prop_assert_eq!(first.len() as usize, buffers.len());
            prop_assert_eq!(first.buffers().len(), buffers.len());
            prop_assert_eq!(&first.buffers().collect::<Vec<_>>(), &buffers);
            let wanted = (0..).zip(wanted).map(|(number, (buffer, segment))| IndexedSegment { number, segment, buffer });
            let wanted = text(wanted);
            prop_assert_eq!(&text(first.segments()), &wanted);
            let one_by_one = text((0..wanted.len() as u32 + 2).filter_map(|number| first.segment(number)));
            prop_assert_eq!(&one_by_one, &wanted);
            let one_by_one: Vec<BufferInfo> = (0..buffers.len() as u32 + 2).filter_map(|n| first.buffer(n)).collect();
            prop_assert_eq!(one_by_one, buffers);
        }
    }

    #[test]
    fn a_buffer_takes_few_bytes() {
        let mut index = BufferIndex::default();
        for number in 0..1000_u32 {
            let offset = u64::from(number) << 16;
            let time = RawTime(133_000_000_000 + i64::from(number) * 20_000);
            let used = 65_500 - number % 30;
            let (file, flags, buffer_type, framing) = (FileId(0), BufferFlags(0x20), 3, Framing::Markers);
            let (processor, sequence) = (number as u16 % 8, i64::from(number));
            let info = BufferInfo {
                file,
                offset,
                size: 0x1_0000,
                used,
                flags,
                processor,
                buffer_type,
                sequence,
                time,
                framing,
            };
            let segment = |start, end, at: i64| Segment {
                buffer: number,
                start,
                end,
                entry_time: RawTime(time.0 + at),
                min: RawTime(time.0 + at),
                max: RawTime(time.0 + at + 70_000),
                is_sorted: true,
                seen: Seen::of_words([number, !number]),
                before_gap: false,
                sample: number * 7919,
            };
            index.push(&info, &[segment(72, 32_900, 0), segment(32_900, used, 70_000)]);
        }
        let bytes = index.blocks.memory();
        assert!(bytes < 64 * 1000, "{bytes}");
    }
}
