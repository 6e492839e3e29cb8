//! Texts that are too long.

/// Returns the beginning of a text: whole characters, `most` bytes at most.
#[inline]
pub fn cut_text(text: &str, most: usize) -> &str {
    // `floor_char_boundary` is not in the oldest supported Rust.
    (0..=text.len().min(most)).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_stay_whole() {
        let starts = [0, 1, 2, 3, 4].map(|most| cut_text("aä€", most));
        assert_eq!(starts, ["", "a", "a", "aä", "aä"]);
        assert_eq!(cut_text("aä€", 9), "aä€");
    }
}
