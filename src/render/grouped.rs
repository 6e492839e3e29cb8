//! Numbers for people.

/// Returns a number with a comma before each three digits, such as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_a_group() {
        let texts = [0, 999, 1_000, 1_002_003, u64::MAX].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,002,003", "18,446,744,073,709,551,615"]);
    }
}
