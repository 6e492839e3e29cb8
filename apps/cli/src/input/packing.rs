//! How bytes are packed.

use std::io::{self, Read};

/// How bytes are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Gzip,
    Zip,
}

impl Packing {
    /// Told by the first bytes.
    pub(super) fn of(start: &[u8]) -> Self {
        match start {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [b'P', b'K', 3, 4, ..] => Self::Zip,
            _ => Self::Plain,
        }
    }
}

/// Reads the bytes that tell it.
pub(super) fn first_bytes(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    reader.take(4).read_to_end(&mut start)?;
    Ok(start)
}
