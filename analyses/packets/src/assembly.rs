//! Puts the fragments of packets together.
//!
//! A driver hands over a packet as a list of memory blocks, and NDIS-PacketCapture logs an event for each, in order,
//! from one thread on one processor. Its keywords mark the first and the last.

use etwkit::FileId;
use etwkit::FileTime;
use std::collections::BTreeMap;

use etwkit::Result;

use crate::limits;

/// The key that the fragments of one packet share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stream {
    pub(crate) file: FileId,
    pub(crate) processor: u16,
    pub(crate) tid: u32,
    pub(crate) miniport: u32,
    pub(crate) lower: u32,
}

/// A fragment; `head` is what its first one states about the packet.
#[derive(Debug)]
pub(crate) struct Fragment<'d, H> {
    pub(crate) stream: Stream,
    pub(crate) starts: bool,
    pub(crate) ends: bool,
    pub(crate) time: Option<FileTime>,
    pub(crate) head: H,
    pub(crate) data: &'d [u8],
}

/// A packet, or what is there of it.
#[derive(Debug)]
pub(crate) struct Assembled<'a, H> {
    pub(crate) stream: Stream,
    pub(crate) head: &'a H,
    /// Time of the last fragment.
    pub(crate) time: Option<FileTime>,
    /// At most [`limits::MAX_PACKET`] bytes.
    pub(crate) data: &'a [u8],
    /// Bytes of all fragments.
    pub(crate) len: u64,
    /// Whether the last fragment is there.
    pub(crate) complete: bool,
}

/// Packets whose last fragment is awaited.
#[derive(Debug)]
pub(crate) struct Assembler<H> {
    open: BTreeMap<Stream, Open<H>>,
    bytes: usize,
    orphans: u64,
}

#[derive(Debug)]
struct Open<H> {
    head: H,
    time: Option<FileTime>,
    data: Vec<u8>,
    len: u64,
}

impl<H> Default for Assembler<H> {
    fn default() -> Self {
        Self { open: BTreeMap::new(), bytes: 0, orphans: 0 }
    }
}

