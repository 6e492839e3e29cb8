//! The clock by which time stamps are compared.

use crate::FileId;
use crate::clock::Clock;
use crate::format::ClockType;
use crate::time::RawTime;

use crate::trace::TraceFile;
use crate::trace::machines::{Machines, share_clock};

/// What a time stamp is compared by; with the clock of each file.
#[derive(Clone, Debug)]
pub(in crate::trace) enum SortClock {
    /// Raw time: one file, or files that share a clock.
    Shared,
    /// FILETIME: files of different clocks. Those of one machine that share a clock have that of the first of them here,
    /// so that their events keep the order of their raw times.
    Utc(Box<[Clock]>),
}

impl SortClock {
    pub(in crate::trace) fn new(files: &[TraceFile], machines: &Machines) -> Self {
        let is_system = || files.iter().all(|file| file.head.clock.kind() == ClockType::SYSTEM);
        if machines.is_one() && share_clock(files.iter()) || is_system() {
            return Self::Shared;
        }
        let mut clocks: Box<[Clock]> = files.iter().map(|file| file.head.clock).collect();
        for machine in machines.list() {
            let own = || machine.files.iter().map(|file| file.index());
            let first = own().next().and_then(|file| clocks.get(file)).copied();
            if let Some(first) = first.filter(|_| share_clock(own().filter_map(|file| files.get(file)))) {
                for file in own() {
                    if let Some(clock) = clocks.get_mut(file) {
                        *clock = first;
                    }
                }
            }
        }
        Self::Utc(clocks)
    }

    pub(in crate::trace) fn key(&self, file: FileId, raw: RawTime) -> i64 {
        self.of_file(file).and_then(|clock| clock.filetime(raw)).map_or(raw.0, |time| time.0)
    }

    /// Returns the clock that makes a file's raw times comparable with those of other files; `None` if they are so
    /// already.
    pub(in crate::trace) fn of_file(&self, file: FileId) -> Option<Clock> {
        match self {
            Self::Shared => None,
            Self::Utc(clocks) => clocks.get(file.index()).copied(),
        }
    }
}
