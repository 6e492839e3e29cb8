//! From raw time stamps to UTC (section 8.2).

use crate::format::{ClockType, LogFileHeader};
use crate::time::{FileTime, RawTime};

/// Converts a file's raw time stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    kind: ClockType,
    /// Raw time stamp of the log-file header event.
    zero: RawTime,
    /// UTC of `zero`.
    start: FileTime,
    /// Ticks per second.
    frequency: i64,
}

impl Clock {
    /// Returns the clock that a file's header describes; `zero` is the raw time stamp of its event.
    pub fn new(header: &LogFileHeader, zero: RawTime) -> Self {
        let kind = header.effective_clock();
        let frequency = match kind {
            ClockType::CYCLES => i64::from(header.cpu_mhz) * 1_000_000,
            _ => header.frequency,
        };
        Self { kind, zero, start: header.start_time, frequency }
    }

    /// Returns the clock of a file without header: it converts nothing.
    pub const fn unknown() -> Self {
        Self { kind: ClockType(0), zero: RawTime(0), start: FileTime(0), frequency: 0 }
    }

    /// Returns what the time stamps count.
    pub const fn kind(&self) -> ClockType {
        self.kind
    }

    /// Returns whether it can convert time stamps: its kind is known, and it ticks.
    pub fn is_known(&self) -> bool {
        self.filetime(self.zero).is_some()
    }

    /// Returns the raw time stamp of the trace's start.
    pub const fn zero(&self) -> RawTime {
        self.zero
    }

    /// Returns ticks per second; 10^7 for system time.
    pub const fn frequency(&self) -> i64 {
        if self.kind.0 == ClockType::SYSTEM.0 { FileTime::UNITS_PER_SECOND } else { self.frequency }
    }

    /// Converts a raw time stamp, truncating as Windows does: the *difference* to the start is truncated towards zero,
    /// then added. `None` if the clock is unknown or the result does not fit.
    #[inline]
    pub fn filetime(&self, raw: RawTime) -> Option<FileTime> {
        match self.kind {
            ClockType::SYSTEM => Some(FileTime(raw.0)),
            ClockType::QPC | ClockType::CYCLES => {
                let ticks = raw.0.checked_sub(self.zero.0)?;
                self.start.0.checked_add(self.units(ticks)?).map(FileTime)
            }
            _ => None,
        }
    }

    /// Converts a [`FileTime`] to the raw time stamp nearest below it, saturating.
    ///
    /// Of a clock faster than 10 MHz, several raw time stamps have one [`FileTime`]: see [`Clock::first_at`] and
    /// [`Clock::last_at`].
    pub fn raw(&self, time: FileTime) -> Option<RawTime> {
        self.ticks(time, |units, frequency, second| (units * frequency).div_euclid(second))
    }

    /// Returns the first raw time stamp that [`Clock::filetime`] converts to `time` or a later time, saturating.
    pub fn first_at(&self, time: FileTime) -> Option<RawTime> {
        self.ticks(time, |units, frequency, second| match units {
            1.. => -(-units * frequency).div_euclid(second),
            // Truncation towards zero makes the units before the start, and its own, begin one unit early.
            _ => ((units - 1) * frequency).div_euclid(second) + 1,
        })
    }

    /// Returns the last raw time stamp that [`Clock::filetime`] converts to `time` or an earlier time, saturating.
    pub fn last_at(&self, time: FileTime) -> Option<RawTime> {
        self.ticks(time, |units, frequency, second| match units {
            0.. => -(-(units + 1) * frequency).div_euclid(second) - 1,
            _ => (units * frequency).div_euclid(second),
        })
    }

