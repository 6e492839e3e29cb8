//! Reading windows of a file at a position, without a shared cursor.

use std::fs::File;
use std::io;

use crate::error::{Error, Result};

/// Fills `scratch` with up to `len` bytes at `offset`. Shorter only if the file ends there by now.
pub(super) fn read_window<'a>(file: &File, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
    // Growing fills with zeros, which happens only until the largest window has been seen.
    if scratch.len() < len {
        scratch.resize(len, 0);
    }
    let done = fill(file, offset, scratch.get_mut(..len).unwrap_or_default())?;
    Ok(scratch.get(..done).unwrap_or_default())
}

/// Fills `window` with the bytes at `offset`; returns how many there were.
pub(super) fn fill(file: &File, offset: u64, window: &mut [u8]) -> Result<usize> {
    let mut done = 0;
    while let Some(room) = window.get_mut(done..).filter(|room| !room.is_empty()) {
        match read_at(file, room, offset + done as u64) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::reading(e)),
        }
    }
    Ok(done)
}

#[cfg(unix)]
fn read_at(file: &File, room: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, room, offset)
}

#[cfg(windows)]
fn read_at(file: &File, room: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, room, offset)
}
