//! The session's clock (sections 8.1, 8.2).

/// What raw time stamps count (`ReservedFlags` of the log-file header).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// 1: `QueryPerformanceCounter` at this many ticks per second.
    Qpc(i64),
    /// 2: FILETIME.
    SystemTime,
    /// 3: CPU cycles at this many million per second (written as `CpuSpeedInMHz`).
    CpuCycles(u32),
}

impl Clock {
    /// FILETIME of raw time `time`, where `t0` is the raw time of FILETIME `start`; truncates toward zero.
    pub fn utc(self, time: i64, t0: i64, start: i64) -> i64 {
        let ticks = i128::from(time) - i128::from(t0);
        let since = match self {
            Self::Qpc(frequency) => ticks * 10_000_000 / i128::from(frequency),
            Self::SystemTime => return time,
            Self::CpuCycles(mhz) => ticks * 10 / i128::from(mhz),
        };
        i64::try_from(i128::from(start) + since).unwrap_or(i64::MAX)
    }

    pub(super) const fn code(self) -> u32 {
        match self {
            Self::Qpc(_) => 1,
            Self::SystemTime => 2,
            Self::CpuCycles(_) => 3,
        }
    }

    pub(super) const fn frequency(self) -> i64 {
        match self {
            Self::Qpc(frequency) => frequency,
            Self::SystemTime | Self::CpuCycles(_) => 10_000_000,
        }
    }
}
