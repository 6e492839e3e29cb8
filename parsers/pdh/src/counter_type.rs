//! The types of counters (`winperf.h`), and which formula each has.
//!
//! A type is a set of bits:
//!
//! | bits | meaning |
//! |---|---|
//! | 8, 9 | size of the count: 0 is 32 bits, 0x100 is 64 bits, 0x200 none, 0x300 as long as the counter states |
//! | 10, 11 | 0 is a number, 0x400 a counter, 0x800 a text, 0xC00 zero |
//! | 16 to 19 of a number | 0 is hexadecimal, 0x10000 decimal, 0x20000 decimal thousandths |
//! | 16 to 19 of a counter | 0 is a value, 0x10000 a rate, 0x20000 a fraction, 0x30000 the base of a fraction, 0x40000 elapsed time, 0x50000 the length of a queue, 0x60000 a histogram, 0x70000 a rate with its own clock |
//! | 20, 21 | clock: 0 is that of the performance counter, 0x100000 has 100 ns, 0x200000 is the object's |
//! | 22, 23 | 0x400000 is the change of the count, 0x800000 that of the base |
//! | 24 | the complement: what is counted is idle time |
//! | 25 | a sum over several instances, whose number is in the sample |
//! | 28 to 31 | suffix: 0x10000000 `/sec`, 0x20000000 `%`, 0x30000000 `secs`, 0x40000000 is not to be shown |

/// How a counter is to be understood: `PERF_*` of `winperf.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CounterType(pub u32);

/// How a value is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    /// The count itself.
    Count,
    /// A thousandth of the count.
    Thousandth,
    /// Change of the count.
    Delta,
    /// Change of the count per second.
    Rate,
    /// Change of the count in per cent of the time.
    Busy,
    /// Change of the count is idle time; the value is the rest, in per cent.
    Idle,
    /// [`Formula::Busy`] of several instances, on average.
    MultiBusy,
    /// [`Formula::Idle`] of several instances, in all.
    MultiIdle,
    /// Change of the count a unit of time.
    Queue,
    /// The count in per cent of its base.
    Fraction,
    /// Change of the count in per cent of the change of its base.
    SampleFraction,
    /// Change of the count in seconds, for each of the base.
    AverageTimer,
    /// Change of the count, for each of the base.
    AverageBulk,
    /// Seconds from the count to now.
    Elapsed,
}

const SIZE: u32 = 0x300;
const SIZE_ZERO: u32 = 0x200;
const KIND: u32 = 0xC00;
const KIND_NUMBER: u32 = 0;
const KIND_COUNTER: u32 = 0x400;
const SUBTYPE: u32 = 0xF_0000;
const DECIMAL_THOUSANDTHS: u32 = 0x2_0000;
const DELTA_COUNTER: u32 = 0x40_0000;
const DELTA_BASE: u32 = 0x80_0000;
const INVERSE: u32 = 0x100_0000;
const MULTI: u32 = 0x200_0000;
const SUFFIX: u32 = 0xF000_0000;
const PERCENT: u32 = 0x2000_0000;
const SECONDS: u32 = 0x3000_0000;
/// `PERF_COUNTER_HISTOGRAM_TYPE`.
const HISTOGRAM: u32 = 0x8000_0000;

impl CounterType {
    /// Returns whether counters of this type have a value. The bases of other counters, texts, histograms and
    /// `PERF_COUNTER_NODATA` have none.
    pub const fn has_value(self) -> bool {
        self.formula().is_some()
    }

    /// Returns whether the count has 32 bits.
    pub(crate) const fn is_narrow(self) -> bool {
        self.0 & SIZE == 0
    }

    pub(crate) const fn formula(self) -> Option<Formula> {
        match self.0 & KIND {
            _ if self.has(HISTOGRAM) => None,
            KIND_NUMBER if self.0 & SIZE == SIZE_ZERO => None,
            KIND_NUMBER if self.0 & SUBTYPE == DECIMAL_THOUSANDTHS => Some(Formula::Thousandth),
            KIND_NUMBER => Some(Formula::Count),
            KIND_COUNTER => self.counter(),
            _ => None,
        }
    }

