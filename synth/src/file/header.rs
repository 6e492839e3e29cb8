//! The first event of a file: `TRACE_LOGFILE_HEADER` (`evntrace.h`; section 4).

use super::Clock;
use crate::event::{PointerSize, SystemEvent};
use crate::payload::Payload;
use crate::time::{START, TICKS_PER_SECOND, filetime};
use crate::zone::TimeZone;

/// `LogFileMode` bits (`EVENT_TRACE_*_MODE`, `evntrace.h`; section 4.3).
pub mod mode {
    /// Sequential file.
    pub const SEQUENTIAL: u32 = 0x1;
    /// Circular file.
    pub const CIRCULAR: u32 = 0x2;
    /// Further sessions append their buffers.
    pub const APPEND: u32 = 0x4;
    /// A new file whenever the size limit is met.
    pub const NEW_FILE: u32 = 0x8;
    /// Space was allocated ahead.
    pub const PREALLOCATE: u32 = 0x20;
    /// Private logger in a process.
    pub const PRIVATE: u32 = 0x800;
    /// Sizes in KB.
    pub const USE_KBYTES: u32 = 0x2000;
    /// Merged or relogged file.
    pub const RELOG: u32 = 0x1_0000;
    /// Private logger of one process.
    pub const PRIVATE_IN_PROC: u32 = 0x2_0000;
    /// Compressed buffers.
    pub const COMPRESSED: u32 = 0x400_0000;
    /// Independent session.
    pub const INDEPENDENT: u32 = 0x800_0000;
    /// One stream of buffers for all processors.
    pub const NO_PER_PROCESSOR: u32 = 0x1000_0000;
}

/// What the log-file header states; the default is a plausible Windows 10 session at a fixed time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogfileHeader {
    /// Header event SYSTEM32 or SYSTEM64: decides the size of the two name pointers and the offsets after them.
    pub header_event: PointerSize,
    /// Low version byte of the header event's marker: 2, or 0 from private loggers.
    pub marker_version: u8,
    /// Session buffer size in bytes.
    pub buffer_size: u32,
    /// OS major, OS minor, sub version, sub minor version.
    pub version: [u8; 4],
    /// OS build.
    pub build: u32,
    /// Number of processors.
    pub processors: u32,
    /// FILETIME of the session's start: the time of `t0`.
    pub start_time: i64,
    /// FILETIME of its end; 0 = not finalised.
    pub end_time: i64,
    /// 100 ns a clock tick: the unit of CPU times.
    pub timer_resolution: u32,
    /// Size limit in MB (KB with [`mode::USE_KBYTES`]).
    pub maximum_file_size: u32,
    /// [`mode`] bits.
    pub mode: u32,
    /// `BuffersWritten`; `None` = the true number.
    pub buffers_written: Option<u32>,
    /// `PointerSize` of the machine, which need not be that of the header event.
    pub pointer_size: u32,
    /// Lost events.
    pub events_lost: u32,
    /// Lost buffers.
    pub buffers_lost: u32,
    /// `CpuSpeedInMHz`; overridden by [`Clock::CpuCycles`].
    pub cpu_mhz: u32,
    /// Stale `LoggerName` pointer.
    pub logger_name_ptr: u64,
    /// Stale `LogFileName` pointer.
    pub log_file_name_ptr: u64,
    /// Time zone.
    pub time_zone: TimeZone,
    /// FILETIME of the boot.
    pub boot_time: i64,
    /// Clock of all raw time stamps.
    pub clock: Clock,
    /// Session name.
    pub session_name: HeaderText,
    /// Log file name.
    pub log_file_name: HeaderText,
    /// Raw time of the header event.
    pub t0: i64,
    /// Process that started the session.
    pub pid: u32,
    /// Its thread.
    pub tid: u32,
    /// Kernel and user time of the header event.
    pub cpu_times: (u32, u32),
}

/// A text at the end of the log-file header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderText {
    /// With its NUL.
    Whole(String),
    /// The payload ends after this text, without NUL.
    Cut(String),
    /// The payload ends before it.
    Absent,
}

