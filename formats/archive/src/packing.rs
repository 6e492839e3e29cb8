//! How bytes are packed.

use std::io::{self, Read};

/// How bytes are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Packing {
    /// Not at all, as far as is known.
    Plain,
    /// Gzip (RFC 1952).
    Gzip,
    /// A zip archive.
    Zip,
}

impl Packing {
    /// Tells it by the first bytes; four are enough.
    #[must_use]
    pub const fn of(start: &[u8]) -> Self {
        match start {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [b'P', b'K', 3, 4, ..] => Self::Zip,
            _ => Self::Plain,
        }
    }
}

/// Reads the bytes by which [`Packing::of`] recognizes it; fewer where there are no more.
///
/// # Errors
///
/// Returns those of the reader.
pub fn first_bytes(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    reader.take(4).read_to_end(&mut start)?;
    Ok(start)
}
