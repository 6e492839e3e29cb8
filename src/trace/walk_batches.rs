//! The walk over all buffers by several threads.
//!
//! The buffers of a file are found one after the other, and walked in batches. What was found in a batch is added in the
//! order of the batches, so the result is that of one thread.

use std::ops::ControlFlow;

use crate::FileId;
use crate::container::{BufferInfo, Frame, Frames};
use crate::error::{Error, Result};
use crate::parser::FirstPass;

use super::TraceFile;
use super::index::{Indexed, WalkMemory};
use super::kept_buffers::ALIGNMENT;
use super::ordered::ordered;

/// Bytes of the events of a batch, about.
const BATCH: u64 = 2 << 20;
/// Files of fewer bytes are walked by one thread.
const FEW: u64 = 4 << 20;

/// Walks all buffers of all files. `progress` receives the bytes read so far.
pub(super) fn walk(
    files: &[TraceFile],
    pass: &FirstPass,
    threads: usize,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Indexed> {
    let bytes: u64 = files.iter().map(|file| file.source.len()).sum();
    if threads <= 1 || bytes < FEW {
        return Indexed::walk(files, pass, progress);
    }
    let memory = WalkMemory::new(files);
    let mut indexed = Indexed::of(&memory);
    let others = (1..threads).map(|_| memory.another()).collect();
    ordered(
        (memory, others),
        Batches { files, file: FileId::FIRST, frames: None, before: 0, number: 0, is_over: false },
        |memory, batch: Result<Batch>, _| {
            let batch = batch?;
            let Some(file) = files.get(batch.file.index()) else { return Ok((Indexed::default(), batch)) };
            let mut part = Indexed::part(batch.number);
            memory.kept.expect(batch.unpacked());
            for frame in &batch.frames {
                part.frame(file, frame, memory, pass)?;
            }
            part.end_part();
            part.kept = memory.kept.take();
            Ok((part, batch))
        },
        |(part, batch)| {
            indexed.absorb(part);
            if let Some(file) = files.get(batch.file.index()).filter(|_| batch.is_last) {
                indexed.end_file(file);
            }
            Error::if_cancelled(progress(batch.read))?;
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(indexed)
}

/// Some buffers of a file, and the problems between them.
struct Batch {
    file: FileId,
    /// The number of its first buffer.
    number: u32,
    frames: Vec<Frame>,
    /// Bytes of all files up to its end.
    read: u64,
    /// Whether it ends its file.
    is_last: bool,
}

impl Batch {
    /// Bytes that its compressed buffers claim to unpack to.
    fn unpacked(&self) -> usize {
        let of_frame = |frame: &Frame| match frame {
            Frame::Buffer(info) if info.is_compressed() => (info.used as usize).next_multiple_of(ALIGNMENT),
            _ => 0,
        };
        self.frames.iter().map(of_frame).sum()
    }
}

/// Makes batches.
struct Batches<'f> {
    files: &'f [TraceFile],
    /// The current file.
    file: FileId,
    frames: Option<Frames<'f>>,
    /// Bytes of the files before it.
    before: u64,
    number: u32,
    /// An error has ended it.
    is_over: bool,
}

impl Batches<'_> {
    fn batch(&mut self) -> Result<Option<Batch>> {
        let Some(file) = self.files.get(self.file.index()) else { return Ok(None) };
        let frames = self.frames.get_or_insert_with(|| Frames::new(&file.source, self.file, &file.head));
        let mut batch =
            Batch { file: self.file, number: self.number, frames: Vec::new(), read: self.before, is_last: false };
        let mut bytes = 0;
        while bytes < BATCH {
            let Some(frame) = frames.next_frame()? else {
                batch.is_last = true;
                self.file.0 += 1;
                self.frames = None;
                self.before += file.source.len();
                batch.read = self.before;
                break;
            };
            if let Frame::Buffer(BufferInfo { offset, used, .. }) = &frame {
                bytes += u64::from(*used);
                batch.read = self.before + offset;
                self.number = self.number.saturating_add(1);
            }
            // Problems take memory as well.
            bytes += size_of::<Frame>() as u64;
            batch.frames.push(frame);
        }
        Ok(Some(batch))
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let batch = self.batch().transpose();
        self.is_over = batch.as_ref().is_none_or(Result::is_err);
        batch
    }
}
