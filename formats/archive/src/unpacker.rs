//! Packed data and streams come into memory, up to a limit.

use std::cell::Cell;
use std::io::{self, BufReader, Read, Seek};
use std::rc::Rc;

use crate::archive::Archive;
use crate::counted::Counted;
use crate::error::{Error, Result};
use crate::gzip_members::GzipMembers;
use crate::head;
use crate::limits::Limits;
use crate::member::Member;

/// Bytes between two looks at the limits.
const STEP: u64 = 1 << 20;

/// Unpacks traces and counts what it holds.
#[derive(Debug)]
pub struct Unpacker {
    limits: Limits,
    keep: bool,
    /// Unpacked bytes that stay in memory.
    held: u64,
    /// Packed bytes, and what they unpacked to.
    packed: Rc<Cell<u64>>,
    unpacked: u64,
}

/// A trace that was unpacked.
#[derive(Debug)]
#[non_exhaustive]
pub struct Unpacked {
    /// Its bytes: all, or those before the packed data breaks off.
    pub bytes: Vec<u8>,
    /// Why the packed data breaks off after them.
    pub broken_off: Option<io::Error>,
}

impl Unpacker {
    /// Unpacks one file after the other: limits count what one file holds.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, keep: false, held: 0, packed: Rc::default(), unpacked: 0 }
    }

    /// Sets that what was unpacked stays in memory: limits count all files together.
    #[must_use]
    pub fn keep(self, keep: bool) -> Self {
        Self { keep, ..self }
    }

    /// Returns the limits.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Begins a file that has so many packed bytes, besides those that are [`Unpacker::counted`].
    pub fn begin(&mut self, packed: u64) {
        if !self.keep {
            self.packed.set(0);
            self.unpacked = 0;
        }
        self.packed.set(self.packed.get().saturating_add(packed));
    }

    /// Counts the bytes of a reader as packed ones.
    #[must_use]
    pub fn counted<R: Read>(&self, reader: R) -> Counted<R> {
        Counted::new(reader, Rc::clone(&self.packed))
    }

    /// Reads a trace out of gzip data, which may have several members. `name` is that of the trace in errors.
    ///
    /// # Errors
    ///
    /// Returns why it is not unpacked: it is too large, no gzip data, or no trace.
    pub fn gzip(&mut self, name: &str, reader: impl Read) -> Result<Unpacked> {
        self.stream(name, GzipMembers::new(BufReader::new(reader)))
    }

    /// Unpacks a member of an archive. `name` is that of the trace in errors.
    ///
    /// # Errors
    ///
    /// Returns why it is not unpacked: its name, its size, or that it cannot be read or is not a trace.
    pub fn member<R: Read + Seek>(
        &mut self,
        name: &str,
        archive: &mut Archive<R>,
        member: &Member,
    ) -> Result<Unpacked> {
        if !member.has_safe_name() {
            return Err(Error::UnsafeName);
        }
        let file = archive.file(member)?;
        // A file that states a size beyond the limit is not tried.
        self.check(file.size(), file.size())?;
        self.stream(name, file)
    }

    /// Reads a trace that is not packed, or no longer. If it breaks off, what came before is delivered. `name` is that
    /// of the trace in errors.
    ///
    /// # Errors
    ///
    /// Returns why it is not read: it is too large, its first byte cannot be read, or it is not a trace.
    pub fn stream(&mut self, name: &str, mut reader: impl Read) -> Result<Unpacked> {
        let mut bytes = Vec::new();
        let mut broken_off = self.grow(&mut bytes, &mut reader, head::ENOUGH)?;
        if broken_off.is_none() && bytes.len() as u64 >= head::ENOUGH {
            // A device may never end: its head shows that it is not a trace.
            bytes = head::check(name, bytes)?;
            broken_off = self.grow(&mut bytes, &mut reader, u64::MAX)?;
        }
        if let Some(error) = broken_off.take_if(|_| bytes.is_empty()) {
            return Err(Error::corrupt(error));
        }
        let bytes = head::check(name, bytes)?;
        self.hold(bytes.len());
        Ok(Unpacked { bytes, broken_off })
    }

    /// Reads all bytes of an archive that cannot be sought in. They are packed ones, not unpacked, and held.
    ///
    /// # Errors
    ///
    /// Returns why they cannot be read, or that they are too many.
    pub fn archive_bytes(&mut self, mut reader: impl Read) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Some(error) = self.grow(&mut bytes, &mut reader, u64::MAX)? {
            return Err(Error::corrupt(error));
        }
        self.hold(bytes.len());
        Ok(bytes)
    }

    /// Reads on until there are so many bytes, and counts them, also those of what is refused in the end. Returns why
    /// the data breaks off.
    fn grow(&mut self, bytes: &mut Vec<u8>, reader: &mut impl Read, wanted: u64) -> Result<Option<io::Error>> {
        loop {
            let len = bytes.len() as u64;
            // A byte more than there may be shows that there are too many.
            let most = self.room().saturating_sub(len).min(self.share()).saturating_add(1);
            let read = reader.take(STEP.min(wanted.saturating_sub(len)).min(most)).read_to_end(bytes);
            let new_len = bytes.len() as u64;
            self.check(new_len, new_len - len)?;
            self.unpacked = self.unpacked.saturating_add(new_len - len);
            match read {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) => return Ok(Some(error)),
            }
        }
    }

    /// Refuses what is too large, or so many bytes more.
    fn check(&self, len: u64, more: u64) -> Result<()> {
        let Limits { total: limit, base, per_byte } = self.limits;
        if len > self.room() {
            return Err(Error::TooLarge { limit, is_together: self.held > 0 });
        }
        if more > self.share() { Err(Error::ExpandsTooMuch { base, per_byte }) } else { Ok(()) }
    }

    const fn hold(&mut self, len: usize) {
        if self.keep {
            self.held = self.held.saturating_add(len as u64);
        }
    }

    /// Bytes that may still be held.
    const fn room(&self) -> u64 {
        self.limits.total.saturating_sub(self.held)
    }

    /// Bytes that may still be unpacked of what is packed.
    fn share(&self) -> u64 {
        self.limits.of_packed(self.packed.get()).saturating_sub(self.unpacked)
    }
}
