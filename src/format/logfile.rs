//! `TRACE_LOGFILE_HEADER`, the payload of a file's first event (`evntrace.h`; section 4).

use std::fmt;

use crate::bytes::{Cursor, PointerSize, Utf16Text, u16_at};
use crate::error::Result;
use crate::time::{Calendar, FileTime};

/// The header of a trace, read out of its first event.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LogFileHeader {
    /// `BufferSize` of the session, bytes.
    pub buffer_size: u32,
    /// OS major and minor version, then the log format's (`1.5` since Windows 7, `2.0` if compressed).
    pub version: [u8; 4],
    /// `ProviderVersion`: OS build.
    pub os_build: u32,
    /// `NumberOfProcessors`.
    pub processors: u32,
    /// `EndTime`, FILETIME; 0 if the session was not stopped cleanly.
    pub end_time: FileTime,
    /// `TimerResolution`: 100 ns units of a clock tick.
    pub timer_resolution: u32,
    /// `MaximumFileSize` in MB, or in KB under mode bit 0x2000.
    pub maximum_file_size: u32,
    /// `LogFileMode`.
    pub mode: LogFileMode,
    /// `BuffersWritten`; not dependable by itself: see [`LogFileHeader::counted_buffers`].
    pub buffers_written: u32,
    /// `StartBuffers`, always 1.
    pub start_buffers: u32,
    /// `PointerSize` of the logging system in bytes. Not that of the events.
    pub pointer_size: u32,
    /// `EventsLost` during the session.
    pub events_lost: u32,
    /// `CpuSpeedInMHz`.
    pub cpu_mhz: u32,
    /// `TimeZone` of the logging machine.
    pub time_zone: TimeZone,
    /// `BootTime`, FILETIME.
    pub boot_time: FileTime,
    /// `PerfFreq`: QPC ticks per second.
    pub frequency: i64,
    /// `StartTime`, FILETIME UTC of the first event's time stamp.
    pub start_time: FileTime,
    /// `ReservedFlags`: the clock of all time stamps.
    pub clock: ClockType,
    /// `BuffersLost` during the session.
    pub buffers_lost: u32,
    /// Session (logger) name.
    pub session: String,
    /// Log file name as the session was given it.
    pub log_file: String,
}

impl LogFileHeader {
    /// Bytes up to the clock word, which a header must have, for 8-byte pointers.
    pub const LEAST: usize = 0x110;

    /// Reads the payload of the first event, whose header type gives the pointer size. Strings may be cut off.
    pub fn read(payload: &[u8], pointer: PointerSize, origin: u64) -> Result<Self> {
        let mut at = Cursor::with_origin(payload, origin);
        let mut header = Self {
            buffer_size: at.u32("BufferSize")?,
            version: at.array("Version")?,
            os_build: at.u32("ProviderVersion")?,
            processors: at.u32("NumberOfProcessors")?,
            end_time: FileTime(at.i64("EndTime")?),
            timer_resolution: at.u32("TimerResolution")?,
            maximum_file_size: at.u32("MaximumFileSize")?,
            mode: LogFileMode(at.u32("LogFileMode")?),
            buffers_written: at.u32("BuffersWritten")?,
            start_buffers: at.u32("StartBuffers")?,
            pointer_size: at.u32("PointerSize")?,
            events_lost: at.u32("EventsLost")?,
            cpu_mhz: at.u32("CpuSpeedInMHz")?,
            ..Self::default()
        };
        at.pointer(pointer, "LoggerName")?;
        at.pointer(pointer, "LogFileName")?;
        header.time_zone = TimeZone::read(at.take(TimeZone::SIZE, "TimeZone")?);
        // `BootTime` is aligned to eight in both layouts: at 0xF8 of the 64-bit one, at 0xF0 of the 32-bit one.
        at.take(4, "padding after TimeZone")?;
        header.boot_time = FileTime(at.i64("BootTime")?);
        header.frequency = at.i64("PerfFreq")?;
        header.start_time = FileTime(at.i64("StartTime")?);
        header.clock = ClockType(at.u32("ReservedFlags")?);
        header.buffers_lost = at.u32("BuffersLost").unwrap_or(0);
        header.session = Utf16Text(at.utf16_to_nul()).to_string();
        header.log_file = Utf16Text(at.utf16_to_nul()).to_string();
        Ok(header)
    }

    /// Returns whether the file was written by a Windows before Vista, whose buffers have another header (section 2.4).
    pub const fn before_vista(&self) -> bool {
        let [major, ..] = self.version;
        major < 6
    }

    /// Returns the clock, as the log version wants it understood: before Vista, 1 means QPC and all else system time.
    pub fn effective_clock(&self) -> ClockType {
        if self.before_vista() && self.clock != ClockType::QPC { ClockType::SYSTEM } else { self.clock }
    }

