//! Whole numbers in the texts of people and tools.

/// Returns the number that a text is: decimal, or hexadecimal after `0x` or `0X`; `None` for other text, and for more
/// than 64 bits.
///
/// Nothing may be around it or between its digits. A plus sign is taken before decimal digits, not before or after `0x`.
pub fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        // The standard library takes a sign.
        Some(hex) if hex.starts_with('+') => None,
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        assert_eq!(["500", "0x1F4", "0X1f4", "00500", "+500"].map(number), [Some(500); 5]);
        assert_eq!(["18446744073709551615", "0xFFFFFFFFFFFFFFFF"].map(number), [Some(u64::MAX); 2]);
        for text in ["", "-1", "0x", "0x+1", "+0x1", "0x-1", " 1", "1 ", "1_0", "1.5", "12h", "18446744073709551616"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
