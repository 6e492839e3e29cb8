//! A file becomes one trace, or the traces of an archive.

use std::fs::File;
use std::io::{BufReader, Cursor, IsTerminal, Read, Seek};
use std::path::Path;

use etwkit::container::Head;
use etwkit::input::Input;
use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use super::locations::Location;
use super::opened::Opened;
use super::trace_names::is_trace_name;
use super::unpack::{Unpacker, cannot_unpack};
use crate::failure::Failure;

/// Names that are shown of an archive.
const SHOWN: usize = 3;

/// Opens files; what they are is told by their first bytes, not by their names.
#[derive(Debug)]
pub(super) struct Opener {
    mmap: bool,
    unpacker: Unpacker,
}

/// Takes what was opened, or why it could not be; an error ends everything.
pub(super) type Take<'a> = &'a mut dyn FnMut(Result<Opened, Failure>) -> Result<(), Failure>;

/// How bytes are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Plain,
    Gzip,
    Zip,
}

impl Packing {
    fn of(start: &[u8]) -> Self {
        match start {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [b'P', b'K', 3, 4] => Self::Zip,
            _ => Self::Plain,
        }
    }
}

impl Opener {
    /// `keep` says that traces stay in memory, so that the limit counts all of them.
    pub(super) const fn new(mmap: bool, limit: u64, keep: bool) -> Self {
        Self { mmap, unpacker: Unpacker::new(limit, keep) }
    }

    /// Hands over what is in a file.
    pub(super) fn open(&mut self, location: &Location, take: Take<'_>) -> Result<(), Failure> {
        let done = match location {
            Location::Stdin if std::io::stdin().is_terminal() => Err(Stop::ThisFile(
                Failure::new("stdin is a terminal").hint("pipe a trace into it: `etwkit info - < trace.etl`"),
            )),
            Location::Stdin => self.stream("stdin", std::io::stdin().lock(), take),
            Location::File(path) => self.file(path, take),
            Location::Member(path, member) => self.member(path, member, take),
        };
        match done {
            Err(Stop::ThisFile(failure)) => take(Err(failure)),
            Err(Stop::All(failure)) => Err(failure),
            Ok(()) => Ok(()),
        }
    }

    fn file(&mut self, path: &Path, take: Take<'_>) -> Result<(), Stop> {
        let name = path.display().to_string();
        let here = |error: std::io::Error| Stop::ThisFile(Failure::from(error).of(&name));
        let mut file = File::open(path).map_err(here)?;
        if !file.metadata().map_err(here)?.is_file() {
            return self.stream(&name, file, take);
        }
        let start = first_bytes(&mut file).map_err(here)?;
        file.rewind().map_err(here)?;
        match Packing::of(&start) {
            Packing::Plain => give(self.plain(path, &name), take),
            Packing::Gzip => {
                let unpacked = self.unpacker.unpack(&name, MultiGzDecoder::new(BufReader::new(file)));
                give(unpacked.or_else(|failure| self.damaged(path, &name).ok_or(failure)), take)
            }
            Packing::Zip => {
                let is_archive = ZipArchive::new(BufReader::new(&file)).is_ok();
                if let Some(opened) = self.damaged(path, &name).filter(|_| !is_archive) {
                    return give(Ok(opened), take);
                }
                file.rewind().map_err(here)?;
                self.zip(&name, BufReader::new(file), None, take)
            }
        }
    }

    /// Opens a trace whose first bytes, which are those of an archive, are damaged; `None` if it is none.
    fn damaged(&self, path: &Path, name: &str) -> Option<Opened> {
        let opened = self.plain(path, name).ok()?;
        Head::read(&opened.input, 0, &mut Vec::new()).is_ok().then_some(opened)
    }

    fn member(&mut self, path: &Path, member: &str, take: Take<'_>) -> Result<(), Stop> {
        let name = path.display().to_string();
        let here = |error: std::io::Error| Stop::ThisFile(Failure::from(error).of(&name));
        let mut file = File::open(path).map_err(here)?;
        let start = first_bytes(&mut file).map_err(here)?;
        if Packing::of(&start) != Packing::Zip {
            let failure = Failure::new("it is no zip archive, so that it has no members");
            return Err(Stop::ThisFile(failure.of(&name)));
        }
        file.rewind().map_err(here)?;
        self.zip(&name, BufReader::new(file), Some(member), take)
    }

