//! Goes over the bytes of a file: buffers, and what is between them.

use std::io::Write;

use etwkit::container::{Arena, Step};
use etwkit::decode::Scratch;
use etwkit::format::{BufferFlags, BufferHeader};

use crate::buffers::Buffer;
use crate::error::Result;
use crate::rewrite::Rewriter;

/// Offsets in the header of a buffer (section 2 of the format).
const SIZE: usize = 0x00;
const SAVED_OFFSET: usize = 0x04;
const USED: usize = 0x30;
const FLAGS: usize = 0x34;
/// What follows the used part of a buffer.
const FILL: u8 = 0xFF;
/// Zeros that are written at once.
const BLOCK: usize = 1 << 16;

impl Rewriter<'_> {
    /// Writes the whole file. `progress` receives the bytes of the input that were read.
    pub(crate) fn file(&mut self, out: &mut dyn Write, progress: &mut dyn FnMut(u64)) -> Result<()> {
        let trace = self.trace;
        let Some(file) = trace.files().first() else { return Ok(()) };
        let (mut arena, mut scratch, mut window) = (Arena::default(), Scratch::default(), Vec::new());
        let mut at = 0;
        for (number, info) in trace.buffers().enumerate() {
            self.gap(out, info.offset.saturating_sub(at))?;
            at = info.offset + u64::from(info.size);
            let on_disk = file.source.window(info.offset, info.size as usize, &mut window)?.to_vec();
            let loaded = arena.load(&file.source, &info)?;
            let buffer = Buffer { info: &info, number: number as u32, bytes: loaded.bytes };
            if buffer.is_lost() {
                self.report.lost_buffers += 1;
                self.gap(out, u64::from(info.size))?;
                progress(at);
                continue;
            }
            let image = if info.is_compressed() {
                self.report.unpacked_buffers += 1;
                self.report.cut_buffers += u64::from(loaded.bytes.len() < info.used as usize);
                plain(&on_disk, loaded.bytes)
            } else {
                on_disk
            };
            out.write_all(&self.buffer(image, &buffer, &mut scratch)?)?;
            progress(at);
        }
        self.gap(out, file.source.len().saturating_sub(at))
    }

    /// Writes zeros for bytes that are in no buffer: their contents are unknown.
    fn gap(&mut self, out: &mut dyn Write, len: u64) -> Result<()> {
        self.report.gap_bytes += len;
        let mut left = len;
        while left > 0 {
            let count = left.min(BLOCK as u64);
            out.write_all(&vec![0; count as usize])?;
            left -= count;
        }
        Ok(())
    }

    /// Returns a buffer, changed: `image` is all of it.
    fn buffer(&mut self, mut image: Vec<u8>, buffer: &Buffer<'_>, scratch: &mut Scratch) -> Result<Vec<u8>> {
        let bytes = buffer.bytes;
        self.clear_slack(&mut image, bytes.len());
        let mut walk = buffer.walk();
        let mut at = BufferHeader::SIZE;
        while let Some(step) = walk.step() {
            match step {
                Step::Event(event) => {
                    let start = event.place().offset as usize;
                    let made = self.event(event, scratch)?;
                    // The padding of an event is not cleared by Windows.
                    fill(&mut image, at, start, 0);
                    at = start + made.len();
                    if let Some(place) = image.get_mut(start..at) {
                        place.copy_from_slice(&made);
                    }
                }
                Step::UnreadBytes(gap) if gap.fill => {
                    fill(&mut image, at, gap.start as usize, 0);
                    at = (gap.start + gap.len) as usize;
                }
                Step::UnreadBytes(gap) => self.report.unread_bytes += u64::from(gap.len),
            }
        }
        fill(&mut image, at, bytes.len(), 0);
        Ok(image)
    }

    /// Fills what follows the used part: Windows leaves old events there.
    fn clear_slack(&mut self, image: &mut [u8], used: usize) {
        let Some(slack) = image.get_mut(used..) else { return };
        self.report.slack_bytes += slack.iter().filter(|byte| **byte != FILL).count() as u64;
        slack.fill(FILL);
    }
}

/// Makes a buffer that is not compressed of one that was.
fn plain(on_disk: &[u8], unpacked: &[u8]) -> Vec<u8> {
    let mut image = on_disk.get(..BufferHeader::SIZE).unwrap_or(on_disk).to_vec();
    image.resize(BufferHeader::SIZE, 0);
    image.extend(unpacked.get(BufferHeader::SIZE..).unwrap_or_default());
    let len = (image.len() as u32).to_le_bytes();
    for at in [SIZE, SAVED_OFFSET, USED] {
        if let Some(place) = image.get_mut(at..at + 4) {
            place.copy_from_slice(&len);
        }
    }
    if let Some(flags) = image.get_mut(FLAGS..).and_then(|rest| rest.first_chunk_mut()) {
        *flags = (u16::from_le_bytes(*flags) & !BufferFlags::COMPRESSED.0).to_le_bytes();
    }
    image
}

fn fill(image: &mut [u8], start: usize, end: usize, byte: u8) {
    if let Some(place) = image.get_mut(start..end) {
        place.fill(byte);
    }
}
