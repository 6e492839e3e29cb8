//! The first buffer of a file: is it a trace, and what does its header state?
//!
//! Damage handled here: a log-file header that cannot be read. The file is read without it if a buffer may follow.

use crate::FileId;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, ForeignFormat, Problem, ProblemKind, Result};
use crate::event::{BufferContext, Kind, RawEvent};
use crate::format::{BufferHeader, Framing, HeaderType, LogFileHeader, Marker, hook_guid};
use crate::input::Input;
use crate::limits;
use crate::time::{FileTime, RawTime};

use super::btl::Blocks;
use super::buffer_info::FoundBuffer;
use super::candidate::Candidate;
use super::foreign_format::foreign_format;
use super::has_buffers::has_buffers;
use super::resync::Resync;
use super::zero_tail::ZeroTail;
use super::{Arena, Step, Walk};

/// Facts about the file from its first buffer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Head {
    /// The trace header; defaults if it is damaged ([`Head::is_missing`]).
    pub log: LogFileHeader,
    /// The clock of its time stamps.
    pub clock: Clock,
    /// Header type of the first event: the bitness of the *writer*.
    pub header_type: Option<HeaderType>,
    /// Bytes between buffers that have no size of their own.
    pub(super) stride: u32,
    framing: Framing,
    missing: bool,
    /// Whether buffers have headers of Vista and later.
    is_modern: bool,
}

impl Head {
    /// Returns when the session was stopped; the time of its last event if the header states no end, because it was not.
    pub fn session_end(&self, last_event: Option<RawTime>) -> Option<FileTime> {
        match self.log.end_time {
            FileTime(0) => self.clock.filetime(last_event?),
            end => Some(end),
        }
    }

    /// Reads the start of a file. A file that is not a trace at all is an error; a trace whose header is damaged is a
    /// problem, and its events will have raw times only.
    pub fn read(source: &Input, file: FileId, problems: &mut Vec<Problem>) -> Result<Self> {
        let mut scratch = Vec::new();
        let start = source.window(0, BufferHeader::SIZE + usize::from(u16::MAX), &mut scratch)?;
        if let Some(mut head) = Self::parse(start) {
            head.is_modern = !head.log.before_vista() || has_modern_buffers(source)?;
            return Ok(head);
        }
        // The next buffer, if there is one, begins within the largest buffer size.
        let start = source.window(0, limits::MAX_BUFFER + 2 * BufferHeader::SIZE, &mut scratch)?;
        if !source.is_empty() && ZeroTail::new(source).includes(0)? {
            return Err(Error::new(ErrorKind::NotATrace(ForeignFormat::OnlyZeros)));
        }
        let foreign = foreign_format(start, source.len());
        // Fill and text have no magic number.
        let may_have_blocks = foreign.is_none_or(|format| {
            matches!(
                format,
                ForeignFormat::Unknown | ForeignFormat::Text | ForeignFormat::Xml | ForeignFormat::Utf16Text
            )
        });
        let has_blocks =
            may_have_blocks && Blocks::new(source, FileId::FIRST, 0).search(0, limits::MAX_BUFFER as u64)?.is_some();
        if has_blocks && let Some(head) = Self::of_blocks(source)? {
            return Ok(head);
        }
        // A few bytes can look like a block; the events of a buffer are not coincidence.
        let is_to_be_searched = has_blocks || foreign.is_some();
        let has_buffers = is_to_be_searched && has_buffers(source, foreign.unwrap_or(ForeignFormat::Unknown))?;
        if let Some(format) = foreign.filter(|_| !has_blocks && !has_buffers) {
            return Err(Error::new(ErrorKind::NotATrace(format)));
        }
        // Its bytes may still be an event's, and the walk reports those that are not: none is counted twice.
        let what = "the trace's header cannot be read: times are raw, names of the session are lost";
        problems.push(Problem::new(ProblemKind::BadHeader, what).of_file(file));
        let is_blocks = has_blocks && !has_buffers;
        Ok(Self::unknown(if is_blocks { Framing::Records } else { Framing::Markers }))
    }

    /// Returns whether the header could not be read.
    pub const fn is_missing(&self) -> bool {
        self.missing
    }

    /// Returns whether buffers have the layout of before Vista.
    pub const fn is_pre_vista(&self) -> bool {
        !self.missing && !self.is_modern && matches!(self.framing, Framing::Markers)
    }

    /// Returns how the events of its buffers follow one another. Logs of version x.y.1.0 have the short instance header
    /// of Windows 2000 and XP.
    pub fn framing(&self) -> Framing {
        let has_short_instances = self.is_pre_vista() && matches!(self.log.version, [_, _, 1, 0]);
        let framing = if has_short_instances { Framing::ShortInstanceMarkers } else { self.framing };
        if self.log.pointer_size == 4 { framing.of_32_bit() } else { framing }
    }