    fn plain(&self, path: &Path, name: &str) -> Result<Opened, Failure> {
        let input = if self.mmap { map(path) } else { Input::open(path) };
        let input = input.map_err(|error| Failure::from(error).of(name))?;
        Ok(Opened { input, archive_problem: None })
    }

    /// A pipe: it cannot be read twice, so that all of it comes into memory.
    fn stream(&mut self, name: &str, mut reader: impl Read, take: Take<'_>) -> Result<(), Stop> {
        let start = first_bytes(&mut reader).map_err(|error| Stop::ThisFile(Failure::from(error).of(name)))?;
        let packing = Packing::of(&start);
        let whole = Cursor::new(start).chain(reader);
        match packing {
            Packing::Plain => give(self.unpacker.unpack(name, whole), take),
            Packing::Gzip => give(self.unpacker.unpack(name, MultiGzDecoder::new(BufReader::new(whole))), take),
            Packing::Zip => {
                let bytes = self.unpacker.bytes(name, whole).map_err(Stop::ThisFile)?;
                self.zip(name, Cursor::new(bytes), None, take)
            }
        }
    }

    /// All traces of an archive, told by their names; or one member, whatever it is called.
    fn zip(&mut self, name: &str, reader: impl Read + Seek, only: Option<&str>, take: Take<'_>) -> Result<(), Stop> {
        let here = |error: zip::result::ZipError| Stop::ThisFile(cannot_unpack(&error).of(name));
        let mut archive = ZipArchive::new(reader).map_err(here)?;
        let (mut members, mut others) = (Vec::new(), Vec::new());
        for index in 0..archive.len() {
            let member = archive.by_index_raw(index).map_err(here)?;
            let member = String::from_utf8_lossy(member.name_raw()).into_owned();
            if only.map_or_else(|| is_trace_name(&member), |only| only == member) {
                members.push((member, index));
            } else if !member.ends_with('/') {
                others.push(member);
            }
        }
        members.sort();
        if members.is_empty() {
            let failure = match only {
                Some(only) => Failure::new(format!("no member {only} in this archive")),
                None => Failure::new("no trace in this archive (*.etl, *.etl.NNN, *.blg, *.btl)"),
            };
            return Err(Stop::ThisFile(failure.of(name).hint(other_members(&others))));
        }
        for (member, index) in members {
            let name = format!("{name}!{member}");
            let opened = match archive.by_index(index) {
                Ok(file) => self.unpacker.check(&name, file.size()).and_then(|()| self.unpacker.unpack(&name, file)),
                Err(error) => Err(cannot_unpack(&error).of(&name)),
            };
            give(opened, take)?;
        }
        Ok(())
    }
}

/// Why opening ended.
enum Stop {
    /// This file cannot be opened.
    ThisFile(Failure),
    /// The one who takes does not want more.
    All(Failure),
}

/// Hands a file over, unless it is no trace.
fn give(opened: Result<Opened, Failure>, take: Take<'_>) -> Result<(), Stop> {
    let checked = opened.and_then(|opened| match Head::read(&opened.input, 0, &mut Vec::new()) {
        Ok(_) => Ok(opened),
        Err(error) => Err(Failure::from(error).of(opened.input.name())),
    });
    take(checked).map_err(Stop::All)
}

/// What an archive without a trace holds.
fn other_members(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => "it holds nothing: was it packed before the trace was written?".to_owned(),
        many if many > SHOWN => {
            format!("it holds {shown} and {} more; unpack it if a trace is called otherwise", many - SHOWN)
        }
        _ => format!("it holds {shown}; unpack it if that is a trace"),
    }
}

fn first_bytes(reader: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    reader.take(4).read_to_end(&mut start)?;
    Ok(start)
}

#[expect(unsafe_code, reason = "mapping was asked for with --mmap, whose help tells the risk")]
fn map(path: &Path) -> etwkit::Result<Input> {
    // SAFETY: `Input::map` asks that the file is not truncated or changed while it is read. Nothing here writes to an
    // input; that nobody else does is what the user of --mmap answers for.
    unsafe { Input::map(path) }
}
