//! Buffers that the log-file header counts and that are not in the file.
//!
//! Damage handled here: buffers that were taken out, and an end that was cut off after a buffer. Nothing else of such
//! a file is wrong. `BuffersWritten` is compared only where it is dependable (section 4.2): where the session was
//! stopped. The buffers before the first number of a file of a set may be in the files before it. A circular file that
//! has wrapped is compared with its size (`ring`). Numbers alone prove nothing, because Windows leaves some out.

use crate::error::{Problem, ProblemKind};
use crate::format::{Framing, LogFileHeader, LogFileMode};

use super::ring::Ring;
use super::{BufferInfo, Head};

/// Where buffers are that have lower numbers than all in the file.
#[derive(Clone, Copy, Debug)]
enum First {
    /// Nowhere: there are none.
    Here,
    /// In the files of the set before this one.
    FilesBefore,
    /// Overwritten, if a circular file has wrapped; `None` if its size is not known.
    Overwritten(Option<Ring>),
}

impl First {
    fn of(log: &LogFileHeader) -> Self {
        if log.mode.intersects(LogFileMode::NEW_FILE) {
            Self::FilesBefore
        } else if log.mode.intersects(LogFileMode::CIRCULAR) {
            Self::Overwritten(Ring::of(log))
        } else {
            Self::Here
        }
    }
}

/// The buffers of a file, counted while they are walked.
#[derive(Debug)]
pub(super) struct MissingBuffers {
    /// `BuffersWritten`.
    stated: u64,
    /// Where the first buffers may be.
    first: First,
    /// Numbers and places of the buffers that were found.
    found: Vec<(i64, u64)>,
}

impl MissingBuffers {
    /// Counts the buffers of a file whose header states how many there are; `None` if it does not.
    pub(super) fn of(head: &Head) -> Option<Self> {
        let log = &head.log;
        let is_comparable =
            !head.is_missing() && head.framing() != Framing::Records && !log.mode.intersects(LogFileMode::BUFFERING);
        let stated = log.counted_buffers().filter(|_| is_comparable)?;
        Some(Self { stated: stated.into(), first: First::of(log), found: Vec::new() })
    }

    /// Counts a buffer.
    pub(super) fn add(&mut self, info: &BufferInfo) {
        self.found.push((info.sequence, info.offset));
    }

    /// Returns what is missing, after the last buffer of a file of `len` bytes.
    pub(super) fn problem(mut self, len: u64) -> Option<Problem> {
        let all = self.found.len() as u64;
        let numbers: Vec<i64> = self.found.iter().map(|(number, _)| *number).collect();
        self.found.sort_unstable();
        self.found.dedup_by_key(|(number, _)| *number);
        // Before Vista, and in the files of some programs, buffers have no numbers.
        let numbered = self.found.len() as u64 > all / 2;
        // What occurs twice is there once.
        let count = if numbered { self.found.len() as u64 } else { all };
        // The header's buffer is number 0 in every file.
        let first = self.found.get(1).and_then(|(number, _)| u64::try_from(*number).ok()).filter(|_| numbered);
        let elsewhere = match (self.first, first) {
            (First::Here, _) | (_, Some(1)) => 0,
            (First::FilesBefore, Some(first)) => first.saturating_sub(1),
            (First::FilesBefore, None) => return None,
            (First::Overwritten(Some(ring)), _) if !ring.has_wrapped(self.stated) => 0,
            (First::Overwritten(ring), _) => return of_ring(ring?, &numbers, len),
        };
        let missing = self.stated.checked_sub(count + elsewhere).filter(|missing| *missing > 0)?;
        let gap = self.gap(elsewhere > 0).filter(|_| numbered);
        let (at, which) = match gap {
            Some(Gap { first, last, at }) if first == last => (at, format!("; number {first} is the first of them")),
            Some(Gap { first, last, at }) => (at, format!("; numbers {first} to {last} are the first of them")),
            None => (len, String::new()),
        };
        let words = if missing == 1 { "1 is missing".to_owned() } else { format!("{missing} are missing") };
        let detail = format!("of {} buffers that the header counts, {words}{which}", self.stated);
        Some(Problem::new(ProblemKind::BuffersMissing, detail).at(at, 0))
    }

    /// Returns the first numbers that are missing between others, and the place of the buffer after them; not those
    /// after the header's buffer, if they are elsewhere.
    fn gap(&self, first_is_elsewhere: bool) -> Option<Gap> {
        // A number beyond all that were counted is a damaged one.
        let most = i64::try_from(self.stated).unwrap_or(i64::MAX).saturating_mul(2);
        let pairs = self.found.iter().zip(self.found.iter().skip(1)).skip(usize::from(first_is_elsewhere));
        let mut gaps =
            pairs.filter(|((before, _), (number, _))| *before >= 0 && *number <= most && number - before > 1);
        gaps.next().map(|((before, _), (number, at))| Gap { first: before + 1, last: number - 1, at: *at })
    }
}

/// Returns what is missing of a circular file that has wrapped and whose buffers have these numbers, in the order of the
/// file.
fn of_ring(ring: Ring, numbers: &[i64], len: u64) -> Option<Problem> {
    let missing = ring.missing(numbers);
    let words = if missing == 1 { "1 buffer is missing".to_owned() } else { format!("{missing} buffers are missing") };
    let detail = format!("{words}: the circular file has wrapped and is smaller than its maximum");
    (missing > 0).then(|| Problem::new(ProblemKind::BuffersMissing, detail).at(len, 0))
}

/// Numbers without a buffer.
struct Gap {
    first: i64,
    last: i64,
    at: u64,
}
