//! The order of the values of groups.

/// Numbers by their value, before text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// The largest integer that is not above the number, and what the number is above it, as bits in order.
    Number(i128, u64),
    Text,
}

impl Rank {
    /// Returns the rank of a value as it is shown.
    pub(super) fn of(text: &str) -> Self {
        // `inf` and `NaN` are text.
        if !text.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return Self::Text;
        }
        let integer =
            text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |hex| i128::from_str_radix(hex, 16).ok());
        let real = || text.parse().ok().filter(|number: &f64| number.is_finite()).map(Self::of_real);
        integer.map(|number| Self::Number(number, 0)).or_else(real).unwrap_or(Self::Text)
    }

    fn of_real(number: f64) -> Self {
        // The bits of numbers that are not negative have their order.
        match number.floor() as i128 {
            i128::MAX => Self::Number(i128::MAX, number.to_bits()),
            i128::MIN => Self::Number(i128::MIN, !number.to_bits()),
            floor => Self::Number(floor, (number - number.floor()).to_bits()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rank;

    #[test]
    fn numbers_are_sorted_by_value_before_text() {
        let sorted = [
            "-1e301", "-1e300", "-10.5", "-10", "-1.5", "-1", "-0.5", "0.0", "5e-324", "0.5", "1", "2.25", "3.0",
            "0x10", "100.0", "1e300", "1.5e300", "text",
        ];
        assert!(sorted.map(Rank::of).is_sorted_by(|a, b| a < b), "{:?}", sorted.map(Rank::of));
        assert_eq!((Rank::of("-0.0"), Rank::of("3.0")), (Rank::of("0"), Rank::of("3")));
        for text in ["NaN", "inf", "-inf", "", "-", "1.2.3.4", "10.0.0.1:80", "0x", "a"] {
            assert_eq!(Rank::of(text), Rank::Text, "{text}");
        }
    }
}
