//! Zip archives.

use std::fmt;
use std::io::{Read, Seek};

use zip::ZipArchive;
use zip::read::ZipFile;

use crate::error::{Error, Result};
use crate::head;
use crate::limits::MAX_PEEK;
use crate::member::{Member, MemberKind};
use crate::packing::Packing;

/// A zip archive.
pub struct Archive<R> {
    zip: ZipArchive<R>,
    members: Vec<Member>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Corrupt`] for what is not an archive or cannot be read, [`Error::Overlap`] if members share
    /// bytes, and [`Error::SameNames`] if two have one name.
    pub fn open(reader: R) -> Result<Self> {
        let mut zip = ZipArchive::new(reader).map_err(Error::of_zip)?;
        if zip.has_overlapping_entries().map_err(Error::corrupt)? {
            return Err(Error::Overlap);
        }
        if zip.has_duplicate_names() {
            return Err(Error::SameNames);
        }
        let mut members = Vec::new();
        for index in 0..zip.len() {
            let file = zip.by_index_raw(index).map_err(Error::corrupt)?;
            members.push(Member { name: String::from_utf8_lossy(file.name_raw()).into_owned(), index });
        }
        Ok(Self { zip, members })
    }

    /// Returns the members in the order of the directory, folders included.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Tells what a member is by its first bytes, at most [`MAX_PEEK`] of them.
    pub fn kind(&mut self, member: &Member) -> MemberKind {
        let mut start = Vec::new();
        let Ok(file) = self.file(member) else { return MemberKind::Other };
        // What breaks off after its head is a trace, too.
        let _ = file.take(MAX_PEEK).read_to_end(&mut start);
        match Packing::of(&start) {
            Packing::Plain if head::is_trace(start) => MemberKind::Trace,
            Packing::Plain => MemberKind::Other,
            _ => MemberKind::Packed,
        }
    }

    pub(crate) fn file(&mut self, member: &Member) -> Result<ZipFile<'_, R>> {
        self.zip.by_index(member.index).map_err(Error::of_zip)
    }
}

impl<R> fmt::Debug for Archive<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").field("members", &self.members).finish_non_exhaustive()
    }
}
