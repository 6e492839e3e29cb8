//! Whether a buffer's content states that its header is right.
//!
//! Damage handled here: none. Where a header alone proves nothing, because its neighbours are damaged, a buffer whose
//! bytes are events from its first to its last is one.

use crate::error::Result;
use crate::format::BufferHeader;
use crate::input::Input;
use crate::limits;

use super::{Arena, BufferInfo, Step, Walk};

/// How often a stream may be unpacked: by each algorithm of `RtlDecompressBuffer`, and once more.
const ALGORITHMS: u64 = 4;

/// Looks into buffers, up to a number of bytes: crafted headers could have one range looked at again and again.
#[derive(Debug)]
pub(super) struct Content<'s> {
    source: &'s Input,
    /// How many more bytes may be read or unpacked.
    pub(super) left: u64,
    arena: Arena,
}

impl<'s> Content<'s> {
    /// Nothing looked at yet.
    pub(super) fn new(source: &'s Input) -> Self {
        let left = limits::MAX_REPAIRED.saturating_add(source.len().saturating_mul(limits::REPAIRED_PER_BYTE));
        Self { source, left, arena: Arena::default() }
    }

    /// Takes the bytes of an attempt from what is left; false if they are too many. What a damaged header claims too
    /// much leaves the rest for others.
    pub(super) const fn take(&mut self, bytes: u64) -> bool {
        let rest = self.left.checked_sub(bytes);
        if let Some(rest) = rest {
            self.left = rest;
        }
        rest.is_some()
    }

    /// Takes what an attempt to unpack `packed` bytes, which claim to be `unpacked` ones, writes if they are those of a real
    /// buffer: a stream is tried by each algorithm. A crafted one may unpack to more, up to [`limits::MAX_EXPANSION`].
    pub(super) const fn take_unpacking(&mut self, unpacked: u64, packed: u64) -> bool {
        let most = packed.saturating_mul(limits::UNPACKED_BUFFER);
        self.take(ALGORITHMS * if unpacked < most { unpacked } else { most })
    }

    /// Returns whether a buffer has events, nothing between them, and nothing but fill after them.
    pub(super) fn is_whole(&mut self, info: &BufferInfo) -> Result<bool> {
        let (size, used) = (u64::from(info.size), u64::from(info.used));
        let sane = BufferHeader::SIZE as u64..=limits::MAX_BUFFER as u64;
        let fits = info.offset.checked_add(size).is_some_and(|end| end <= self.source.len());
        if !sane.contains(&size) || !sane.contains(&used) || !fits {
            return Ok(false);
        }
        let has_room = if info.is_compressed() { self.take_unpacking(used, size) } else { self.take(size) };
        if !has_room {
            return Ok(false);
        }
        let loaded = self.arena.load(self.source, info)?;
        if loaded.problem.is_some() || loaded.bytes.len() as u64 != used {
            return Ok(false);
        }
        let mut walk = Walk::new(loaded.bytes, info, 0);
        let mut events = 0_u64;
        while let Some(step) = walk.step() {
            match step {
                Step::Event(_) => events += 1,
                Step::UnreadBytes(_) => return Ok(false),
            }
        }
        Ok(events > 0)
    }
}
