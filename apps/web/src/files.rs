//! Files of the page as inputs of the engine.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use etwkit::Input;
use etwkit::input::ReadAt;
use etwkit_archive::{Archive, Limits, MemberKind, Packing, Unpacked, Unpacker};

use crate::limits::MAX_UNPACKED;
use crate::request::FileRequest;

/// Reads bytes of the page's files, which are told apart by number.
pub trait ReadFile: Send + Sync {
    /// Fills `room` from the byte at `offset` of a file on, and returns how many bytes it wrote; 0 only at the end.
    ///
    /// # Errors
    ///
    /// The page's own: a file that was changed or taken away cannot be read.
    fn read(&self, file: usize, offset: u64, room: &mut [u8]) -> io::Result<usize>;
}

/// One file, read at positions.
#[derive(Clone)]
pub(crate) struct PageFile {
    reader: Arc<dyn ReadFile>,
    number: usize,
    len: u64,
    at: u64,
}

impl fmt::Debug for PageFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageFile").field("number", &self.number).field("len", &self.len).finish_non_exhaustive()
    }
}

impl PageFile {
    pub(crate) fn new(reader: &Arc<dyn ReadFile>, number: usize, len: u64) -> Self {
        Self { reader: Arc::clone(reader), number, len, at: 0 }
    }

    /// All of its bytes, if they are no more than `most`.
    pub(crate) fn whole(mut self, most: u64) -> io::Result<Vec<u8>> {
        if self.len > most {
            return Err(io::Error::other(format!("{} bytes, of which at most {most} are read", self.len)));
        }
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl ReadAt for PageFile {
    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        self.reader.read(self.number, offset, room)
    }
}

impl Read for PageFile {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.read_at(self.at, room)?.min(room.len());
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for PageFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.len.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}

/// An unpacker for all files of a trace, whose limit they share.
pub(crate) fn unpacker() -> Unpacker {
    Unpacker::new(Limits::total_only(MAX_UNPACKED)).keep(true)
}

/// The traces in a file, and what is to be reported about it: gzip data and zip archives are unpacked into memory.
pub(crate) fn inputs(
    reader: &Arc<dyn ReadFile>,
    number: usize,
    file: &FileRequest,
    unpacker: &mut Unpacker,
    notes: &mut Vec<String>,
) -> Result<Vec<Input>, String> {
    let page_file = PageFile::new(reader, number, file.len);
    let mut start = [0; 8];
    let read = page_file.read_at(0, &mut start).map_err(|error| format!("{}: {error}", file.name))?;
    unpacker.begin(file.len);
    match Packing::of(start.get(..read.min(start.len())).unwrap_or_default()) {
        Packing::Gzip => {
            let unpacked = unpacker.gzip(&file.name, page_file).map_err(|error| format!("{}: {error}", file.name))?;
            Ok(vec![unpacked_input(&file.name, unpacked, notes)])
        }
        Packing::Zip => members(unpacker, &file.name, page_file, notes),
        _ => Ok(vec![Input::positioned(&file.name, file.len, page_file)]),
    }
}

/// All traces of an archive.
fn members(unpacker: &mut Unpacker, name: &str, file: PageFile, notes: &mut Vec<String>) -> Result<Vec<Input>, String> {
    let mut archive = Archive::open(io::BufReader::new(file)).map_err(|error| format!("{name}: {error}"))?;
    let mut found = Vec::new();
    for member in archive.members().to_vec() {
        if member.is_folder() || archive.kind(&member) != MemberKind::Trace {
            continue;
        }
        let full = format!("{name}!{}", member.name());
        match unpacker.member(&full, &mut archive, &member) {
            Ok(unpacked) => found.push(unpacked_input(&full, unpacked, notes)),
            Err(error) => notes.push(format!("{full}: {error}")),
        }
    }
    if found.is_empty() { Err(format!("{name}: no trace is in this archive")) } else { Ok(found) }
}

fn unpacked_input(name: &str, unpacked: Unpacked, notes: &mut Vec<String>) -> Input {
    if let Some(error) = unpacked.broken_off {
        notes.push(format!("{name}: the packed data breaks off: {error}"));
    }
    Input::bytes(name, unpacked.bytes)
}

/// Files in memory.
impl ReadFile for Vec<Vec<u8>> {
    fn read(&self, file: usize, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        let bytes = self.get(file).ok_or(io::ErrorKind::NotFound)?;
        let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
        let len = rest.len().min(room.len());
        room.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        Ok(len)
    }
}
