//! One thing that was found.

use etwkit::FileId;
use etwkit::{Problem, ProblemKind, Severity};

/// Something that a reader of the trace should know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// What it is: the name of a [`ProblemKind`], or one of those that only a check finds.
    pub kind: &'static str,
    /// The input file, counted from 0; `None` if it is about all of several.
    pub file: Option<FileId>,
    /// Where in the file it begins and how many bytes are concerned; `None` if it is not about bytes.
    pub place: Option<(u64, u64)>,
    /// What was found, with numbers.
    pub detail: String,
    /// What that means for the events, and what was recovered.
    pub meaning: &'static str,
}

impl Finding {
    /// A note on a file that is not about bytes.
    pub(crate) fn new(kind: &'static str, file: FileId, detail: String, meaning: &'static str) -> Self {
        Self { file: Some(file), ..Self::of_trace(kind, detail, meaning) }
    }

    /// A note on all files together.
    pub(crate) const fn of_trace(kind: &'static str, detail: String, meaning: &'static str) -> Self {
        Self { severity: Severity::Note, kind, file: None, place: None, detail, meaning }
    }
}

impl From<&Problem> for Finding {
    fn from(problem: &Problem) -> Self {
        let Problem { severity, kind, file, offset, len, detail, .. } = problem;
        let place = (*offset != 0 || *len != 0).then_some((*offset, *len));
        Self {
            severity: *severity,
            kind: kind.name(),
            file: Some(*file),
            place,
            detail: detail.clone(),
            meaning: meaning(*kind),
        }
    }
}

/// Returns what a problem means for the events.
const fn meaning(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::BadHeader => "the times of events count ticks, and the names of the session are not known",
        ProblemKind::BadBuffer => "the events of these bytes are missing; reading went on with the next buffer",
        ProblemKind::BadCompression => "the events before the break were read; the rest of the buffer is missing",
        ProblemKind::BadEvent => "these bytes are in no event; reading went on with the next event of the buffer",
        ProblemKind::Truncated => "the events up to the end of the file were read; those after it are missing",
        ProblemKind::UsedLength => "the events up to the end of the buffer were read",
        ProblemKind::Slack => {
            "these bytes are in no event: leftovers of the writer, or events that a damaged length hides"
        }
        ProblemKind::Fill => "events were overwritten with fill; those after it were read",
        ProblemKind::BuffersMissing => {
            "buffers were taken out, or the file was cut at the end of a buffer: their events are missing"
        }
        ProblemKind::Changed => "another program writes to the file: read a copy that does not change",
        ProblemKind::ZeroTail => "there is no event in these bytes",
        ProblemKind::EventsLost | ProblemKind::ErrorEvents => {
            "Windows could not write these events: what is computed from events may be too low"
        }
        ProblemKind::BuffersLost => {
            "Windows could not write these buffers: what is computed from events may be too low"
        }
        ProblemKind::BadSchema => "events that need it are printed as bytes, or with another description",
        ProblemKind::StateFull => "some names of processes, images or files are not known, or cut",
        ProblemKind::BadArchive => "what was unpacked before the break was read",
        _ => "see the description",
    }
}