impl Default for LogfileHeader {
    fn default() -> Self {
        Self {
            header_event: PointerSize::Eight,
            marker_version: 2,
            buffer_size: 8192,
            version: [10, 0, 1, 5],
            build: 19045,
            processors: 4,
            start_time: START,
            end_time: START + 60 * TICKS_PER_SECOND,
            timer_resolution: 156_250,
            maximum_file_size: 0,
            mode: mode::SEQUENTIAL,
            buffers_written: None,
            pointer_size: 8,
            events_lost: 0,
            buffers_lost: 0,
            cpu_mhz: 2904,
            logger_name_ptr: 10,
            log_file_name_ptr: 7,
            time_zone: TimeZone::central_europe(),
            boot_time: filetime(2026, 1, 1) + 7 * 3600 * TICKS_PER_SECOND,
            clock: Clock::Qpc(10_000_000),
            session_name: HeaderText::Whole("etwkit-synth".into()),
            log_file_name: HeaderText::Whole(r"C:\traces\synth.etl".into()),
            t0: 722_450_000_000,
            pid: 4321,
            tid: 4324,
            cpu_times: (1, 0),
        }
    }
}

impl LogfileHeader {
    /// Raw time `ticks` after the start.
    pub const fn after(&self, ticks: i64) -> i64 {
        self.t0 + ticks
    }

    /// Marks the file as a merged one.
    #[must_use]
    pub fn merged(self) -> Self {
        Self { mode: self.mode | mode::RELOG, logger_name_ptr: 0, log_file_name_ptr: 0, ..self }
    }

    /// Marks the file as compressed: mode bits and log version x.y.2.0.
    #[must_use]
    pub fn compressed(self) -> Self {
        let [major, minor, ..] = self.version;
        let merged = self.merged();
        Self { mode: merged.mode | mode::COMPRESSED, version: [major, minor, 2, 0], ..merged }
    }

    /// Clock 2: raw times are FILETIMEs, so the header's is the start time.
    #[must_use]
    pub fn on_system_time(self) -> Self {
        Self { clock: Clock::SystemTime, t0: self.start_time, ..self }
    }

    pub(super) fn event(&self, buffers_written: u32) -> SystemEvent {
        let written = self.buffers_written.unwrap_or(buffers_written);
        let payload = self.texts(self.zone_and_times(self.counts(written)));
        SystemEvent::system(self.header_event, 0)
            .version(self.marker_version)
            .at(self.t0)
            .by(self.pid, self.tid)
            .cpu_times(self.cpu_times.0, self.cpu_times.1)
            .payload(payload)
    }

    fn counts(&self, buffers_written: u32) -> Payload {
        let mhz = if let Clock::CpuCycles(mhz) = self.clock { mhz } else { self.cpu_mhz };
        Payload::new()
            .u32(self.buffer_size)
            .bytes(&self.version)
            .u32(self.build)
            .u32(self.processors)
            .filetime(self.end_time)
            .u32(self.timer_resolution)
            .u32(self.maximum_file_size)
            .u32(self.mode)
            .u32(buffers_written)
            .u32(1)
            .u32(self.pointer_size)
            .u32(self.events_lost)
            .u32(mhz)
    }

    fn zone_and_times(&self, to: Payload) -> Payload {
        let size = self.header_event;
        let names = to.ptr(size, self.logger_name_ptr).ptr(size, self.log_file_name_ptr);
        let zone = self.time_zone.write(names).zeros(4);
        zone.filetime(self.boot_time)
            .i64(self.clock.frequency())
            .filetime(self.start_time)
            .u32(self.clock.code())
            .u32(self.buffers_lost)
    }

    fn texts(&self, to: Payload) -> Payload {
        let whole = match &self.session_name {
            HeaderText::Whole(text) => to.utf16z(text),
            HeaderText::Cut(text) => return to.utf16(text),
            HeaderText::Absent => return to,
        };
        match &self.log_file_name {
            HeaderText::Whole(text) => whole.utf16z(text),
            HeaderText::Cut(text) => whole.utf16(text),
            HeaderText::Absent => whole,
        }
    }
}
