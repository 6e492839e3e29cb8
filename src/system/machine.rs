//! The machine of a system, and when it was booted.

use crate::FileId;
use crate::time::FileTime;

/// A machine from one boot to the next, as the headers of its files describe it. All ids, keys and addresses of the
/// traced system are those of one machine and boot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Machine {
    /// Its number among the machines of the trace, from 0, in the order of their first files.
    pub number: u16,
    /// When it was booted; `None` if no file states so.
    pub boot_time: Option<FileTime>,
    /// Its name, from the kernel's description of the system; `None` if no file has that.
    pub computer_name: Option<Box<str>>,
    /// The numbers of its files, in order.
    pub files: Box<[FileId]>,
}
