//! Problems of a trace that do not end the reading.

use std::fmt;

use crate::FileId;

named_enum! {
    /// How much a [`Problem`] matters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Severity {
        /// Worth knowing; nothing is missing.
        Note = "note",
        /// The capture itself lost something: the file is whole, the recording is not.
        Loss = "loss",
        /// Bytes of the file could not be read.
        Damage = "damage",
    }
}

named_enum! {
    /// The kind of a [`Problem`].
    ///
    /// | kind | name in output | severity | meaning |
    /// |---|---|---|---|
    /// | [`BadHeader`](Self::BadHeader) | `bad-header` | damage | the log-file header cannot be read |
    /// | [`BadBuffer`](Self::BadBuffer) | `bad-buffer` | damage | no buffer header where one should be, or an impossible one |
    /// | [`BadCompression`](Self::BadCompression) | `bad-compression` | damage | a compressed buffer cannot be unpacked, or only its beginning |
    /// | [`BadEvent`](Self::BadEvent) | `bad-event` | damage | bytes of a buffer that are not an event |
    /// | [`Truncated`](Self::Truncated) | `truncated` | damage | the file ends inside a buffer |
    /// | [`UsedLength`](Self::UsedLength) | `used-length` | note | a buffer's used length goes beyond the buffer |
    /// | [`Slack`](Self::Slack) | `slack` | damage | what follows a buffer's used length is not fill |
    /// | [`Fill`](Self::Fill) | `fill` | damage | fill within a buffer's used length, where events should be |
    /// | [`ZeroTail`](Self::ZeroTail) | `zero-tail` | note or damage | only zeros to the end of the file |
    /// | [`BuffersMissing`](Self::BuffersMissing) | `buffers-missing` | damage | the log-file header counts buffers that are not in the file |
    /// | [`Changed`](Self::Changed) | `changed` | damage | the file was changed while it was read |
    /// | [`EventsLost`](Self::EventsLost) | `events-lost` | loss | the session reports that it lost events |
    /// | [`BuffersLost`](Self::BuffersLost) | `buffers-lost` | loss | the session reports that it lost buffers |
    /// | [`ErrorEvents`](Self::ErrorEvents) | `error-events` | loss | the kernel could not write events |
    /// | [`BadSchema`](Self::BadSchema) | `bad-schema` | note | a schema or other metadata in the trace cannot be used |
    /// | [`StateFull`](Self::StateFull) | `state-full` | note | more processes, files and so on than are kept, or names that are cut |
    /// | [`BadArchive`](Self::BadArchive) | `bad-archive` | damage | the packed data that the trace came from breaks off |
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum ProblemKind {
        /// The log-file header cannot be read: times are raw, and the session's names are lost.
        BadHeader = "bad-header",
        /// No buffer header where one should be, or one with impossible values.
        BadBuffer = "bad-buffer",
        /// A compressed buffer cannot be unpacked, or only its beginning.
        BadCompression = "bad-compression",
        /// Bytes of a buffer that are not an event.
        BadEvent = "bad-event",
        /// The file ends inside a buffer.
        Truncated = "truncated",
        /// A buffer's used length goes beyond the buffer.
        UsedLength = "used-length",
        /// The bytes after a buffer's used length are not fill.
        Slack = "slack",
        /// Fill within a buffer's used length: nothing but events is written there, so some were overwritten.
        Fill = "fill",
        /// Only zeros to the end of the file. A note where the log-file header states that the file was preallocated or
        /// not closed, otherwise damage.
        ZeroTail = "zero-tail",
        /// The log-file header counts buffers that are not in the file: they were taken out, or the file was cut off at
        /// the end of a buffer. The place is where the next buffer begins.
        BuffersMissing = "buffers-missing",
        /// A buffer is not what the first pass saw: somebody writes to the file, or truncated it, while it is read.
        Changed = "changed",
        /// The session reports that it lost events while it recorded.
        EventsLost = "events-lost",
        /// The session reports that it lost buffers while it recorded.
        BuffersLost = "buffers-lost",
        /// The kernel could not write events to the space that it had reserved for them.
        ErrorEvents = "error-events",
        /// A schema or other metadata in the trace cannot be used.
        BadSchema = "bad-schema",
        /// More facts of the traced system than are kept, or names of it that are cut.
        StateFull = "state-full",
        /// The packed data that the trace came from breaks off. For programs that unpack traces; the engine does not.
        BadArchive = "bad-archive",
    }
}

impl ProblemKind {
    /// Returns the severity of all problems of this kind; `None` where it depends on the file.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::ZeroTail => None,
            Self::UsedLength | Self::BadSchema | Self::StateFull => Some(Severity::Note),
            Self::EventsLost | Self::BuffersLost | Self::ErrorEvents => Some(Severity::Loss),
            Self::BadHeader
            | Self::BadBuffer
            | Self::BadCompression
            | Self::BadEvent
            | Self::Truncated
            | Self::Slack
            | Self::Fill
            | Self::BuffersMissing
            | Self::Changed
            | Self::BadArchive => Some(Severity::Damage),
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Something wrong with a trace that did not stop the reading of it.
///
/// The bytes `offset .. offset + len` of the file are concerned; for [`Severity::Damage`] they are the bytes that are
/// in no delivered event.
///
/// ```
/// use etwkit::{Problem, ProblemKind, Severity};
///
/// let problem = Problem::new(ProblemKind::BadEvent, "bytes that are not an event").at(0x1048, 8);
/// assert_eq!(problem.severity, Severity::Damage);
/// assert_eq!(problem.to_string(), "bad-event at 0x1048, 8 bytes: bytes that are not an event");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// How much it matters.
    pub severity: Severity,
    /// What it is.
    pub kind: ProblemKind,
    /// The input file.
    pub file: FileId,
    /// Where in the file it begins, in bytes.
    pub offset: u64,
    /// How many bytes are concerned. In a compressed buffer: of the bytes on disk.
    pub len: u64,
    /// One sentence for people.
    pub detail: String,
}

impl Problem {
    /// Creates a problem of the first file that concerns no bytes. Its severity is that of its kind, or damage if the
    /// kind has none of its own.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        let severity = match kind.severity() {
            Some(severity) => severity,
            None => Severity::Damage,
        };
        Self { severity, kind, file: FileId::FIRST, offset: 0, len: 0, detail: detail.into() }
    }

    /// Returns the same problem with the bytes that it concerns.
    #[must_use]
    pub fn at(self, offset: u64, len: u64) -> Self {
        Self { offset, len, ..self }
    }

    /// Returns the same problem of another input file.
    #[must_use]
    pub fn of_file(self, file: FileId) -> Self {
        Self { file, ..self }
    }

    /// Returns the same problem with another severity, for kinds that have none of their own.
    #[must_use]
    pub fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:#x}, {} bytes: {}", self.kind, self.offset, self.len, self.detail)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_of_kinds_says_what_the_code_does() {
        let names: BTreeSet<_> = ProblemKind::ALL.map(ProblemKind::name).into();
        assert_eq!(names.len(), ProblemKind::ALL.len());
        let table = include_str!("problem.rs");
        for kind in ProblemKind::ALL {
            let severity = kind.severity().map_or("note or damage", Severity::name);
            let row = format!("| [`{kind:?}`](Self::{kind:?}) | `{kind}` | {severity} |");
            assert!(table.contains(&row), "{row}");
        }
        let rows = table.lines().filter(|line| line.trim_start().starts_with("/// | [`")).count();
        assert_eq!(rows, ProblemKind::ALL.len());
    }
}
