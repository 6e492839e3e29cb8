//! From raw numbers to the values that people read.

use crate::counter_type::{CounterType, Formula};

/// A raw value of a counter (`PDH_RAW_COUNTER` of `pdh.h`, without its time).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Raw {
    /// `PDH_CSTATUS_*`; see [`Raw::is_valid`].
    pub status: u32,
    /// The count.
    pub first: i64,
    /// The base of the measurement: time stamps in ticks of the counter's time base, or the base of a fraction.
    pub second: i64,
    /// How many instances the count is the sum of (`MultiCount`); 1 for most counters.
    pub multi: u32,
}

impl Raw {
    /// Returns whether the status states that the value is there (`PDH_CSTATUS_VALID_DATA`, `PDH_CSTATUS_NEW_DATA`).
    pub const fn is_valid(self) -> bool {
        matches!(self.status, 0 | 1)
    }
}

/// Returns the value of a counter at `now`, in the unit that its name implies. `base` is how many ticks a second has.
///
/// `None` where there is no value: the first sample of a counter that is a change, raw values that are not valid, a
/// count or a time that went backwards, and types without a value (see [`CounterType::has_value`]).
pub fn calculate(kind: CounterType, base: i64, before: Option<Raw>, now: Raw) -> Option<f64> {
    let formula = kind.formula()?;
    let now = Some(now).filter(|raw| raw.is_valid())?;
    let before = before.filter(|raw| raw.is_valid());
    let count = || change(kind, before?.first, now.first);
    let time = || positive(now.second.checked_sub(before?.second)?);
    let busy = || Some(count()? / time()?);
    let multi = f64::from(now.multi.max(1));
    Some(match formula {
        Formula::Count => number(kind, now.first),
        Formula::Thousandth => number(kind, now.first) / 1000.0,
        Formula::Delta => count()?,
        Formula::Rate => count()? / (time()? / positive(base)?),
        Formula::Busy => 100.0 * busy()?,
        Formula::Idle => (100.0 * (1.0 - busy()?)).max(0.0),
        Formula::MultiBusy => 100.0 * busy()? / multi,
        Formula::MultiIdle => (100.0 * (multi - busy()?)).max(0.0),
        Formula::Queue => busy()?,
        Formula::Fraction => 100.0 * (now.first as f64 / positive(now.second)?),
        Formula::SampleFraction => 100.0 * for_each(count()?, before?, now)?,
        Formula::AverageTimer => for_each(count()? / positive(base)?, before?, now)?,
        Formula::AverageBulk => for_each(count()?, before?, now)?,
        Formula::Elapsed => positive(now.second.checked_sub(now.first)?)? / positive(base)?,
    })
}

fn number(kind: CounterType, count: i64) -> f64 {
    if kind.is_narrow() { f64::from(count as u32) } else { count as f64 }
}

/// Returns the increase of a count; a 32-bit count wraps around.
fn change(kind: CounterType, before: i64, now: i64) -> Option<f64> {
    if kind.is_narrow() {
        return wrapped(before, now).or_else(|| increase(before, now));
    }
    increase(before, now)
}

fn increase(before: i64, now: i64) -> Option<f64> {
    now.checked_sub(before).filter(|change| *change >= 0).map(|change| change as f64)
}

/// Returns the increase of a number of 32 bits; `None` if one of the numbers has more.
fn wrapped(before: i64, now: i64) -> Option<f64> {
    let (before, now) = (u32::try_from(before).ok()?, u32::try_from(now).ok()?);
    Some(f64::from(now.wrapping_sub(before)))
}

/// Divides a change by the increase of its base, which has 32 bits where it fits; 0 where nothing was counted.
fn for_each(change: f64, before: Raw, now: Raw) -> Option<f64> {
    let base = wrapped(before.second, now.second).or_else(|| increase(before.second, now.second))?;
    Some(if base == 0.0 { 0.0 } else { change / base })
}

fn positive(number: i64) -> Option<f64> {
    (number > 0).then_some(number as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(first: i64, second: i64) -> Raw {
        Raw { status: 0, first, second, multi: 1 }
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
    fn averages_and_queues() {
        // PERF_AVERAGE_BULK: 600 bytes in 3 transfers; none in none.
        assert_eq!(two(0x4002_0500, raw(1000, 7), raw(1600, 10)), Some(200.0));
        assert_eq!(two(0x4002_0500, raw(1000, 7), raw(1000, 7)), Some(0.0));
        // The base has 32 bits.
        assert_eq!(two(0x4002_0500, raw(0, 0xFFFF_FFFF), raw(8, 1)), Some(4.0));
        // PERF_AVERAGE_TIMER: 5 ticks of a tenth of a second in 2 transfers.
        assert_eq!(two(0x3002_0400, raw(1000, 7), raw(1005, 9)), Some(0.25));
        // The same where the count has more than the 32 bits that the type states.
        assert_eq!(two(0x3002_0400, raw(1 << 40, 7), raw((1 << 40) + 5, 9)), Some(0.25));
        // PERF_SAMPLE_FRACTION: 3 of 4 were hits.
        assert_eq!(two(0x20C2_0400, raw(10, 20), raw(13, 24)), Some(75.0));
        // PERF_SAMPLE_COUNTER.
        assert_eq!(two(0x0041_0400, raw(100, 0), raw(150, 20)), Some(25.0));
        // PERF_COUNTER_100NS_QUEUELEN_TYPE: three waited all the time.
        assert_eq!(two(0x0055_0500, raw(0, 100), raw(60, 120)), Some(3.0));
        // PERF_ELAPSED_TIME: from 50 to 80 ticks.
        assert_eq!(calculate(CounterType(0x3024_0500), 10, None, raw(50, 80)), Some(3.0));
        assert_eq!(calculate(CounterType(0x0002_0000), 10, None, raw(1500, 0)), Some(1.5));
    }

    #[test]
    fn timers_of_several_instances() {
        let multi = |first, second| Raw { multi: 4, ..raw(first, second) };
        assert_eq!(two(0x2241_0500, multi(0, 0), multi(20, 10)), Some(50.0));
        assert_eq!(two(0x2351_0500, multi(0, 0), multi(10, 10)), Some(300.0));
        // A sample without the number is of one instance.
        let none = |first, second| Raw { multi: 0, ..raw(first, second) };
        assert_eq!(two(0x2251_0500, none(0, 0), none(5, 10)), Some(50.0));
    }

    #[test]
    fn where_there_is_no_value() {
        assert_eq!(calculate(CounterType(0x1041_0500), 10, None, raw(1, 1)), None);
        assert_eq!(two(0x1041_0500, raw(9, 0), raw(5, 20)), None);
        assert_eq!(two(0x1041_0500, raw(0, 20), raw(5, 20)), None);
        assert_eq!(two(0x1041_0500, raw(i64::MIN, 0), raw(i64::MAX, 20)), None);
        assert_eq!(two(0x1041_0500, Raw { status: 0x8000_07D0, ..raw(0, 0) }, raw(5, 20)), None);
        assert_eq!(calculate(CounterType(0x2002_0400), 10, None, raw(1, 0)), None);
        assert_eq!(two(0x4003_0402, raw(0, 0), raw(5, 20)), None);
        assert!(!CounterType(0x4003_0402).has_value() && CounterType(0x3002_0400).has_value());
        // An average of things that are fewer than before, in more than 32 bits.
        assert_eq!(two(0x4002_0500, raw(0, 9 << 32), raw(5, 8 << 32)), None);
        // An object that starts later than now.
        assert_eq!(calculate(CounterType(0x3024_0500), 10, None, raw(30, 20)), None);
    }
}
