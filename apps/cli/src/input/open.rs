//! A file becomes one trace, or the traces of an archive.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Cursor, IsTerminal, Read, Seek};
use std::path::Path;

use etwkit::FileId;
use etwkit::container::Head;
use etwkit::input::Input;
use etwkit_archive::{Archive, Error, Limits, Packing, Unpacked, Unpacker, first_bytes};

use super::archive::Members;
use super::identity::Identity;
use super::location::Location;
use super::opened::Opened;
use super::refusal;
use crate::failure::Failure;
use crate::text::counted;

/// Opens files; what they are is recognized by their first bytes, not by their names.
#[derive(Debug)]
pub(super) struct Opener {
    mmap: bool,
    unpacker: Unpacker,
    /// The members of archives that were read: an archive may be named, and a member of it.
    members: BTreeSet<Identity>,
}

/// Takes what was opened, or why it could not be; an error ends everything.
pub(super) type Take<'a> = &'a mut dyn FnMut(Result<Opened, Failure>) -> Result<(), Failure>;

impl Opener {
    /// `keep` states that traces stay in memory, so that the limit counts all of them.
    pub(super) fn new(mmap: bool, limit: Option<u64>, keep: bool) -> Self {
        let limits = limit.map_or_else(Limits::default, Limits::total_only);
        Self { mmap, unpacker: Unpacker::new(limits).keep(keep), members: BTreeSet::new() }
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
            Packing::Gzip => {
                self.unpacker.begin(0);
                let packed = self.unpacker.counted(file);
                let unpacked = opened(self.unpacker.gzip(&name, packed), &name);
                give(unpacked.or_else(|failure| self.damaged(path, &name).ok_or(failure)), take)
            }
            Packing::Zip => {
                let is_archive = Archive::open(BufReader::new(&file)).is_ok();
                if let Some(opened) = self.damaged(path, &name).filter(|_| !is_archive) {
                    return give(Ok(opened), take);
                }
                file.rewind().map_err(here)?;
                self.unpacker.begin(file.metadata().map_err(here)?.len());
                self.zip((&name, Some(path)), BufReader::new(file), None, take)
            }
            _ => give(self.plain(path, &name), take),
        }
    }

    /// Opens a trace whose first bytes, which are those of an archive, are damaged; `None` if it is not a trace.
    fn damaged(&self, path: &Path, name: &str) -> Option<Opened> {
        let opened = self.plain(path, name).ok()?;
        Head::read(&opened.input, FileId::FIRST, &mut Vec::new()).is_ok().then_some(opened)
    }

    fn member(&mut self, path: &Path, member: &str, take: Take<'_>) -> Result<(), Stop> {
        let name = path.display().to_string();
        let here = |error: std::io::Error| Stop::ThisFile(Failure::from(error).of(&name));
        let mut file = File::open(path).map_err(here)?;
        let start = first_bytes(&mut file).map_err(here)?;
        if Packing::of(&start) != Packing::Zip {
            let failure = Failure::new("not a zip archive, so it has no members");
            return Err(Stop::ThisFile(failure.of(&name)));
        }
        file.rewind().map_err(here)?;
        self.unpacker.begin(file.metadata().map_err(here)?.len());
        self.zip((&name, Some(path)), BufReader::new(file), Some(member), take)
    }

    fn plain(&self, path: &Path, name: &str) -> Result<Opened, Failure> {
        let input = if self.mmap { map(path) } else { Input::open(path) };
        let input = input.map_err(|error| Failure::from(error).of(name))?;
        Ok(Opened { input, archive_problem: None, note: None })
    }

    /// A pipe: it cannot be read twice, so that all of it comes into memory.
    fn stream(&mut self, name: &str, mut reader: impl Read, take: Take<'_>) -> Result<(), Stop> {
        let start = first_bytes(&mut reader).map_err(|error| Stop::ThisFile(Failure::from(error).of(name)))?;
        let packing = Packing::of(&start);
        self.unpacker.begin(0);
        let whole = self.unpacker.counted(Cursor::new(start).chain(reader));
        match packing {
            Packing::Gzip => give(opened(self.unpacker.gzip(name, whole), name), take),
            Packing::Zip => {
                let bytes = self.unpacker.archive_bytes(whole);
                let bytes = bytes.map_err(|error| Stop::ThisFile(refusal::failure(error, name)))?;
                self.zip((name, None), Cursor::new(bytes), None, take)
            }
            _ => give(opened(self.unpacker.stream(name, whole), name), take),
        }
    }

    /// All traces of an archive, recognized by their names; or one member, whatever it is called. Those that were read
    /// before are left out.
    fn zip(
        &mut self,
        (name, path): (&str, Option<&Path>),
        reader: impl Read + Seek,
        only: Option<&str>,
        take: Take<'_>,
    ) -> Result<(), Stop> {
        let archive = Archive::open(reader);
        let mut archive = archive.map_err(|error| Stop::ThisFile(refusal::failure(error, name)))?;
        let members = Members::of(archive.members(), only);
        if members.wanted.is_empty() {
            return Err(Stop::ThisFile(members.none(&mut archive, name, only)));
        }
        let mut note = if only.is_none() { members.overlooked(&mut archive, name) } else { None };
        for (number, member) in members.wanted.iter().enumerate() {
            let location = path.map(|path| Identity::of(&Location::Member(path.to_owned(), member.name().to_owned())));
            if location.is_some_and(|location| !self.members.insert(location)) {
                continue;
            }
            let full = format!("{name}!{}", member.name());
            let unpacked = self.unpacker.member(&full, &mut archive, member);
            let is_last = matches!(unpacked, Err(Error::ExpandsTooMuch { .. }));
            let opened = opened(unpacked, &full);
            give(opened.map(|opened| Opened { note: note.take(), ..opened }), take)?;
            let left = members.wanted.len() - number - 1;
            if is_last {
                return if left > 0 { give(Err(not_read(left).of(name)), take) } else { Ok(()) };
            }
        }
        Ok(())
    }
}

/// Makes an input of what was unpacked, or states why it was not.
fn opened(unpacked: etwkit_archive::Result<Unpacked>, name: &str) -> Result<Opened, Failure> {
    unpacked.map(|unpacked| refusal::opened(unpacked, name)).map_err(|error| refusal::failure(error, name))
}

/// What follows a member after which an archive is not read on.
fn not_read(members: usize) -> Failure {
    Failure::new(format!("{} after it not read, for the same reason", counted(members as u64, "member")))
}

/// Why opening ended.
enum Stop {
    /// This file cannot be opened.
    ThisFile(Failure),
    /// The one who takes does not want more.
    All(Failure),
}

/// Hands a file over, unless it is not a trace.
fn give(opened: Result<Opened, Failure>, take: Take<'_>) -> Result<(), Stop> {
    let checked = opened.and_then(|opened| match Head::read(&opened.input, FileId::FIRST, &mut Vec::new()) {
        Ok(_) => Ok(opened),
        Err(error) => Err(Failure::from(error).of(opened.input.name())),
    });
    take(checked).map_err(Stop::All)
}

#[expect(unsafe_code, reason = "mapping was asked for with --mmap, whose help states the risk")]
fn map(path: &Path) -> etwkit::Result<Input> {
    // SAFETY: `Input::map` asks that the file is not truncated or changed while it is read. Nothing here writes to an
    // input; that nobody else does is what the user of --mmap answers for.
    unsafe { Input::map(path) }
}
