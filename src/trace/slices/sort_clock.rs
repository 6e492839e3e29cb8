//! The clock by which time stamps are compared.

use crate::clock::Clock;
use crate::format::ClockType;
use crate::system::Times;

use crate::trace::TraceFile;

/// What a time stamp is compared by.
#[derive(Clone, Debug)]
pub(in crate::trace) enum SortClock {
    /// Raw time: one file, or files that share a clock.
    Raw,
    /// FILETIME: files of different clocks.
    Utc(Vec<Clock>),
}

impl SortClock {
    /// Returns the time line of the traced system: that of the sort.
    pub(in crate::trace) fn times(&self) -> Times {
        match self {
            Self::Raw => Times::default(),
            Self::Utc(clocks) => Times::new(clocks),
        }
    }

    pub(in crate::trace) fn new(files: &[TraceFile]) -> Self {
        let of = |file: &TraceFile| {
            let log = &file.head.log;
            (log.effective_clock(), log.frequency, log.boot_time)
        };
        // QPC counts from the machine's start: equal frequency and boot time mean the same counter (section 8.1).
        let shared = files.windows(2).all(|pair| matches!(pair, [a, b] if of(a) == of(b)));
        // The system clock counts UTC already (section 8.2).
        let system = files.iter().all(|file| file.head.clock.kind() == ClockType::SYSTEM);
        if shared || system { Self::Raw } else { Self::Utc(files.iter().map(|file| file.head.clock).collect()) }
    }

    pub(in crate::trace) fn key(&self, file: u16, raw: i64) -> i64 {
        self.of_file(file).and_then(|clock| clock.filetime(raw)).unwrap_or(raw)
    }

    /// Returns the clock that makes a file's raw times comparable with those of other files; `None` if they are so
    /// already.
    pub(in crate::trace) fn of_file(&self, file: u16) -> Option<Clock> {
        match self {
            Self::Raw => None,
            Self::Utc(clocks) => clocks.get(usize::from(file)).copied(),
        }
    }
}

impl SortClock {
    /// Returns a raw time of a sort key; for events without a time of their own.
    #[inline]
    pub(in crate::trace) fn raw(&self, file: u16, key: i64) -> i64 {
        match self {
            Self::Raw => key,
            Self::Utc(clocks) => clocks.get(usize::from(file)).and_then(|clock| clock.raw(key)).unwrap_or(key),
        }
    }
}