impl<H> Assembler<H> {
    /// Takes a fragment and hands over the packets that are done with: one whose last fragment this is, and before it
    /// one of the same stream that will not be completed any more.
    pub(crate) fn push(
        &mut self,
        fragment: Fragment<'_, H>,
        emit: &mut dyn FnMut(Assembled<'_, H>) -> Result<()>,
    ) -> Result<()> {
        if fragment.starts {
            self.give_up(fragment.stream, emit)?;
            if fragment.ends {
                return emit(whole(&fragment));
            }
            return self.begin(fragment, emit);
        }
        let Some(open) = self.open.get_mut(&fragment.stream) else {
            self.orphans += 1;
            return Ok(());
        };
        self.bytes += open.add(fragment.data);
        open.time = fragment.time.or(open.time);
        if fragment.ends {
            return self.hand_over(fragment.stream, true, emit);
        }
        self.make_room(emit)
    }

    /// Hands over the beginnings whose ends never came.
    pub(crate) fn finish(&mut self, emit: &mut dyn FnMut(Assembled<'_, H>) -> Result<()>) -> Result<()> {
        while let Some(stream) = self.open.keys().next().copied() {
            self.give_up(stream, emit)?;
        }
        Ok(())
    }

    /// Fragments whose beginning is not there.
    pub(crate) const fn orphans(&self) -> u64 {
        self.orphans
    }

    fn begin(&mut self, fragment: Fragment<'_, H>, emit: &mut dyn FnMut(Assembled<'_, H>) -> Result<()>) -> Result<()> {
        let mut open = Open { head: fragment.head, time: fragment.time, data: Vec::new(), len: 0 };
        self.bytes += open.add(fragment.data);
        self.open.insert(fragment.stream, open);
        self.make_room(emit)
    }

    /// Gives up the packet that waits longest, while too much is kept.
    fn make_room(&mut self, emit: &mut dyn FnMut(Assembled<'_, H>) -> Result<()>) -> Result<()> {
        while self.open.len() > limits::MAX_OPEN || self.bytes > limits::MAX_OPEN_BYTES {
            let oldest = self.open.iter().min_by_key(|(_, open)| open.time).map(|(stream, _)| *stream);
            let Some(stream) = oldest else { break };
            self.give_up(stream, emit)?;
        }
        Ok(())
    }

    fn give_up(&mut self, stream: Stream, emit: &mut dyn FnMut(Assembled<'_, H>) -> Result<()>) -> Result<()> {
        self.hand_over(stream, false, emit)
    }

    fn hand_over(
        &mut self,
        stream: Stream,
        complete: bool,
        emit: &mut dyn FnMut(Assembled<'_, H>) -> Result<()>,
    ) -> Result<()> {
        let Some(Open { head, time, data, len }) = self.open.remove(&stream) else { return Ok(()) };
        self.bytes -= data.len();
        emit(Assembled { stream, head: &head, time, data: &data, len, complete })
    }
}

impl<H> Open<H> {
    /// Adds what fits; gives how much that was.
    fn add(&mut self, data: &[u8]) -> usize {
        let kept = cut(data, limits::MAX_PACKET - self.data.len());
        self.data.extend_from_slice(kept);
        self.len += data.len() as u64;
        kept.len()
    }
}

fn whole<'a, H>(fragment: &'a Fragment<'_, H>) -> Assembled<'a, H> {
    Assembled {
        stream: fragment.stream,
        head: &fragment.head,
        time: fragment.time,
        data: cut(fragment.data, limits::MAX_PACKET),
        len: fragment.data.len() as u64,
        complete: true,
    }
}

fn cut(data: &[u8], most: usize) -> &[u8] {
    data.get(..most).unwrap_or(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(tid: u32) -> Stream {
        Stream { file: FileId::FIRST, processor: 0, tid, miniport: 1, lower: 1 }
    }

    fn fragment(tid: u32, time: i64, starts: bool, ends: bool, data: &[u8]) -> Fragment<'_, ()> {
        Fragment { stream: stream(tid), starts, ends, time: Some(FileTime(time)), head: (), data }
    }

    /// Thread, bytes kept, bytes in all, complete.
    type Seen = (u32, Vec<u8>, u64, bool);

    /// Returns the packets that come out, the number of fragments without beginning, and the most bytes kept.
    fn run(fragments: Vec<Fragment<'_, ()>>) -> (Vec<Seen>, u64, usize) {
        let mut assembler = Assembler::default();
        let (mut out, mut most) = (Vec::new(), 0);
        let mut emit = |packet: Assembled<'_, ()>| {
            out.push((packet.stream.tid, packet.data.to_vec(), packet.len, packet.complete));
            Ok(())
        };
        for fragment in fragments {
            assembler.push(fragment, &mut emit).unwrap();
            most = most.max(assembler.bytes);
        }
        assembler.finish(&mut emit).unwrap();
        assert_eq!(assembler.bytes, 0);
        (out, assembler.orphans(), most)
    }

    #[test]
    fn streams_do_not_mix() {
        let (out, orphans, _) = run(vec![
            fragment(1, 1, true, false, b"ab"),
            fragment(2, 2, true, false, b"xy"),
            fragment(1, 3, false, false, b"c"),
            fragment(2, 4, false, true, b"z"),
            fragment(1, 5, false, true, b"d"),
        ]);
        assert_eq!(out, [(2, b"xyz".to_vec(), 3, true), (1, b"abcd".to_vec(), 4, true)]);
        assert_eq!(orphans, 0);
    }

    #[test]
    fn lost_ends_and_lost_beginnings_are_told() {
        let (out, orphans, _) = run(vec![
            fragment(1, 1, false, true, b"tail"),
            fragment(1, 2, true, false, b"a"),
            fragment(1, 3, true, true, b"whole"),
            fragment(1, 4, true, false, b"b"),
        ]);
        let expected = [(1, b"a".to_vec(), 1, false), (1, b"whole".to_vec(), 5, true), (1, b"b".to_vec(), 1, false)];
        assert_eq!(out, expected);
        assert_eq!(orphans, 1);
    }

    #[test]
    fn what_is_kept_is_limited() {
        let block = vec![7; 60_000];
        // One packet without end, then more packets than may be open.
        let endless = (0..100).map(|n| fragment(0, n, n == 0, n == 99, &block));
        let (out, ..) = run(endless.collect());
        assert_eq!(out.len(), 1);
        assert_eq!((out[0].1.len(), out[0].2), (limits::MAX_PACKET, 6_000_000));
        let many = (0..5000).map(|n| fragment(n, n.into(), true, false, &block));
        let (out, _, most) = run(many.collect());
        assert_eq!(out.len(), 5000);
        assert!(most <= limits::MAX_OPEN_BYTES + limits::MAX_PACKET);
        assert_eq!(out[0].0, 0, "the oldest goes first");
    }
}
