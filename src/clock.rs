//! From raw time stamps to UTC (section 8.2).

use crate::format::{ClockType, LogFileHeader};

/// 100 ns units from 1601 (FILETIME) to 1970 (Unix).
pub const UNIX_EPOCH: i64 = 116_444_736_000_000_000;
const UNITS_A_SECOND: i64 = 10_000_000;

/// Converts a file's raw time stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    kind: ClockType,
    /// Raw time stamp of the log-file header event.
    zero: i64,
    /// FILETIME of `zero`.
    start: i64,
    /// Ticks a second.
    frequency: i64,
}

impl Clock {
    /// The clock that a file's header describes; `zero` is the raw time stamp of its event.
    pub fn new(header: &LogFileHeader, zero: i64) -> Self {
        let kind = header.effective_clock();
        let frequency = match kind {
            ClockType::CYCLES => i64::from(header.cpu_mhz) * 1_000_000,
            _ => header.frequency,
        };
        Self { kind, zero, start: header.start_time, frequency }
    }

    /// A clock of which nothing is known: the file's header is missing.
    pub const fn unknown() -> Self {
        Self { kind: ClockType(0), zero: 0, start: 0, frequency: 0 }
    }

    /// What the time stamps count.
    pub const fn kind(&self) -> ClockType {
        self.kind
    }

    /// Raw time stamp of the trace's start.
    pub const fn zero(&self) -> i64 {
        self.zero
    }

    /// Ticks a second; 10^7 for system time.
    pub const fn frequency(&self) -> i64 {
        if self.kind.0 == ClockType::SYSTEM.0 { UNITS_A_SECOND } else { self.frequency }
    }

    /// FILETIME (100 ns since 1601, UTC) of a raw time stamp, truncated as Windows does: the *difference* to the start
    /// is truncated towards zero, then added. `None` if the clock is unknown or the result does not fit.
    #[inline]
    pub fn filetime(&self, raw: i64) -> Option<i64> {
        match self.kind {
            ClockType::SYSTEM => Some(raw),
            ClockType::QPC | ClockType::CYCLES => {
                let ticks = raw.checked_sub(self.zero)?;
                self.start.checked_add(self.units(ticks)?)
            }
            _ => None,
        }
    }

    /// The raw time stamp nearest below a FILETIME; the inverse of [`Clock::filetime`], saturating.
    pub fn raw(&self, filetime: i64) -> Option<i64> {
        match self.kind {
            ClockType::SYSTEM => Some(filetime),
            ClockType::QPC | ClockType::CYCLES if self.frequency > 0 => {
                let units = i128::from(filetime) - i128::from(self.start);
                let ticks = (units * i128::from(self.frequency)).div_euclid(i128::from(UNITS_A_SECOND));
                let raw = ticks + i128::from(self.zero);
                Some(raw.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
            }
            _ => None,
        }
    }

    /// 100 ns units from the trace's start to a raw time stamp.
    pub fn relative(&self, raw: i64) -> Option<i64> {
        self.filetime(raw)?.checked_sub(self.filetime(self.zero)?)
    }

    #[inline]
    fn units(&self, ticks: i64) -> Option<i64> {
        if self.frequency == UNITS_A_SECOND {
            return Some(ticks);
        }
        if self.frequency <= 0 {
            return None;
        }
        match ticks.checked_mul(UNITS_A_SECOND) {
            Some(product) => Some(product / self.frequency),
            None => i64::try_from(i128::from(ticks) * i128::from(UNITS_A_SECOND) / i128::from(self.frequency)).ok(),
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
            start_time: 1_000_000,
            ..LogFileHeader::default()
        };
        Clock::new(&header, 500)
    }

    #[test]
    fn the_difference_is_truncated_towards_zero() {
        let clock = clock(1, 1_818_300, 0);
        assert_eq!(clock.filetime(500), Some(1_000_000));
        assert_eq!(clock.filetime(501), Some(1_000_005)); // 5.4996 units
        assert_eq!(clock.filetime(499), Some(999_995)); // -5.4996 units, not -6
    }

    #[test]
    fn large_differences_do_not_overflow() {
        let clock = clock(1, 3_000_000_000, 0);
        assert_eq!(clock.filetime(500 + 3_000_000_000 * 86_400 * 365), Some(1_000_000 + 10_000_000 * 86_400 * 365));
        assert!(clock.filetime(i64::MIN).is_none());
    }

    #[test]
    fn cycles_count_by_the_processor_speed_and_system_time_is_itself() {
        assert_eq!(clock(3, 0, 2000).filetime(500 + 2_000_000_000), Some(1_000_000 + 10_000_000));
        assert_eq!(clock(2, 0, 0).filetime(7), Some(7));
        assert_eq!(clock(9, 1, 1).filetime(7), None);
        assert_eq!(clock(1, 0, 0).filetime(7), None);
    }
}
