//! Damage, and which buffers of the original it leaves whole.

use std::fmt::Write;
use std::ops::Range;

use fastrand::Rng;

use super::original::{Buffer, Original};

/// A damaged copy of a trace.
#[derive(Debug)]
pub(super) struct Mutant {
    pub(super) bytes: Vec<u8>,
    /// The buffers of the original.
    places: Vec<Place>,
    /// What was done.
    pub(super) story: String,
    /// Whether bytes were changed so that they may still be events: no reader sees that.
    pub(super) may_be_unseen: bool,
    /// Whether as many bytes as a buffer has were removed: the beginning of one buffer and the end of the next one may
    /// be a whole buffer.
    pub(super) may_join_buffers: bool,
}

/// What became of a buffer of the original.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    len: usize,
    /// Bytes that hold events; fill is after them.
    used: usize,
    is_whole: bool,
    /// Whether nothing of it is left.
    is_taken: bool,
}

impl Place {
    fn of(buffer: &Buffer) -> Self {
        let (start, len) = (buffer.range.start, buffer.range.len());
        Self { start, len, used: buffer.used, is_whole: true, is_taken: false }
    }

    /// Returns whether it is there as it was.
    const fn is_there(&self) -> bool {
        self.is_whole && !self.is_taken
    }

    /// Notes that `hit` was replaced by `len` bytes.
    fn replace(&mut self, hit: &Range<usize>, len: usize) {
        if self.is_taken || self.start + self.len <= hit.start {
            return;
        }
        if self.start >= hit.end {
            self.start = self.start - hit.len() + len;
            return;
        }
        self.is_whole = false;
        // Where only its fill is left, nobody can know that it was there.
        self.is_taken = self.start >= hit.start && self.start + self.used <= hit.end && len != hit.len();
        if len == 0 {
            // What is left of it may be cut off by the next damage.
            let lost = |bytes: usize| (self.start + bytes).min(hit.end).saturating_sub(self.start.max(hit.start));
            (self.len, self.used) = (self.len - lost(self.len), self.used - lost(self.used));
        }
        self.start = self.start.min(hit.start);
    }
}

/// Fields of a buffer's header: offset and size.
const FIELDS: [(usize, usize); 10] =
    [(0, 4), (4, 4), (8, 4), (0x10, 8), (0x18, 8), (0x28, 2), (0x2C, 4), (0x30, 4), (0x34, 2), (0x36, 2)];
/// Fields of the log-file header, from the start of the file.
const HEADER_FIELDS: [(usize, usize); 14] = [
    (72, 4),
    (76, 2),
    (104, 4),
    (108, 4),
    (112, 4),
    (116, 4),
    (120, 8),
    (128, 4),
    (136, 4),
    (140, 4),
    (148, 4),
    (352, 8),
    (360, 8),
    (376, 4),
];
/// Values that break assumptions.
const EXTREMES: [u64; 12] =
    [0, 1, 7, 71, 72, 0xFFFF, 0x1_0000, 0x100_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, u64::MAX];
/// First bytes of other files.
const STRANGERS: [&[u8]; 5] = [b"PK\x03\x04", b"some text\r\n", b"\x1F\x8B\x08\0", b"MZ\x90\0", b"<?xml version"];

impl Mutant {
    /// Damages a copy of a trace, once or twice.
    pub(super) fn of(original: &Original, random: &mut Rng) -> Self {
        let mut mutant = Self {
            bytes: original.bytes.clone(),
            places: original.buffers.iter().map(Place::of).collect(),
            story: String::new(),
            may_be_unseen: false,
            may_join_buffers: false,
        };
        for _ in 0..if random.u8(..4) == 0 { 2 } else { 1 } {
            mutant.damage(random);
        }
        mutant
    }

    /// Returns whether a buffer of the original is there as it was.
    pub(super) fn has(&self, number: usize) -> bool {
        self.places.get(number).is_some_and(Place::is_there)
    }

