//! The clock by which time stamps are compared.

use crate::clock::Clock;
use crate::format::ClockType;
use crate::system::Timeline;
use crate::time::{FileTime, RawTime};

use crate::trace::TraceFile;

/// What a time stamp is compared by; with the clock of each file.
#[derive(Clone, Debug)]
pub(in crate::trace) enum SortClock {
    /// Raw time: one file, or files that share a clock.
    Shared(Box<[Clock]>),
    /// FILETIME: files of different clocks.
    Utc(Box<[Clock]>),
}

impl SortClock {
    pub(in crate::trace) fn new(files: &[TraceFile]) -> Self {
        let of = |file: &TraceFile| {
            let log = &file.head.log;
            (log.effective_clock(), log.frequency, log.boot_time)
        };
        // QPC counts from the machine's start: equal frequency and boot time mean the same counter (section 8.1).
        let shared = files.windows(2).all(|pair| matches!(pair, [a, b] if of(a) == of(b)));
        // The system clock counts UTC already (section 8.2).
        let system = files.iter().all(|file| file.head.clock.kind() == ClockType::SYSTEM);
        let clocks = files.iter().map(|file| file.head.clock).collect();
        if shared || system { Self::Shared(clocks) } else { Self::Utc(clocks) }
    }

    /// Returns the timeline of the traced system: that of the sort.
    pub(in crate::trace) fn timeline(&self) -> Timeline {
        match self {
            Self::Shared(clocks) => Timeline::shared(clocks.clone()),
            Self::Utc(clocks) => Timeline::utc(clocks.clone()),
        }
    }

    pub(in crate::trace) fn key(&self, file: u16, raw: RawTime) -> i64 {
        self.of_file(file).and_then(|clock| clock.filetime(raw)).map_or(raw.0, |time| time.0)
    }

    /// Returns the clock that makes a file's raw times comparable with those of other files; `None` if they are so
    /// already.
    pub(in crate::trace) fn of_file(&self, file: u16) -> Option<Clock> {
        match self {
            Self::Shared(_) => None,
            Self::Utc(clocks) => clocks.get(usize::from(file)).copied(),
        }
    }

    /// Returns a raw time of a sort key; for events without a time of their own.
    #[inline]
    pub(in crate::trace) fn raw(&self, file: u16, key: i64) -> RawTime {
        match self {
            Self::Shared(_) => RawTime(key),
            Self::Utc(clocks) => {
                let clock = clocks.get(usize::from(file));
                clock.and_then(|clock| clock.raw(FileTime(key))).unwrap_or(RawTime(key))
            }
        }
    }
}
