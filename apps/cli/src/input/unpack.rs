//! Packed data and streams come into memory, up to a limit.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use etwkit::input::Input;
use etwkit::{Problem, ProblemKind};

use crate::failure::Failure;
use crate::text::{counted, size};

use super::head;
use super::opened::Opened;

/// Most bytes that are held, unless another limit was typed.
const USUAL_LIMIT: u64 = 4 << 30;
/// Bytes that packed data may unpack to, however small it is, unless a limit was typed.
const ALWAYS: u64 = 128 << 20;
/// Bytes more for each packed one: traces unpack to five to twenty.
const FOR_EACH: u64 = 32;
/// Bytes between two looks at the limits.
const STEP: u64 = 1 << 20;

/// Reads packed data and counts what it holds.
#[derive(Debug)]
pub(super) struct Unpacker {
    typed: Option<u64>,
    keep: bool,
    /// Unpacked bytes that stay in memory.
    held: u64,
    /// Packed bytes, and what they unpacked to.
    packed: Rc<Cell<u64>>,
    unpacked: u64,
}

/// Why something is not unpacked.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Something about it.
    This(Failure),
    /// The archive that it is in unpacks to far more bytes than it has.
    Archive(Failure),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let (Refusal::This(failure) | Refusal::Archive(failure)) = refusal;
        failure
    }
}

impl Unpacker {
    /// `typed` is the limit that was typed, `keep` says that what was unpacked stays in memory.
    pub(super) fn new(typed: Option<u64>, keep: bool) -> Self {
        Self { typed, keep, held: 0, packed: Rc::default(), unpacked: 0 }
    }

    /// Begins a file that has so many packed bytes, besides those that are [`Unpacker::counted`].
    pub(super) fn begin(&mut self, packed: u64) {
        if !self.keep {
            self.packed.set(0);
            self.unpacked = 0;
        }
        self.count(packed);
    }

    /// Adds packed bytes that were not counted while they were read.
    pub(super) fn count(&self, packed: u64) {
        self.packed.set(self.packed.get().saturating_add(packed));
    }

    /// Counts the bytes of a reader as packed ones.
    pub(super) fn counted<R: Read>(&self, reader: R) -> Counted<R> {
        Counted { reader, count: Rc::clone(&self.packed) }
    }

    /// Refuses what says of itself that it is too large.
    pub(super) fn check(&self, name: &str, len: u64) -> Result<(), Refusal> {
        if len > self.room() {
            return Err(Refusal::This(self.too_large(name)));
        }
        if len > self.share() { Err(Refusal::Archive(swollen(name))) } else { Ok(()) }
    }

    /// A trace out of `reader`. If it breaks off, what came before is delivered, with a problem.
    pub(super) fn unpack(&mut self, name: &str, mut reader: impl Read) -> Result<Opened, Refusal> {
        let mut bytes = Vec::new();
        let mut error = self.grow(name, &mut bytes, &mut reader, head::ENOUGH)?;
        if error.is_none() && bytes.len() as u64 >= head::ENOUGH {
            // A device may never end: it is told from its head that it is no trace.
            bytes = head::check(name, bytes).map_err(Refusal::This)?;
            error = self.grow(name, &mut bytes, &mut reader, u64::MAX)?;
        }
        let archive_problem = match error {
            Some(error) if bytes.is_empty() => return Err(Refusal::This(cannot_unpack(&error).of(name))),
            Some(error) => Some(broken_off(bytes.len() as u64, &error)),
            None => None,
        };
        self.hold(bytes.len() as u64);
        Ok(Opened { input: Input::bytes(name, bytes), archive_problem, note: None })
    }

    /// All bytes of `reader`, an archive.
    pub(super) fn bytes(&mut self, name: &str, mut reader: impl Read) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        match self.grow(name, &mut bytes, &mut reader, u64::MAX)? {
            None => {
                self.hold(bytes.len() as u64);
                Ok(bytes)
            }
            Some(error) => Err(cannot_unpack(&error).of(name)),
        }
    }

    /// Reads on until there are so many bytes. Returns why the data breaks off.
    fn grow(
        &self,
        name: &str,
        bytes: &mut Vec<u8>,
        reader: &mut impl Read,
        wanted: u64,
    ) -> Result<Option<io::Error>, Refusal> {
        loop {
            let len = bytes.len() as u64;
            self.check(name, len)?;
            let step = STEP.min(wanted.saturating_sub(len)).min(self.room().saturating_sub(len).saturating_add(1));
            match reader.take(step).read_to_end(bytes) {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) => return Ok(Some(error)),
            }
        }
    }

    const fn hold(&mut self, len: u64) {
        if self.keep {
            self.held += len;
        }
        self.unpacked += len;
    }

    fn limit(&self) -> u64 {
        self.typed.unwrap_or(USUAL_LIMIT)
    }

    /// Bytes that may still be held.
    fn room(&self) -> u64 {
        self.limit().saturating_sub(self.held)
    }

    /// Bytes to which so many packed ones may still unpack.
    fn share(&self) -> u64 {
        let all = self.packed.get().saturating_mul(FOR_EACH).saturating_add(ALWAYS);
        if self.typed.is_some() { u64::MAX } else { all.saturating_sub(self.unpacked) }
    }

    fn too_large(&self, name: &str) -> Failure {
        let held = if self.held > 0 { " together with the files before it" } else { "" };
        Failure::new(format!("unpacked{held} it is larger than the limit of {}", size(self.limit())))
            .of(name)
            .hint("raise it with --unpack-limit, or unpack the file first: files on disk are not held in memory")
    }
}

/// Counts the bytes that are read.
#[derive(Debug)]
pub(super) struct Counted<R> {
    reader: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(room)?;
        self.count.set(self.count.get().saturating_add(len as u64));
        Ok(len)
    }
}

fn swollen(name: &str) -> Failure {
    let (always, each) = (size(ALWAYS), FOR_EACH);
    Failure::new(format!("it unpacks to more than {always} and {each} times its packed size, far more than traces do"))
        .of(name)
        .hint("if it is no trap, unpack it first (`gzip -dk`, `unzip`), or read it with --unpack-limit 4GiB")
}

fn broken_off(len: u64, error: &io::Error) -> Problem {
    let detail = format!("the packed data breaks off after {}: {error}", counted(len, "byte"));
    Problem::new(ProblemKind::BadArchive, detail).at(len, 0)
}

/// Why packed data could not be unpacked.
pub(super) fn cannot_unpack(error: &impl std::fmt::Display) -> Failure {
    Failure::new(format!("packed data that cannot be unpacked: {error}"))
        .hint("copy or download it again; if another program unpacks it, give the file that it makes")
}
