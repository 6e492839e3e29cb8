//! Dispatch: which kind of buffers a file has, and the walk from one to the next.
//!
//! Damage handled here: what was found is turned into frames, so that each byte of a file is in a buffer or in a
//! problem. A buffer that the file ends in is `truncated`; bytes that no buffer covers are `bad-buffer`, `truncated` or
//! `zero-tail`. Which bytes are a buffer is decided by `modern`, `pre_vista` and `btl`.

use crate::FileId;
use crate::error::{Problem, ProblemKind, Result, Severity};
use crate::format::{BufferHeader, Framing, LogFileMode};
use crate::input::Input;
use crate::limits;

use super::btl::{self, Blocks};
use super::buffer_info::FoundBuffer;
use super::missing_buffers::MissingBuffers;
use super::modern::ModernBuffers;
use super::pre_vista::PreVistaBuffers;
use super::zero_tail::ZeroTail;
use super::{BufferInfo, Head};

/// The next thing in a file.
#[derive(Clone, Debug)]
pub enum Frame {
    /// A buffer.
    Buffer(BufferInfo),
    /// Bytes that are not a buffer.
    Problem(Problem),
}

/// Iterates the buffers of a file in file order.
#[derive(Debug)]
pub struct Frames<'s> {
    source: &'s Input,
    file: FileId,
    pub(super) buffers: Buffers<'s>,
    zeros: ZeroTail<'s>,
    /// How bad zeros up to the end are.
    zeros_are: Severity,
    at: u64,
    /// Problems that are reported after their buffer, the last one first.
    pending: Vec<Problem>,
    /// The count of the buffers; `None` after the end.
    missing: Option<MissingBuffers>,
}

/// The buffers of a file, by how they are laid out.
#[derive(Debug)]
pub(super) enum Buffers<'s> {
    Modern(ModernBuffers<'s>),
    PreVista(PreVistaBuffers<'s>),
    Btl(Blocks<'s>),
}

impl<'s> Buffers<'s> {
    fn new(source: &'s Input, file: FileId, head: &Head) -> Self {
        if head.framing() == Framing::Records {
            Self::Btl(Blocks::new(source, file, limits::MAX_REPAIRS))
        } else if head.is_pre_vista() {
            Self::PreVista(PreVistaBuffers::new(source, file, head))
        } else {
            Self::Modern(ModernBuffers::new(source, file, head))
        }
    }

    /// Returns the buffer that begins at `at`, if one does.
    fn at(&mut self, at: u64) -> Result<Option<FoundBuffer>> {
        match self {
            Self::Modern(buffers) => buffers.at(at),
            Self::PreVista(buffers) => buffers.at(at),
            Self::Btl(blocks) => blocks.at(at),
        }
    }

    /// Returns where the next buffer may begin if none begins at `at`; `None` if that is the end.
    fn after(&mut self, at: u64) -> Result<Option<u64>> {
        match self {
            Self::Modern(buffers) => buffers.search(at),
            Self::PreVista(buffers) => Ok(buffers.after(at)),
            Self::Btl(blocks) => blocks.search(at + 1, u64::MAX),
        }
    }

    /// Returns the problem of bytes without a buffer: the last `left` bytes of a file, or other bytes if `left` is
    /// `None`.
    fn no_buffer(&self, left: Option<u64>) -> (ProblemKind, &'static str) {
        let header = match self {
            Self::PreVista(_) => return (ProblemKind::BadBuffer, "a buffer header that cannot be right"),
            Self::Modern(_) => BufferHeader::SIZE,
            Self::Btl(_) => btl::HEAD,
        };
        if left.is_some_and(|left| left < header as u64) {
            return (ProblemKind::Truncated, "the file ends inside a buffer header");
        }
        (ProblemKind::BadBuffer, "no buffer header where one should be; skipped to the next one")
    }
}

impl<'s> Frames<'s> {
    /// Makes a reader of the buffers of `source`, the `file`-th input.
    pub fn new(source: &'s Input, file: FileId, head: &Head) -> Self {
        Self {
            source,
            file,
            buffers: Buffers::new(source, file, head),
            zeros: ZeroTail::new(source),
            zeros_are: zero_tail_severity(head),
            at: 0,
            pending: Vec::new(),
            missing: MissingBuffers::of(head),
        }
    }

    /// Returns the next buffer or problem; `None` at the end. An error is the operating system's.
    pub fn next_frame(&mut self) -> Result<Option<Frame>> {
        if let Some(problem) = self.pending.pop() {
            return Ok(Some(Frame::Problem(problem)));
        }
        if self.at >= self.source.len() {
            let missing = self.missing.take().and_then(|missing| missing.problem(self.source.len()));
            return Ok(missing.map(|problem| Frame::Problem(problem.of_file(self.file))));
        }
        match self.buffers.at(self.at)? {
            Some(found) => Ok(Some(self.buffer(&found))),
            None => self.gap().map(Some),
        }
    }

    fn buffer(&mut self, found: &FoundBuffer) -> Frame {
        let left = self.source.len() - self.at;
        if found.size > left {
            let what = "the file ends inside this buffer; these bytes after its end are missing";
            let problem = Problem::new(ProblemKind::Truncated, what);
            // The problem comes after the buffer, because the events before the cut are good.
            self.pending.push(self.place(problem, self.source.len(), found.size - left));
        }
        if let Some(claimed) = found.claimed {
            let what =
                format!("it claims {claimed} unpacked bytes, of which at most the first {} are read", found.info.used);
            let problem = Problem::new(ProblemKind::BadCompression, what);
            self.pending.push(self.place(problem, self.at, found.info.size.into()));
        }
        self.at += found.size.min(left);
        if let Some(missing) = &mut self.missing {
            missing.add(&found.info);
        }
        Frame::Buffer(found.info)
    }

    /// No buffer begins here: reports the bytes before the next one.
    fn gap(&mut self) -> Result<Frame> {
        let start = self.at;
        let zeros = self.zeros.includes(start)?;
        // Zeros are checked first: a search through gigabytes of preallocated space would find nothing.
        let next = if zeros { None } else { self.buffers.after(start)? };
        self.at = next.unwrap_or(self.source.len());
        let len = self.at - start;
        let problem = if zeros {
            let what = "only zeros to the end: preallocated and never written, or lost";
            Problem::new(ProblemKind::ZeroTail, what).with_severity(self.zeros_are)
        } else {
            let (kind, what) = self.buffers.no_buffer(next.is_none().then_some(len));
            Problem::new(kind, what)
        };
        Ok(Frame::Problem(self.place(problem, start, len)))
    }

    fn place(&self, problem: Problem, offset: u64, len: u64) -> Problem {
        problem.of_file(self.file).at(offset, len)
    }
}

/// Returns how bad zeros up to the end are: a preallocated or unfinished file has them without having lost anything.
fn zero_tail_severity(head: &Head) -> Severity {
    let preallocated = head.log.mode.intersects(LogFileMode::PREALLOCATE);
    if !head.is_missing() && (preallocated || head.log.end_time.0 == 0) { Severity::Note } else { Severity::Damage }
}
