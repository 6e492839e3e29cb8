//! The decompressors of compressed trace buffers.
//!
//! Windows has three general-purpose byte compressors, all described in [MS-XCA] ("Xpress
//! Compression Algorithm") and all reachable through `RtlCompressBuffer`:
//!
//! | module | Windows name | seen in |
//! |---|---|---|
//! | [`xpress`] | `COMPRESSION_FORMAT_XPRESS`, plain LZ77 | every compressed `.etl` buffer known |
//! | [`xpress_huffman`] | `COMPRESSION_FORMAT_XPRESS_HUFF`, LZ77 with Huffman codes | the first `.btl` files of `BPerf`, WIM files, SMB3 |
//! | [`lznt1`] | `COMPRESSION_FORMAT_LZNT1` | NTFS, SMB3 |
//!
//! [`ulz`] is not a format of Windows: `BPerf` packs the blocks of its later `.btl` files with it.
//!
//! Each module has one function, `decompress(input, output)`. The expected size is the length of
//! `output`, which the caller knows from the buffer header; the function fills it entirely and
//! states how many bytes of `input` it took. What follows in `input` is the caller's business.
//!
//! The modules know nothing of traces, allocate nothing that depends on the input, never panic and
//! always end: every turn of every loop either consumes input or produces output.
//!
//! # Overlong matches
//!
//! A match which reaches past the end of `output` shows that the size in the header or the stream
//! is wrong, so it is an error in all formats. (In 403 compressed buffers of six real traces
//! every stream ends exactly at the stated size.) The part which fits is written and counted in
//! [`Corrupt::filled`], but not in [`Corrupt::produced`]: damage turns tokens into matches of any length, which would
//! repeat what was there before up to the end.
//!
//! [MS-XCA]: https://learn.microsoft.com/openspecs/windows_protocols/ms-xca/

pub mod lznt1;
pub mod ulz;
pub mod xpress;
pub mod xpress_huffman;

#[cfg(test)]
mod tests;

use std::fmt;

/// Why and where a compressed stream could not be decoded.
///
/// The bytes before [`produced`](Self::produced) are what an undamaged decoder would have given
/// for the undamaged part of the stream; bytes after it are unspecified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Corrupt {
    /// Offset in the input of the item that is wrong, in bytes; at most the input's length.
    pub at: usize,
    /// Number of good bytes at the start of the output, which end before the item.
    pub produced: usize,
    /// Number of bytes that are good if nothing but the length of the output is wrong: with the part that fits of a match
    /// which is longer than the rest of it.
    pub filled: usize,
    /// What is wrong with the item.
    pub what: &'static str,
}

impl Corrupt {
    /// An item that is wrong, after `produced` bytes of output.
    const fn new(at: usize, produced: usize, what: &'static str) -> Self {
        Self { at, produced, filled: produced, what }
    }
}

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, produced, what, .. } = self;
        write!(f, "{what} at input byte {at}, after {produced} output bytes")
    }
}

impl std::error::Error for Corrupt {}

/// What went wrong with the copy of a match.
enum BadMatch {
    /// The match starts before the output, nothing was written.
    TooFar,
    /// The match ends after the output, which is now full.
    TooLong,
}

impl BadMatch {
    /// Returns the error for a match which starts at `at` in the input and at `position` in an output of
    /// `capacity` bytes.
    #[cold]
    fn at(self, at: usize, position: usize, capacity: usize) -> Corrupt {
        let (filled, what) = match self {
            Self::TooFar => (position, "match distance beyond the start of the output"),
            Self::TooLong => (capacity, "match longer than the rest of the output"),
        };
        Corrupt { at, produced: position, filled, what }
    }
}

/// Copies `length` bytes to `position` from `distance` bytes before it and returns the new
/// position. Source and destination may overlap, which repeats the last `distance` bytes.
fn copy_match(output: &mut [u8], position: usize, distance: usize, length: usize) -> Result<usize, BadMatch> {
    let Some(source) = position.checked_sub(distance).filter(|_| distance > 0) else {
        return Err(BadMatch::TooFar);
    };
    let room = output.len().saturating_sub(position);
    let fits = length.min(room);
    // Each pass copies all that is known of the repeated pattern, which doubles it. `done` stays a
    // multiple of `distance`, so that the pattern's phase at the source is that of the target.
    let mut done = 0;
    while done < fits {
        let step = (distance + done).min(fits - done);
        output.copy_within(source..source + step, position + done);
        done += step;
    }
    if fits < length { Err(BadMatch::TooLong) } else { Ok(position + length) }
}
