//! What a row has of the header of its event, until it becomes columns.

use etwkit::FileId;

/// What a row has of its event's header.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head {
    pub(crate) raw_time: i64,
    /// Where the event begins in its file, or in its buffer if that is compressed.
    pub(crate) offset: u64,
    /// 0 without [`parts::PID`]; the same of the others.
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    /// The code of the process's name.
    pub(crate) process: u32,
    pub(crate) file: FileId,
    pub(crate) cpu: u16,
    /// Which of them are there: [`parts`].
    pub(crate) parts: u16,
}

/// Parts of a [`Head`] that may not be there.
pub(crate) mod parts {
    /// Times are those of UTC.
    pub(crate) const UTC: u16 = 1;
    pub(crate) const PID: u16 = 2;
    pub(crate) const TID: u16 = 4;
    pub(crate) const PROCESS: u16 = 8;
    /// What is always there.
    pub(crate) const ALWAYS: u16 = 16;
}

/// Returns the file of all of some heads; `None` if they are of several.
pub(crate) fn one_file(heads: &[Head]) -> Option<FileId> {
    let first = heads.first()?.file;
    heads.iter().all(|head| head.file == first).then_some(first)
}
