//! How the stream of a `.btl` block is packed (section 17).
//!
//! The file does not state it: `BPerf` packed its blocks with XPRESS-Huffman first, and with ULZ later. What a stream
//! unpacks to decides, since a block begins with a record.

use crate::compress::{Corrupt, ulz, xpress_huffman};
use crate::format::RecordHeader;

/// Bytes of a stream that are enough to unpack the first record's header, however it is packed: a code table, and a
/// code of 15 bits for each byte.
pub(super) const PEEK: usize = TABLE + 256;
/// Bytes of the code table that a stream of XPRESS-Huffman begins with.
const TABLE: usize = 256;

/// How a stream is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Ulz,
    XpressHuffman,
}

impl Packing {
    const ALL: [Self; 2] = [Self::Ulz, Self::XpressHuffman];

    /// Returns how a stream is packed: so that a record comes out or, if none does, so that its first bytes are right.
    pub(super) fn of(stream: &[u8]) -> Self {
        let start = stream.get(..PEEK).unwrap_or(stream);
        let of_record = Self::ALL.into_iter().find(|packing| packing.may_begin(start) && packing.has_record(start));
        let of_table = Some(Self::XpressHuffman).filter(|packing| packing.may_begin(start));
        of_record.or(of_table).unwrap_or(Self::Ulz)
    }

    /// Returns whether any packing could begin with these bytes.
    pub(super) fn any_may_begin(stream: &[u8]) -> bool {
        Self::ALL.into_iter().any(|packing| packing.may_begin(stream))
    }

    /// Returns whether a stream of records begins with these bytes. `tables` is how many code tables may still be
    /// built, which takes far longer than other checks.
    pub(super) fn any_has_record(stream: &[u8], tables: &mut usize) -> bool {
        if Self::Ulz.may_begin(stream) && Self::Ulz.has_record(stream) {
            return true;
        }
        if *tables == 0 || !Self::XpressHuffman.may_begin(stream) {
            return false;
        }
        *tables -= 1;
        Self::XpressHuffman.has_record(stream)
    }

    /// Unpacks the stream at the start of `input` until `output` is full, and returns the input bytes it took.
    pub(super) fn decompress(self, input: &[u8], output: &mut [u8]) -> Result<usize, Corrupt> {
        match self {
            Self::Ulz => ulz::decompress(input, output),
            Self::XpressHuffman => xpress_huffman::decompress(input, output),
        }
    }

    /// Returns how many bytes a writer may leave after the end of a stream, as in compressed buffers (section 2.5).
    pub(super) const fn spare(self) -> usize {
        match self {
            Self::Ulz => 0,
            Self::XpressHuffman => 4,
        }
    }

    /// Returns whether a writer's stream could begin with these bytes.
    fn may_begin(self, stream: &[u8]) -> bool {
        match self {
            // The top three bits of a token are the number of literals; a match needs earlier output (section 17).
            Self::Ulz => stream.first().is_some_and(|token| *token >= 0x20),
            Self::XpressHuffman => stream.get(..TABLE).is_some_and(is_code_table),
        }
    }

    /// Returns whether the stream unpacks to a record.
    fn has_record(self, stream: &[u8]) -> bool {
        let mut record = [0; RecordHeader::SIZE];
        // The stream goes on after the header, so a full output is not an error here.
        let produced = match self.decompress(stream, &mut record) {
            Ok(_) => record.len(),
            Err(corrupt) => corrupt.filled,
        };
        produced == record.len() && RecordHeader::view(&record).is_some_and(RecordHeader::is_plausible)
    }
}

/// Returns whether the four-bit lengths of codes use most of the bit patterns, and none twice: random bytes describe
/// far more codes than there are patterns, and zeros none.
fn is_code_table(table: &[u8]) -> bool {
    const PATTERNS: u32 = 1 << 15;
    let share = |length: u8| if length == 0 { 0 } else { PATTERNS >> length };
    let used: u32 = table.iter().map(|pair| share(pair & 15) + share(pair >> 4)).sum();
    used > PATTERNS / 2 && used <= PATTERNS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_tables() {
        let with = |pairs: &[u8]| {
            let mut table = [0; TABLE];
            table[..pairs.len()].copy_from_slice(pairs);
            is_code_table(&table)
        };
        assert!(with(&[0x11]) && with(&[0x21, 0x02]) && is_code_table(&[0x99; TABLE]));
        assert!(!with(&[]) && !with(&[0x01]) && !with(&[0x11, 0x0F]) && !is_code_table(&[0x98; TABLE]));
    }

    #[test]
    fn a_stream_that_unpacks_to_no_record_is_taken_by_its_first_bytes() {
        let mut table = [0; PEEK];
        table[0] = 0x11;
        assert_eq!(Packing::of(&table), Packing::XpressHuffman);
        assert_eq!((Packing::of(b"\x60abc"), Packing::of(b"")), (Packing::Ulz, Packing::Ulz));
        let mut tables = 1;
        assert!(!Packing::any_has_record(&table, &mut tables));
        assert_eq!(tables, 0);
    }
}
