//! Checksums of packets, which are computed anew where addresses were replaced (RFC 1071, RFC 1624).

use std::ops::Range;

/// The checksum of TCP, UDP or ICMP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Where it is.
    pub(crate) place: usize,
    /// What it is of.
    pub(crate) segment: Range<usize>,
    /// The addresses that it includes.
    pub(crate) pseudo: Range<usize>,
}

impl Sum {
    /// Returns whether the checksum of a header of IPv4 is right.
    pub(crate) fn is_right(header: &[u8]) -> bool {
        folded(total(header)) == u16::MAX
    }

    /// Writes the checksum into a header of IPv4.
    pub(crate) fn write_header(header: &mut [u8]) {
        let Some(place) = header.get_mut(10..12) else { return };
        place.fill(0);
        let sum = !folded(total(header));
        if let Some(place) = header.get_mut(10..12) {
            place.copy_from_slice(&sum.to_be_bytes());
        }
    }

    pub(crate) fn moved(self, by: usize) -> Self {
        let moved = |range: Range<usize>| range.start + by..range.end + by;
        Self { place: self.place + by, segment: moved(self.segment), pseudo: moved(self.pseudo) }
    }

    /// Writes the checksum of changed bytes, from that of the old ones: the packet may be cut. What was wrong stays so, by
    /// the same difference; zero is that of UDP without one.
    pub(crate) fn write(&self, old: &[u8], new: &mut [u8]) {
        let Some(sum) = old.get(self.place..).and_then(|rest| rest.first_chunk()).copied().map(u16::from_be_bytes)
        else {
            return;
        };
        let part = |bytes: &[u8]| {
            let [segment, pseudo] = [&self.segment, &self.pseudo].map(|range| bytes.get(range.clone()));
            u64::from(folded(total(segment.unwrap_or_default()) + total(pseudo.unwrap_or_default())))
        };
        // The checksum is part of the segment; in both it counts as the old one.
        let same = old.get(self.place..self.place + 2).zip(new.get_mut(self.place..self.place + 2));
        if let Some((old, new)) = same {
            new.copy_from_slice(old);
        }
        let made = !folded(u64::from(!sum) + u64::from(!(part(old) as u16)) + part(new));
        if let Some(place) = new.get_mut(self.place..self.place + 2).filter(|_| sum != 0) {
            place.copy_from_slice(&made.to_be_bytes());
        }
    }
}

/// Sums words of 16 bits; a last byte is the upper one.
fn total(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let last = rest.first().map_or(0, |byte| u64::from(*byte) << 8);
    words.iter().map(|word| u64::from(u16::from_be_bytes(*word))).sum::<u64>() + last
}

fn folded(mut sum: u64) -> u16 {
    while sum > 0xFFFF {
        sum = (sum >> 16) + (sum & 0xFFFF);
    }
    sum as u16
}
