//! What weights are counted in.

/// The unit of weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Samples: each event counts once.
    #[default]
    Samples,
    /// Time, in units of 100 ns.
    Time,
    /// Bytes.
    Bytes,
    /// Events of a hardware counter.
    Events,
}

/// Units of 100 ns in a millisecond.
const UNITS_A_MILLISECOND: u64 = 10_000;

impl Unit {
    /// Returns the name under which people ask for it: `samples`, `ms`, `bytes` or `events`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Time => "ms",
            Self::Bytes => "bytes",
            Self::Events => "events",
        }
    }

    /// Returns a weight as people read it: time in milliseconds, without zeros at the end of its fraction.
    pub fn text(self, weight: u64) -> String {
        match self {
            Self::Time => {
                let text = format!("{}.{:04}", weight / UNITS_A_MILLISECOND, weight % UNITS_A_MILLISECOND);
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
            _ => weight.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_have_a_fraction_where_there_is_one() {
        assert_eq!(
            [0, 1, 10_000, 12_500, 100_000].map(|weight| Unit::Time.text(weight)),
            ["0", "0.0001", "1", "1.25", "10"]
        );
        assert_eq!(Unit::Bytes.text(12_500), "12500");
    }
}
