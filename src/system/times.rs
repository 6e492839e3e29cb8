//! The time line on which everything of the traced system is kept.

use crate::clock::Clock;
use crate::event::RawEvent;

/// What an event's raw time stamp is on the state's time line: itself, or its FILETIME where files with different clocks
/// are read as one trace.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// The clock of each file; empty if raw time stamps can be compared as they are.
    clocks: Box<[Clock]>,
}

impl Times {
    /// Of files whose clocks differ, in their order; of none if raw time stamps can be compared.
    pub(crate) fn new(clocks: &[Clock]) -> Self {
        Self { clocks: clocks.into() }
    }

    /// A raw time stamp of a file on the time line; unchanged if the file's clock is not known. Of a clock that ticks
    /// faster than 10 MHz several ticks may become one time.
    #[inline]
    pub fn at(&self, file: u16, raw: i64) -> i64 {
        self.clocks.get(usize::from(file)).and_then(|clock| clock.filetime(raw)).unwrap_or(raw)
    }

    /// When the event was written.
    #[inline]
    pub fn of(&self, event: &RawEvent<'_>) -> i64 {
        self.at(event.place().file, event.time())
    }
}
