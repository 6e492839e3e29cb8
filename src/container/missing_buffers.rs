//! Buffers that the log-file header counts and that are not in the file.
//!
//! Damage handled here: buffers that were taken out, and an end that was cut off after a buffer. Nothing else of such
//! a file is wrong. `BuffersWritten` is compared only where it is dependable (section 4.2): where the session was
//! stopped, and neither a circular file nor a set of files has the first buffers elsewhere; a circular file that has
//! wrapped is compared with its size (`ring`). Numbers alone prove nothing, because Windows leaves some out.

use crate::error::{Problem, ProblemKind};
use crate::format::{Framing, LogFileMode};

use super::ring::Ring;
use super::{BufferInfo, Head};

/// The buffers of a file, counted while they are walked.
#[derive(Debug)]
pub(super) struct MissingBuffers {
    /// `BuffersWritten`.
    stated: u64,
    /// Whether the first buffers may be in the file before, or overwritten.
    may_begin_later: bool,
    /// The places of a circular file.
    ring: Option<Ring>,
    /// Numbers and places of the buffers that were found.
    found: Vec<(i64, u64)>,
}

impl MissingBuffers {
    /// Counts the buffers of a file whose header states how many there are; `None` if it does not.
    pub(super) fn of(head: &Head) -> Option<Self> {
        let log = &head.log;
        let is_counted = !head.is_missing()
            && head.framing() != Framing::Records
            && log.end_time.0 != 0
            && log.buffers_written > 1
            && !log.mode.intersects(LogFileMode::APPEND)
            && !log.mode.intersects(LogFileMode::BUFFERING);
        is_counted.then(|| Self {
            stated: log.buffers_written.into(),
            may_begin_later: log.mode.intersects(LogFileMode::NEW_FILE) || log.mode.intersects(LogFileMode::CIRCULAR),
            ring: Ring::of(log),
            found: Vec::new(),
        })
    }

    /// Counts a buffer.
    pub(super) fn add(&mut self, info: &BufferInfo) {
        self.found.push((info.sequence, info.offset));
    }

    /// Returns what is missing, after the last buffer of a file of `len` bytes.
    pub(super) fn problem(mut self, len: u64) -> Option<Problem> {
        let all = self.found.len() as u64;
        let of_ring = self.of_ring(len);
        self.found.sort_unstable();
        self.found.dedup_by_key(|(number, _)| *number);
        // Before Vista, and in the files of some programs, buffers have no numbers.
        let numbered = self.found.len() as u64 > all / 2;
        // What occurs twice is there once.
        let count = if numbered { self.found.len() as u64 } else { all };
        let missing = self.stated.checked_sub(count).filter(|missing| *missing > 0)?;
        if self.may_begin_later && self.found.get(1).is_none_or(|(second, _)| *second != 1) {
            return of_ring;
        }
        let gap = self.gap().filter(|_| numbered);
        let (at, which) = match gap {
            Some(Gap { first, last, at }) if first == last => (at, format!("; number {first} is the first of them")),
            Some(Gap { first, last, at }) => (at, format!("; numbers {first} to {last} are the first of them")),
            None => (len, String::new()),
        };
        let words = if missing == 1 { "1 is missing".to_owned() } else { format!("{missing} are missing") };
        let detail = format!("of {} buffers that the header counts, {words}{which}", self.stated);
        Some(Problem::new(ProblemKind::BuffersMissing, detail).at(at, 0))
    }

    /// Returns what is missing of a circular file that has wrapped, while its buffers are in the order of the file.
    fn of_ring(&self, len: u64) -> Option<Problem> {
        let ring = self.ring?;
        let numbers: Vec<i64> = self.found.iter().map(|(number, _)| *number).collect();
        let missing = ring.missing(&numbers);
        let words =
            if missing == 1 { "1 buffer is missing".to_owned() } else { format!("{missing} buffers are missing") };
        let detail = format!("{words}: the circular file has wrapped and is smaller than its maximum");
        (missing > 0).then(|| Problem::new(ProblemKind::BuffersMissing, detail).at(len, 0))
    }

    /// Returns the first numbers that are missing between others, and the place of the buffer after them.
    fn gap(&self) -> Option<Gap> {
        // A number beyond all that were counted is a damaged one.
        let most = i64::try_from(self.stated).unwrap_or(i64::MAX).saturating_mul(2);
        let pairs = self.found.iter().zip(self.found.iter().skip(1));
        let mut gaps =
            pairs.filter(|((before, _), (number, _))| *before >= 0 && *number <= most && number - before > 1);
        gaps.next().map(|((before, _), (number, at))| Gap { first: before + 1, last: number - 1, at: *at })
    }
}

/// Numbers without a buffer.
struct Gap {
    first: i64,
    last: i64,
    at: u64,
}