    /// Converts by a function of the units since the start, ticks per second and units per second.
    fn ticks(&self, time: FileTime, convert: impl Fn(i128, i128, i128) -> i128) -> Option<RawTime> {
        match self.kind {
            ClockType::SYSTEM => Some(RawTime(time.0)),
            ClockType::QPC | ClockType::CYCLES if self.frequency > 0 => {
                let units = i128::from(time.0) - i128::from(self.start.0);
                let ticks = convert(units, self.frequency.into(), FileTime::UNITS_PER_SECOND.into());
                let raw = ticks + i128::from(self.zero.0);
                Some(RawTime(raw.clamp(i64::MIN.into(), i64::MAX.into()) as i64))
            }
            _ => None,
        }
    }

    #[inline]
    fn units(&self, ticks: i64) -> Option<i64> {
        if self.frequency == FileTime::UNITS_PER_SECOND {
            return Some(ticks);
        }
        if self.frequency <= 0 {
            return None;
        }
        match ticks.checked_mul(FileTime::UNITS_PER_SECOND) {
            Some(product) => Some(product / self.frequency),
            None => {
                i64::try_from(i128::from(ticks) * i128::from(FileTime::UNITS_PER_SECOND) / i128::from(self.frequency))
                    .ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(kind: u32, frequency: i64, mhz: u32) -> Clock {
        let header = LogFileHeader {
            version: [10, 0, 1, 5],
            clock: ClockType(kind),
            frequency,
            cpu_mhz: mhz,
            start_time: FileTime(1_000_000),
            ..LogFileHeader::default()
        };
        Clock::new(&header, RawTime(500))
    }

    fn filetime(clock: Clock, raw: i64) -> Option<i64> {
        clock.filetime(RawTime(raw)).map(|time| time.0)
    }

    #[test]
    fn the_difference_is_truncated_towards_zero() {
        let clock = clock(1, 1_818_300, 0);
        assert_eq!(filetime(clock, 500), Some(1_000_000));
        assert_eq!(filetime(clock, 501), Some(1_000_005)); // 5.4996 units
        assert_eq!(filetime(clock, 499), Some(999_995)); // -5.4996 units, not -6
    }

    #[test]
    fn large_differences_do_not_overflow() {
        let clock = clock(1, 3_000_000_000, 0);
        assert_eq!(filetime(clock, 500 + 3_000_000_000 * 86_400 * 365), Some(1_000_000 + 10_000_000 * 86_400 * 365));
        assert!(filetime(clock, i64::MIN).is_none());
    }

    #[test]
    fn cycles_count_by_the_processor_speed_and_system_time_is_itself() {
        assert_eq!(filetime(clock(3, 0, 2000), 500 + 2_000_000_000), Some(1_000_000 + 10_000_000));
        assert_eq!(filetime(clock(2, 0, 0), 7), Some(7));
        assert_eq!(filetime(clock(9, 1, 1), 7), None);
        assert_eq!(filetime(clock(1, 0, 0), 7), None);
    }

    #[test]
    fn the_edges_of_a_file_time_are_exact() {
        for frequency in [1, 7, 1_818_300, 9_999_999, 10_000_000, 10_000_001, 24_000_000, 33_333_333, 3_000_000_000] {
            let clock = clock(1, frequency, 0);
            for time in (999_960..1_000_040).chain([123_456_789, -5]).map(FileTime) {
                let (first, last) = (clock.first_at(time).unwrap(), clock.last_at(time).unwrap());
                let at = |raw: i64| clock.filetime(RawTime(raw)).unwrap();
                assert!(at(first.0) >= time && at(first.0 - 1) < time, "{frequency} {time:?} {first:?}");
                assert!(at(last.0) <= time && at(last.0 + 1) > time, "{frequency} {time:?} {last:?}");
            }
        }
        assert_eq!(clock(2, 0, 0).first_at(FileTime(7)), Some(RawTime(7)));
        assert_eq!(clock(9, 0, 0).last_at(FileTime(7)), None);
        assert_eq!(clock(1, i64::MAX, 0).last_at(FileTime(i64::MAX)), Some(RawTime(i64::MAX)));
    }
}