    /// Returns the buffers of the original that were taken out or cut off whole: only a count reveals them.
    pub(super) fn taken(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.places).filter(|(_, place)| place.is_taken).map(|(number, _)| number)
    }

    fn damage(&mut self, random: &mut Rng) {
        if self.bytes.is_empty() {
            return;
        }
        match random.u8(..16) {
            0 | 1 => self.flip_bits(random),
            2 => self.fill_sectors(random, 0),
            3 => self.fill_sectors(random, 0xFF),
            4 => self.randomize(random),
            5 => self.cut(random),
            6 => self.remove_bytes(random),
            7 => self.insert_bytes(random),
            8 => self.remove_buffer(random),
            9 => self.repeat_buffer(random),
            10 => self.swap_buffers(random),
            11 | 12 => self.set_field(random),
            13 => self.set_header_field(random),
            14 => self.flip_compression(random),
            _ => self.begin_as_stranger(random),
        }
    }

    fn flip_bits(&mut self, random: &mut Rng) {
        for _ in 0..random.usize(1..=4) {
            // Half of them where they have the most effect.
            let spot =
                if random.bool() { self.place(random) + random.usize(..72) } else { random.usize(..self.bytes.len()) };
            let at = spot.min(self.bytes.len() - 1);
            let byte = self.bytes.get(at).copied().unwrap_or_default() ^ 1 << random.u8(..8);
            self.put(at, &[byte], "bit flipped");
        }
        self.may_be_unseen = true;
    }

    fn fill_sectors(&mut self, random: &mut Rng, byte: u8) {
        let (at, len) = self.sectors(random);
        self.put(at, &vec![byte; len], "filled");
    }

    fn randomize(&mut self, random: &mut Rng) {
        let (at, len) = self.sectors(random);
        let bytes: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(len).collect();
        self.put(at, &bytes, "random bytes");
        self.may_be_unseen = true;
    }

    fn cut(&mut self, random: &mut Rng) {
        let at = if random.bool() { self.place(random) } else { random.usize(..self.bytes.len()) };
        let end = self.bytes.len();
        self.splice(at..end, &[], "cut off");
    }

    fn remove_bytes(&mut self, random: &mut Rng) {
        let at = random.usize(..self.bytes.len());
        let len = *random.choice(&[1_usize, 2, 3, 7, 8, 64, 511, 512, 4096]).unwrap_or(&1);
        self.may_join_buffers |= self.places.iter().any(|place| place.len > 0 && len.is_multiple_of(place.len));
        self.splice(at..(at + len).min(self.bytes.len()), &[], "removed");
    }

    fn insert_bytes(&mut self, random: &mut Rng) {
        let at = random.usize(..self.bytes.len());
        let len = *random.choice(&[1, 2, 3, 7, 8, 64, 511, 512, 4096]).unwrap_or(&1);
        let bytes: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(len).collect();
        self.splice(at..at, &bytes, "inserted");
    }

    fn remove_buffer(&mut self, random: &mut Rng) {
        let Some((start, len)) = self.whole(random) else { return };
        self.splice(start..start + len, &[], "buffer removed");
    }

    fn repeat_buffer(&mut self, random: &mut Rng) {
        let Some((start, len)) = self.whole(random) else { return };
        let copy = self.bytes.get(start..start + len).unwrap_or_default().to_vec();
        let at = self.place(random);
        self.splice(at..at, &copy, "buffer repeated");
    }

    fn swap_buffers(&mut self, random: &mut Rng) {
        let whole: Vec<usize> = (1..self.places.len()).filter(|&n| self.has(n)).collect();
        let (Some(&one), Some(&other)) = (random.choice(&whole), random.choice(&whole)) else { return };
        let place = |number: usize| self.places.get(number).copied();
        let (Some(moving), Some(target)) = (place(one), place(other).filter(|_| one != other)) else { return };
        let (from, len, to) = (moving.start, self.len_of(&moving), target.start);
        let moved: Vec<u8> = self.bytes.get(from..from + len).unwrap_or_default().to_vec();
        let to = if to > from { to - len } else { to };
        self.splice(from..from + len, &[], "buffer moved away");
        self.splice(to..to, &moved, "and put");
        if let Some(place) = self.places.get_mut(one) {
            *place = Place { start: to, ..moving };
        }
    }

    fn set_field(&mut self, random: &mut Rng) {
        let (start, &(field, size)) = (self.place(random), random.choice(&FIELDS).unwrap_or(&(0, 4)));
        self.set(random, start + field, size);
    }

    fn set_header_field(&mut self, random: &mut Rng) {
        let &(field, size) = random.choice(&HEADER_FIELDS).unwrap_or(&(104, 4));
        self.set(random, field, size);
    }

    fn set(&mut self, random: &mut Rng, at: usize, size: usize) {
        let value = if random.u8(..4) == 0 { random.u64(..) } else { *random.choice(&EXTREMES).unwrap_or(&0) };
        let bytes = value.to_le_bytes();
        self.put(at, bytes.get(..size).unwrap_or(&bytes), "field set");
        self.may_be_unseen |= (72..512).contains(&at);
    }

    fn flip_compression(&mut self, random: &mut Rng) {
        let at = self.place(random) + 0x34;
        let flags = self.bytes.get(at).copied().unwrap_or_default() ^ 0x40;
        self.put(at, &[flags], "flag of compression flipped");
    }

    fn begin_as_stranger(&mut self, random: &mut Rng) {
        let magic = random.choice(STRANGERS).unwrap_or(b"PK\x03\x04".as_slice());
        let len = random.choice(&[4_usize, 512, 4096]).copied().unwrap_or(4).min(self.bytes.len());
        let page: Vec<u8> = magic.iter().copied().cycle().take(len).collect();
        self.put(0, &page, "begins as another file");
    }

    /// Returns the start of a buffer.
    fn place(&self, random: &mut Rng) -> usize {
        let known: Vec<usize> = self.places.iter().filter(|place| place.is_there()).map(|place| place.start).collect();
        random.choice(&known).copied().unwrap_or(0).min(self.bytes.len().saturating_sub(1))
    }

    /// Returns a whole buffer that is not the first.
    fn whole(&self, random: &mut Rng) -> Option<(usize, usize)> {
        let known = self.places.iter().skip(1).filter(|place| place.is_there());
        let known: Vec<(usize, usize)> = known.map(|place| (place.start, self.len_of(place))).collect();
        random.choice(&known).copied()
    }

    /// Returns the bytes of a buffer with its fill, which may be cut off.
    fn len_of(&self, place: &Place) -> usize {
        place.len.min(self.bytes.len().saturating_sub(place.start))
    }

    /// Returns some sectors.
    fn sectors(&self, random: &mut Rng) -> (usize, usize) {
        let at = random.usize(..self.bytes.len()) / 512 * 512;
        let len = 512 * random.choice(&[1, 1, 2, 8, 40]).copied().unwrap_or(1);
        (at, len.min(self.bytes.len() - at))
    }

    /// Writes over bytes.
    fn put(&mut self, at: usize, bytes: &[u8], what: &str) {
        let end = (at + bytes.len()).min(self.bytes.len());
        if at < end {
            self.splice(at..end, bytes.get(..end - at).unwrap_or_default(), what);
        }
    }

    fn splice(&mut self, range: Range<usize>, bytes: &[u8], what: &str) {
        let _ = write!(self.story, "{what} {:#x}..{:#x}; ", range.start, range.end);
        // What stays as it is, at either end, is not damaged.
        let old = self.bytes.get(range.clone()).unwrap_or_default();
        let is_same_size = old.len() == bytes.len();
        let same = if is_same_size { old.iter().zip(bytes).take_while(|(a, b)| a == b).count() } else { 0 };
        let tail = if is_same_size { old.iter().zip(bytes).rev().take_while(|(a, b)| a == b).count() } else { 0 };
        let hit = range.start + same..(range.end - tail).max(range.start + same);
        if !(hit.is_empty() && is_same_size) {
            self.places
                .iter_mut()
                .for_each(|place| place.replace(&hit, if is_same_size { hit.len() } else { bytes.len() }));
        }
        self.bytes.splice(range, bytes.iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_that_is_cut_off_in_two_pieces_is_taken() {
        let mut place = Place::of(&Buffer { range: 0x3000..0x4000, used: 0x3A8, events: 6 });
        place.replace(&(0x338A..0xA000), 0);
        assert!(!place.is_whole && !place.is_taken);
        place.replace(&(0x3000..0x338A), 0);
        assert!(place.is_taken);
    }

    #[test]
    fn a_buffer_that_was_moved_can_be_damaged() {
        let buffer = |number: usize| Buffer { range: 512 * number..512 * (number + 1), used: 512, events: 1 };
        let buffers: Vec<Buffer> = (0..4).map(buffer).collect();
        for seed in 0..100 {
            let (bytes, places) = (vec![7; 2048], buffers.iter().map(Place::of).collect());
            let mut mutant =
                Mutant { bytes, places, story: String::new(), may_be_unseen: false, may_join_buffers: false };
            mutant.swap_buffers(&mut Rng::with_seed(seed));
            for number in 0..4 {
                assert!(mutant.has(number));
                mutant.put(mutant.places[number].start + 45, &[9], "overwritten");
                assert!(!mutant.has(number), "seed {seed}: {}", mutant.story);
            }
        }
    }
}
