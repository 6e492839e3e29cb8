//! An image (executable or library).

use std::sync::Arc;

use crate::time::FileTime;

use super::identities::{FileIdentity, PdbFile};

/// An image that was mapped into a process for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Image {
    /// Process id; 0 for those of the kernel.
    pub pid: u32,
    /// Address of its first byte.
    pub base: u64,
    /// Bytes in memory.
    pub size: u64,
    /// Checksum of the PE header.
    pub checksum: u32,
    /// Time stamp of the PE header (a hash in reproducible builds).
    pub time_stamp: u32,
    /// Path in the kernel's form.
    pub path: Arc<str>,
    /// Time of its load; `None` if it was there before the trace, or if the clock of the trace is not known.
    pub load: Option<FileTime>,
    /// Time of its unload; where that was lost, the time at which another image was loaded at the same base, or the end of
    /// its process, if another one has the id afterwards. `None` if it stayed to the end of the trace, or if the clock of
    /// the trace is not known.
    pub unload: Option<FileTime>,
    /// Time of the event of a rundown that lists it; `None` if its load or unload was known before, or if the clock of the
    /// trace is not known. The process that had the id [`pid`](field@Image::pid) at that time is its process.
    pub rundown: Option<FileTime>,
    /// Its PDB file, if the trace has an event `DbgID_RSDS` for it: merging adds them. Only parsers that were asked to keep
    /// image identities or stacks set it.
    pub pdb: Option<Arc<PdbFile>>,
    /// Its original file name, if the trace has an event `ImageID` for it, as for [`Image::pdb`](field@Image::pdb).
    pub original_name: Option<Arc<str>>,
    /// How many processes had the id before its own.
    pub(super) instance: u32,
}

impl Image {
    /// Makes an image that was there from the start to the end of the trace, without what its PE header states.
    pub fn new(pid: u32, base: u64, size: u64, path: impl Into<Arc<str>>) -> Self {
        let (path, checksum, time_stamp) = (path.into(), 0, 0);
        let (load, unload, rundown, pdb, original_name) = (None, None, None, None, None);
        Self { pid, base, size, checksum, time_stamp, path, load, unload, rundown, pdb, original_name, instance: 0 }
    }

    /// Returns the file name without directory. A name longer than any file's can be is cut after
    /// [`crate::limits::MAX_FILE_NAME`] bytes.
    pub fn file_name(&self) -> &str {
        super::process::shared_file_name(&self.path)
    }

    /// Returns whether the two are not of one file, which are at one address.
    pub(super) fn is_other_than(&self, other: &Self) -> bool {
        let has_name = !self.path.is_empty() && !other.path.is_empty();
        self.size != other.size || !self.may_have_stamp(other.time_stamp) || has_name && !self.is_called_as(other)
    }

    /// Returns whether its header may have a time stamp; some versions of events have none.
    pub(super) fn may_have_stamp(&self, time_stamp: u32) -> bool {
        self.time_stamp == time_stamp || self.time_stamp == 0 || time_stamp == 0
    }

    /// Returns whether both have the same file name.
    pub(super) fn is_called_as(&self, other: &Self) -> bool {
        self.file_name().eq_ignore_ascii_case(other.file_name())
    }

    /// Takes over what is not known yet of its file.
    pub(super) fn identify(&mut self, identity: FileIdentity) {
        if let (None, Some(pdb)) = (&self.pdb, identity.pdb) {
            self.pdb = Some(pdb);
        }
        if let (None, Some((time_stamp, name))) = (&self.original_name, identity.header) {
            self.original_name = Some(name);
            if self.time_stamp == 0 {
                self.time_stamp = time_stamp;
            }
        }
    }

    /// Returns whether the identity of its file is known to be this.
    pub(super) fn has(&self, identity: &FileIdentity) -> bool {
        let has_pdb = identity.pdb.is_none() || self.pdb == identity.pdb;
        let name = identity.header.as_ref().map(|(_, name)| name);
        has_pdb && (name.is_none() || self.original_name.as_ref() == name)
    }
}
