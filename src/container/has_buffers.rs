//! Buffers in a file whose beginning is that of another kind of file.
//!
//! Damage handled here: a first page that was overwritten, with fill, text or a part of another file. A file of another
//! kind may contain a trace (an archive that stores it unpacked), and is not a damaged trace.

use std::ops::Range;

use crate::FileId;
use crate::error::{ForeignFormat, Result};
use crate::format::Framing;
use crate::input::Input;

use super::content::Content;
use super::resync::Resync;
use super::scan::scan;

/// Buffers that are looked at.
const MOST: usize = 64;
/// The record that ends a zip archive, and the bytes in which it is.
const END_OF_ZIP: &[u8] = b"PK\x05\x06";
const ZIP_TAIL: u64 = (1 << 16) + 22;

/// Returns whether a file that begins as one of another kind is a trace: whether it has a buffer whose bytes are
/// events.
pub(super) fn has_buffers(source: &Input, format: ForeignFormat) -> Result<bool> {
    let is_refused = match format {
        ForeignFormat::Zip | ForeignFormat::EmptyZip => ends_as_zip(source)?,
        // Nothing is in these.
        ForeignFormat::Empty | ForeignFormat::TooShort | ForeignFormat::OnlyZeros
        // Archives store what cannot be packed, and memory has the buffers of sessions that ran.
        | ForeignFormat::Tar
        | ForeignFormat::Cabinet
        | ForeignFormat::Wim
        | ForeignFormat::SevenZip
        | ForeignFormat::Rar
        | ForeignFormat::Minidump
        | ForeignFormat::MemoryDump
        | ForeignFormat::GitLfsPointer => true,
        _ => false,
    };
    if is_refused {
        return Ok(false);
    }
    let (mut resync, mut content) = (Resync::new(source, 0, true), Content::new(source));
    let mut from = 1;
    for _ in 0..MOST {
        let Some(at) = resync.search(from - 1, from)? else { return Ok(false) };
        let Some(header) = resync.candidate(at)? else { return Ok(false) };
        if content.is_whole(&header.info(FileId::FIRST, at, Framing::Markers))? {
            return Ok(true);
        }
        from = at + 1;
    }
    Ok(false)
}

/// Returns whether a file ends with the directory of a zip archive.
fn ends_as_zip(source: &Input) -> Result<bool> {
    let tail: Range<u64> = source.len().saturating_sub(ZIP_TAIL)..source.len();
    let found = scan(source, tail, END_OF_ZIP.len(), |_, bytes, _| {
        Ok(bytes.windows(END_OF_ZIP.len()).any(|window| window == END_OF_ZIP).then_some(()))
    })?;
    Ok(found.is_some())
}