    const fn counter(self) -> Option<Formula> {
        let suffix = self.0 & SUFFIX;
        Some(match self.0 & SUBTYPE {
            0 if self.has(DELTA_COUNTER) => Formula::Delta,
            0 => Formula::Count,
            0x1_0000 | 0x7_0000 if suffix == PERCENT => match (self.has(MULTI), self.has(INVERSE)) {
                (false, false) => Formula::Busy,
                (false, true) => Formula::Idle,
                (true, false) => Formula::MultiBusy,
                (true, true) => Formula::MultiIdle,
            },
            0x1_0000 | 0x7_0000 => Formula::Rate,
            0x2_0000 if self.has(DELTA_BASE) => Formula::SampleFraction,
            0x2_0000 if suffix == PERCENT => Formula::Fraction,
            0x2_0000 if suffix == SECONDS => Formula::AverageTimer,
            0x2_0000 => Formula::AverageBulk,
            0x4_0000 => Formula::Elapsed,
            0x5_0000 => Formula::Queue,
            _ => return None,
        })
    }

    const fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every type that `winperf.h` defines.
    #[test]
    fn all_types_of_winperf() {
        use Formula as F;
        for (name, bits, formula) in [
            ("COUNTER_COUNTER", 0x1041_0400, Some(F::Rate)),
            ("COUNTER_TIMER", 0x2041_0500, Some(F::Busy)),
            ("COUNTER_QUEUELEN_TYPE", 0x0045_0400, Some(F::Queue)),
            ("COUNTER_LARGE_QUEUELEN_TYPE", 0x0045_0500, Some(F::Queue)),
            ("COUNTER_100NS_QUEUELEN_TYPE", 0x0055_0500, Some(F::Queue)),
            ("COUNTER_OBJ_TIME_QUEUELEN_TYPE", 0x0065_0500, Some(F::Queue)),
            ("COUNTER_BULK_COUNT", 0x1041_0500, Some(F::Rate)),
            ("COUNTER_TEXT", 0x0000_0B00, None),
            ("COUNTER_RAWCOUNT", 0x0001_0000, Some(F::Count)),
            ("COUNTER_LARGE_RAWCOUNT", 0x0001_0100, Some(F::Count)),
            ("COUNTER_RAWCOUNT_HEX", 0x0000_0000, Some(F::Count)),
            ("COUNTER_LARGE_RAWCOUNT_HEX", 0x0000_0100, Some(F::Count)),
            ("SAMPLE_FRACTION", 0x20C2_0400, Some(F::SampleFraction)),
            ("SAMPLE_COUNTER", 0x0041_0400, Some(F::Rate)),
            ("COUNTER_NODATA", 0x4000_0200, None),
            ("COUNTER_TIMER_INV", 0x2141_0500, Some(F::Idle)),
            ("SAMPLE_BASE", 0x4003_0401, None),
            ("AVERAGE_TIMER", 0x3002_0400, Some(F::AverageTimer)),
            ("AVERAGE_BASE", 0x4003_0402, None),
            ("AVERAGE_BULK", 0x4002_0500, Some(F::AverageBulk)),
            ("OBJ_TIME_TIMER", 0x2061_0500, Some(F::Busy)),
            ("100NSEC_TIMER", 0x2051_0500, Some(F::Busy)),
            ("100NSEC_TIMER_INV", 0x2151_0500, Some(F::Idle)),
            ("COUNTER_MULTI_TIMER", 0x2241_0500, Some(F::MultiBusy)),
            ("COUNTER_MULTI_TIMER_INV", 0x2341_0500, Some(F::MultiIdle)),
            ("COUNTER_MULTI_BASE", 0x4203_0500, None),
            ("100NSEC_MULTI_TIMER", 0x2251_0500, Some(F::MultiBusy)),
            ("100NSEC_MULTI_TIMER_INV", 0x2351_0500, Some(F::MultiIdle)),
            ("RAW_FRACTION", 0x2002_0400, Some(F::Fraction)),
            ("LARGE_RAW_FRACTION", 0x2002_0500, Some(F::Fraction)),
            ("RAW_BASE", 0x4003_0403, None),
            ("LARGE_RAW_BASE", 0x4003_0500, None),
            ("ELAPSED_TIME", 0x3024_0500, Some(F::Elapsed)),
            ("COUNTER_HISTOGRAM_TYPE", 0x8000_0000, None),
            ("COUNTER_DELTA", 0x0040_0400, Some(F::Delta)),
            ("COUNTER_LARGE_DELTA", 0x0040_0500, Some(F::Delta)),
            ("PRECISION_SYSTEM_TIMER", 0x2047_0500, Some(F::Busy)),
            ("PRECISION_100NS_TIMER", 0x2057_0500, Some(F::Busy)),
            ("PRECISION_OBJECT_TIMER", 0x2067_0500, Some(F::Busy)),
        ] {
            assert_eq!(CounterType(bits).formula(), formula, "PERF_{name} {bits:#010x}");
        }
        assert_eq!(CounterType(0x0002_0000).formula(), Some(F::Thousandth));
    }
}
