//! Packed data comes into memory, up to a limit.

use std::io::Read;

use etwkit::input::Input;
use etwkit::{Problem, ProblemKind};

use crate::failure::Failure;
use crate::text::{counted, size};

use super::opened::Opened;

/// Reads packed data and counts what it holds.
#[derive(Debug)]
pub(super) struct Unpacker {
    limit: u64,
    held: u64,
    keep: bool,
}

impl Unpacker {
    /// `keep` says that what was unpacked stays in memory.
    pub(super) const fn new(limit: u64, keep: bool) -> Self {
        Self { limit, held: 0, keep }
    }

    /// Refuses what says of itself that it is too large.
    pub(super) fn check(&self, name: &str, len: u64) -> Result<(), Failure> {
        if len > self.limit.saturating_sub(self.held) { Err(self.too_large(name)) } else { Ok(()) }
    }

    /// A trace out of `reader`. If it breaks off, what came before is delivered, with a problem.
    pub(super) fn unpack(&mut self, name: &str, reader: impl Read) -> Result<Opened, Failure> {
        let (bytes, error) = self.read(name, reader)?;
        let archive_problem = match error {
            Some(error) if bytes.is_empty() => return Err(cannot_unpack(&error).of(name)),
            Some(error) => Some(broken_off(bytes.len() as u64, &error)),
            None => None,
        };
        Ok(Opened { input: Input::bytes(name, bytes), archive_problem })
    }

    /// All bytes of `reader`.
    pub(super) fn bytes(&mut self, name: &str, reader: impl Read) -> Result<Vec<u8>, Failure> {
        match self.read(name, reader)? {
            (bytes, None) => Ok(bytes),
            (_, Some(error)) => Err(cannot_unpack(&error).of(name)),
        }
    }

    fn read(&mut self, name: &str, reader: impl Read) -> Result<(Vec<u8>, Option<std::io::Error>), Failure> {
        let most = self.limit.saturating_sub(self.held);
        let mut bytes = Vec::new();
        let error = reader.take(most.saturating_add(1)).read_to_end(&mut bytes).err();
        if bytes.len() as u64 > most {
            return Err(self.too_large(name));
        }
        if self.keep {
            self.held += bytes.len() as u64;
        }
        Ok((bytes, error))
    }

    fn too_large(&self, name: &str) -> Failure {
        let held = if self.held > 0 { " together with the files before it" } else { "" };
        Failure::new(format!("unpacked{held} it is larger than the limit of {}", size(self.limit)))
            .of(name)
            .hint("raise it with --unpack-limit, or unpack the file first: files on disk are not held in memory")
    }
}

fn broken_off(len: u64, error: &std::io::Error) -> Problem {
    let detail = format!("the packed data breaks off after {}: {error}", counted(len, "byte"));
    Problem::new(ProblemKind::BadArchive, detail).at(len, 0)
}

/// Why packed data could not be unpacked.
pub(super) fn cannot_unpack(error: &impl std::fmt::Display) -> Failure {
    Failure::new(format!("packed data that cannot be unpacked: {error}"))
        .hint("copy or download it again; if another program unpacks it, give the file that it makes")
}
