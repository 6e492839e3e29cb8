//! From raw numbers to the values that people read.

/// A raw value of a counter (`PDH_RAW_COUNTER` of `pdh.h`, without its time).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Raw {
    /// `PDH_CSTATUS_*`; see [`Raw::is_valid`].
    pub status: u32,
    /// The count.
    pub first: i64,
    /// The base of the measurement: time stamps in ticks of the counter's time base, or the base of a fraction.
    pub second: i64,
}

impl Raw {
    /// Returns whether the status says that the value is there (`PDH_CSTATUS_VALID_DATA`, `PDH_CSTATUS_NEW_DATA`).
    pub const fn is_valid(self) -> bool {
        matches!(self.status, 0 | 1)
    }
}

/// How a counter is to be understood: `PERF_*` of `winperf.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CounterType(pub u32);

/// The inputs of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Formula {
    /// The count itself.
    Count,
    /// Change of the count a second.
    Rate,
    /// Change of the count in per cent of the time.
    Busy,
    /// Change of the count is idle time; the value is the rest, in per cent.
    Idle,
    /// The count in per cent of its base.
    Fraction,
    /// Change of the count.
    Delta,
}

impl CounterType {
    /// Bytes of the count: the low half only, if the type is one of 32 bits (`PERF_SIZE_DWORD`).
    const fn is_narrow(self) -> bool {
        self.0 & 0x300 == 0
    }

    const fn formula(self) -> Option<Formula> {
        Some(match self.0 {
            // PERF_COUNTER_RAWCOUNT(_HEX), PERF_COUNTER_LARGE_RAWCOUNT(_HEX)
            0x0001_0000 | 0x0000_0000 | 0x0001_0100 | 0x0000_0100 => Formula::Count,
            // PERF_COUNTER_COUNTER, PERF_COUNTER_BULK_COUNT
            0x1041_0400 | 0x1041_0500 => Formula::Rate,
            // PERF_COUNTER_TIMER, PERF_100NSEC_TIMER, PERF_PRECISION_SYSTEM_TIMER, PERF_PRECISION_100NS_TIMER
            0x2041_0500 | 0x2051_0500 | 0x2047_0500 | 0x2057_0500 => Formula::Busy,
            // PERF_COUNTER_TIMER_INV, PERF_100NSEC_TIMER_INV
            0x2141_0500 | 0x2151_0500 => Formula::Idle,
            // PERF_RAW_FRACTION, PERF_LARGE_RAW_FRACTION
            0x2002_0400 | 0x2002_0500 => Formula::Fraction,
            // PERF_COUNTER_DELTA, PERF_COUNTER_LARGE_DELTA
            0x0040_0400 | 0x0040_0500 => Formula::Delta,
            _ => return None,
        })
    }

    /// Returns whether [`calculate`] knows what to do with it.
    pub const fn is_known(self) -> bool {
        self.formula().is_some()
    }
}

/// Returns the value of a counter at `now`, in the unit that its name implies. `base` is how many ticks a second has.
///
/// `None` where there is no value: the first sample of a counter that is a change, raw values that are not valid, a
/// count or a time that went backwards, and types that are not known (see [`CounterType::is_known`]).
pub fn calculate(kind: CounterType, base: i64, before: Option<Raw>, now: Raw) -> Option<f64> {
    let formula = kind.formula()?;
    let now = Some(now).filter(|raw| raw.is_valid())?;
    let before = before.filter(|raw| raw.is_valid());
    let count = || change(kind, before?.first, now.first);
    let time = || positive(now.second.checked_sub(before?.second)?);
    Some(match formula {
        Formula::Count if kind.is_narrow() => f64::from(now.first as u32),
        Formula::Count => now.first as f64,
        Formula::Rate => count()? / (time()? / positive(base)?),
        Formula::Busy => 100.0 * (count()? / time()?),
        Formula::Idle => (100.0 * (1.0 - count()? / time()?)).max(0.0),
        Formula::Fraction => 100.0 * (now.first as f64 / positive(now.second)?),
        Formula::Delta => count()?,
    })
}

/// Returns the increase of a count; a 32-bit count wraps around.
fn change(kind: CounterType, before: i64, now: i64) -> Option<f64> {
    if kind.is_narrow() {
        return Some(f64::from((now as u32).wrapping_sub(before as u32)));
    }
    now.checked_sub(before).filter(|change| *change >= 0).map(|change| change as f64)
}

fn positive(number: i64) -> Option<f64> {
    (number > 0).then_some(number as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(first: i64, second: i64) -> Raw {
        Raw { status: 0, first, second }
    }

    fn two(kind: u32, before: Raw, now: Raw) -> Option<f64> {
        calculate(CounterType(kind), 10, Some(before), now)
    }

    #[test]
    fn formulas() {
        assert_eq!(calculate(CounterType(0x0001_0000), 10, None, raw(7, 0)), Some(7.0));
        assert_eq!(two(0x1041_0500, raw(100, 0), raw(150, 20)), Some(25.0));
        assert_eq!(two(0x2057_0500, raw(0, 0), raw(5, 20)), Some(25.0));
        assert_eq!(two(0x2151_0500, raw(0, 0), raw(5, 20)), Some(75.0));
        assert_eq!(two(0x2151_0500, raw(0, 0), raw(30, 20)), Some(0.0));
        assert_eq!(calculate(CounterType(0x2002_0400), 10, None, raw(1, 4)), Some(25.0));
        assert_eq!(two(0x0040_0500, raw(3, 0), raw(9, 0)), Some(6.0));
        // 32 bits wrap around.
        assert_eq!(two(0x1041_0400, raw(0xFFFF_FFFF, 0), raw(9, 10)), Some(10.0));
    }

    #[test]
    fn where_there_is_no_value() {
        assert_eq!(calculate(CounterType(0x1041_0500), 10, None, raw(1, 1)), None);
        assert_eq!(two(0x1041_0500, raw(9, 0), raw(5, 20)), None);
        assert_eq!(two(0x1041_0500, raw(0, 20), raw(5, 20)), None);
        assert_eq!(two(0x1041_0500, raw(i64::MIN, 0), raw(i64::MAX, 20)), None);
        assert_eq!(two(0x1041_0500, Raw { status: 0x8000_07D0, ..raw(0, 0) }, raw(5, 20)), None);
        assert_eq!(calculate(CounterType(0x2002_0400), 10, None, raw(1, 0)), None);
        assert_eq!(two(0x3002_0400, raw(0, 0), raw(5, 20)), None);
        assert!(!CounterType(0x3002_0400).is_known());
    }
}