    /// Returns `BuffersWritten`, if it can count the buffers (section 4.2): the session was stopped, the number is not 0
    /// or 1, which it is before that, and no buffers were appended. It counts those that a circular file overwrote, but
    /// not those of the files of a set before this one.
    pub const fn counted_buffers(&self) -> Option<u32> {
        let is_counted = self.end_time.0 != 0 && self.buffers_written > 1 && !self.mode.intersects(LogFileMode::APPEND);
        if is_counted { Some(self.buffers_written) } else { None }
    }

    /// Returns the version as `10.0.1.5`.
    pub fn version_text(&self) -> String {
        let [a, b, c, d] = self.version;
        format!("{a}.{b}.{c}.{d}")
    }
}

wire_constants! {
    /// The clock of a trace's time stamps (`ReservedFlags`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct ClockType(u32) {
        /// `QueryPerformanceCounter` ticks.
        QPC = 1, "qpc";
        /// FILETIME.
        SYSTEM = 2, "system";
        /// Processor cycles.
        CYCLES = 3, "cycles";
    }
}

impl ClockType {
    /// Returns its name in output.
    pub const fn name(self) -> &'static str {
        match self.known_name() {
            Some(name) => name,
            None => "unknown",
        }
    }
}

wire_constants! {
    /// `LogFileMode`: how the session wrote (`EVENT_TRACE_*_MODE`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct LogFileMode(u32) {
        /// Events are written in order, up to a size limit.
        SEQUENTIAL = 0x1, "SEQUENTIAL";
        /// The oldest buffers are overwritten.
        CIRCULAR = 0x2, "CIRCULAR";
        /// Further sessions are appended.
        APPEND = 0x4, "APPEND";
        /// A new file is begun at a size limit.
        NEW_FILE = 0x8, "NEWFILE";
        /// The flush timer counts milliseconds.
        USE_MS_FLUSH_TIMER = 0x10, "USE_MS_FLUSH_TIMER";
        /// The file is preallocated.
        PREALLOCATE = 0x20, "PREALLOCATE";
        /// The session cannot be stopped.
        NON_STOPPABLE = 0x40, "NONSTOPPABLE";
        /// Only users with the right to log may write events.
        SECURE = 0x80, "SECURE";
        /// Events are delivered while the session runs.
        REAL_TIME = 0x100, "REAL_TIME";
        /// The file is created with the first event.
        DELAY_OPEN_FILE = 0x200, "DELAY_OPEN_FILE";
        /// Events stay in memory until they are flushed on demand.
        BUFFERING = 0x400, "BUFFERING";
        /// Written by an in-process logger.
        PRIVATE = 0x800, "PRIVATE_LOGGER";
        /// A log-file header is added.
        ADD_HEADER = 0x1000, "ADD_HEADER";
        /// The size limit counts kilobytes.
        USE_KILOBYTES_FOR_SIZE = 0x2000, "USE_KBYTES_FOR_SIZE";
        /// Sequence numbers are unique among all sessions.
        USE_GLOBAL_SEQUENCE = 0x4000, "USE_GLOBAL_SEQUENCE";
        /// Sequence numbers are unique within the session.
        USE_LOCAL_SEQUENCE = 0x8000, "USE_LOCAL_SEQUENCE";
        /// Merged or relogged.
        RELOG = 0x1_0000, "RELOG";
        /// Written by a private logger inside a process.
        PRIVATE_IN_PROCESS = 0x2_0000, "PRIVATE_IN_PROC";
        /// The session stops at a hybrid shutdown.
        STOP_ON_HYBRID_SHUTDOWN = 0x40_0000, "STOP_ON_HYBRID_SHUTDOWN";
        /// The session goes on after a hybrid shutdown.
        PERSIST_ON_HYBRID_SHUTDOWN = 0x80_0000, "PERSIST_ON_HYBRID_SHUTDOWN";
        /// Buffers are in paged memory.
        USE_PAGED_MEMORY = 0x100_0000, "USE_PAGED_MEMORY";
        /// The session receives events of the system's providers.
        SYSTEM_LOGGER = 0x200_0000, "SYSTEM_LOGGER";
        /// Buffers may be compressed.
        COMPRESSED = 0x400_0000, "COMPRESSED";
        /// Failures of other sessions do not affect it.
        INDEPENDENT_SESSION = 0x800_0000, "INDEPENDENT_SESSION";
        /// Buffers contain events of all processors.
        NO_PER_PROCESSOR_BUFFERING = 0x1000_0000, "NO_PER_PROCESSOR_BUFFERING";
        /// Writers wait for a free buffer.
        BLOCKING = 0x2000_0000, "BLOCKING";
        /// Buffers are part of triage dumps.
        ADD_TO_TRIAGE_DUMP = 0x8000_0000, "ADDTO_TRIAGE_DUMP";
    }
}