    fn unknown(framing: Framing) -> Self {
        let (log, clock) = (LogFileHeader::default(), Clock::unknown());
        Self { log, clock, header_type: None, stride: 0, framing, missing: true, is_modern: true }
    }

    /// Returns the header, if `start` begins with a buffer whose first event carries it.
    fn parse(start: &[u8]) -> Option<Self> {
        Self::of_event(&Self::header_event(start)?, Framing::Markers)
    }

    /// Returns the event whose payload is the header of a file that begins with these bytes, of at least
    /// [`BufferHeader::SIZE`] + 64 KiB or all of the file. No field of the buffer header is needed to find it: the event
    /// is at offset 72 in every version (section 2.4). Nor is its own length: a walk over the events may leave it out,
    /// and what the header states is at the event's beginning.
    pub fn header_event(start: &[u8]) -> Option<RawEvent<'_>> {
        let area = start.get(BufferHeader::SIZE..)?;
        let marker = Marker::read(area)?;
        let system = matches!(marker.header, HeaderType::System32 | HeaderType::System64);
        // Private sessions write a classic header; the version byte of its marker is 0 (trap 9).
        let private = crate::bytes::u8_at(area, 2) == 0;
        if !system && !private {
            return None;
        }
        let bytes = area.get(..marker.len).unwrap_or(area);
        RawEvent::new(bytes, marker, BufferContext::default()).filter(|event| event.hook() == Some(0))
    }

    /// Returns whether an event is where the first buffer of a file has the header, and is one.
    pub(crate) fn is_at_header(event: &RawEvent<'_>) -> bool {
        event.place().offset as usize == BufferHeader::SIZE && event.hook() == Some(0)
    }

    /// Returns the header, if the first record of a `.btl` file carries it.
    fn of_blocks(source: &Input) -> Result<Option<Self>> {
        let Some(FoundBuffer { info, .. }) = Blocks::new(source, FileId::FIRST, 0).at(0)? else { return Ok(None) };
        let mut arena = Arena::default();
        let loaded = arena.load(source, &info)?;
        let Some(Step::Event(event)) = Walk::new(loaded.bytes, &info, 0).step() else { return Ok(None) };
        let key = event.key();
        let is_header = key.kind == Kind::Classic && key.provider == hook_guid(0) && key.opcode == 0;
        Ok(is_header.then(|| Self::of_event(&event, Framing::Records)).flatten())
    }

    fn of_event(event: &RawEvent<'_>, framing: Framing) -> Option<Self> {
        let origin = (BufferHeader::SIZE + event.payload_start()) as u64;
        let log = LogFileHeader::read(event.payload(), event.pointer_size(), origin).ok()?;
        let is_modern = !log.before_vista();
        let [major, minor, ..] = log.version;
        // The ranges leave room for versions that are not known yet and still reject random bytes (section 4.2).
        let sane = (4..=20).contains(&major) && minor < 10 && (0x48..=1 << 24).contains(&log.buffer_size);
        sane.then(|| Self {
            clock: Clock::new(&log, event.time()),
            stride: log.buffer_size,
            header_type: Some(event.header_type()),
            log,
            framing,
            missing: false,
            is_modern,
        })
    }
}

/// Returns whether the first two buffers have what only headers of Vista and later have, numbers from 0 on: a damaged
/// version in the log-file header does not change all buffers.
fn has_modern_buffers(source: &Input) -> Result<bool> {
    let mut resync = Resync::new(source, 0, true);
    let Some(first) = resync.candidate(0)? else { return Ok(false) };
    if !first.header_plausible || first.sequence != 0 {
        return Ok(false);
    }
    let is_numbered = |second: Candidate| second.plausible && (1..=i64::from(u32::MAX)).contains(&second.sequence);
    if resync.candidate(first.size.into())?.is_some_and(is_numbered) {
        return Ok(true);
    }
    // Bytes that were removed from the first buffer, or inserted into it, move the second one.
    let within = BufferHeader::SIZE as u64..limits::MAX_BUFFER as u64;
    let Some(second) = resync.search_all(0, within)? else { return Ok(false) };
    Ok(resync.candidate(second)?.is_some_and(is_numbered))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_no_trace_however_many_there_are() {
        let read = |bytes: Vec<u8>| Head::read(&Input::bytes("zeros", bytes), FileId::FIRST, &mut Vec::new());
        for len in [72, 70_000, limits::MAX_BUFFER + (3 << 20)] {
            let said = read(vec![0; len]).unwrap_err().to_string();
            assert!(said.ends_with("only zeros: preallocated and never written?"), "{len}: {said}");
        }
        let mut other = vec![0; limits::MAX_BUFFER + (3 << 20)];
        other.extend([1]);
        assert!(read(other).unwrap().is_missing());
    }
}