impl LogFileMode {
    /// Returns whether any bit of `other` is set.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether the two time words of an event are one processor time.
    pub const fn is_private(self) -> bool {
        self.intersects(Self::PRIVATE) || self.intersects(Self::PRIVATE_IN_PROCESS)
    }
}

impl fmt::Display for LogFileMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_bits(f, self.0, |bit| Self(bit).known_name())
    }
}

/// Writes the names of the set bits joined by `|`, what has no name in hexadecimal, and `0` for nothing.
pub(super) fn write_bits(
    f: &mut fmt::Formatter<'_>,
    bits: u32,
    name: impl Fn(u32) -> Option<&'static str>,
) -> fmt::Result {
    if bits == 0 {
        return f.write_str("0");
    }
    let (mut unnamed, mut separator) = (0, "");
    for bit in (0..u32::BITS).map(|shift| 1 << shift).filter(|bit| bits & bit != 0) {
        match name(bit) {
            Some(name) => {
                write!(f, "{separator}{name}")?;
                separator = "|";
            }
            None => unnamed |= bit,
        }
    }
    if unnamed == 0 { Ok(()) } else { write!(f, "{separator}{unnamed:#x}") }
}

/// `SYSTEMTIME`: a date and a time of day; the format does not state in which zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct SystemTime {
    /// Year, 0 in a recurring date.
    pub year: u16,
    /// Month, 1 to 12.
    pub month: u16,
    /// Weekday, 0 is Sunday.
    pub weekday: u16,
    /// Day, or in a recurring date the week of the month (5 = last).
    pub day: u16,
    /// Hour.
    pub hour: u16,
    /// Minute.
    pub minute: u16,
    /// Second.
    pub second: u16,
    /// Millisecond.
    pub millisecond: u16,
}

impl SystemTime {
    /// Bytes of it.
    pub const SIZE: usize = 16;

    /// Reads eight `u16`; what is missing is 0.
    pub fn read(bytes: &[u8]) -> Self {
        let word = |n: usize| u16_at(bytes, n * 2);
        Self {
            year: word(0),
            month: word(1),
            weekday: word(2),
            day: word(3),
            hour: word(4),
            minute: word(5),
            second: word(6),
            millisecond: word(7),
        }
    }

    /// Returns the point in time of it, if it is UTC; `None` for a recurring date, and if there is no such date.
    pub fn filetime(self) -> Option<FileTime> {
        let Self { year, month, day, hour, minute, second, millisecond, .. } = self;
        let date = Calendar { year, month, day, hour, minute, second, millisecond };
        FileTime::from_calendar(date).filter(|_| year != 0)
    }
}

/// `TIME_ZONE_INFORMATION` of the logging machine. Names are often `@tzres.dll,-212` references.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TimeZone {
    /// Minutes to add to local time for UTC.
    pub bias: i32,
    /// Name of the standard time.
    pub standard_name: String,
    /// When standard time begins.
    pub standard_date: SystemTime,
    /// Minutes to add to the bias in standard time.
    pub standard_bias: i32,
    /// Name of the daylight saving time.
    pub daylight_name: String,
    /// When it begins.
    pub daylight_date: SystemTime,
    /// Minutes to add to the bias in daylight saving time.
    pub daylight_bias: i32,
}

impl TimeZone {
    /// Bytes of it.
    pub const SIZE: usize = 172;

    /// Returns the minutes from UTC to local time: in standard time, and in daylight saving time if the zone has dates
    /// for it. `None` if they are a day or more, which no zone has.
    pub fn offsets(&self) -> Option<(i32, Option<i32>)> {
        let offset = |bias: i32| {
            let minutes = self.bias.checked_add(bias)?.checked_neg()?;
            (minutes.unsigned_abs() < 24 * 60).then_some(minutes)
        };
        // A zone without daylight saving time has dates without month, and then its other biases mean nothing.
        if self.daylight_date.month == 0 || self.standard_date.month == 0 {
            return Some((offset(0)?, None));
        }
        Some((offset(self.standard_bias)?, Some(offset(self.daylight_bias)?)))
    }

    fn read(bytes: &[u8]) -> Self {
        let part = |at: usize, len: usize| bytes.get(at..at + len).unwrap_or_default();
        let number = |at: usize| crate::bytes::u32_at(bytes, at).cast_signed();
        let name = |at: usize| Utf16Text(crate::bytes::utf16_nul(part(at, 64)).0).to_string();
        Self {
            bias: number(0),
            standard_name: name(4),
            standard_date: SystemTime::read(part(68, 16)),
            standard_bias: number(84),
            daylight_name: name(88),
            daylight_date: SystemTime::read(part(152, 16)),
            daylight_bias: number(168),
        }
    }
}
