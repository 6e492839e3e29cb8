//! Lines that are not too long.

/// Columns of a line.
pub(super) const WIDTH: usize = 120;

/// Returns a text as lines of at most [`WIDTH`] columns, each after a prefix.
pub(super) fn wrapped(prefix: &str, text: &str) -> String {
    let mut out = String::new();
    let mut line = prefix.to_owned();
    for word in text.split_whitespace() {
        if line.len() > prefix.len() && line.len() + 1 + word.len() > WIDTH {
            out = out + line.trim_end() + "\n";
            prefix.clone_into(&mut line);
        }
        if line.len() > prefix.len() {
            line.push(' ');
        }
        line += word;
    }
    out + line.trim_end() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_at_words() {
        let text = wrapped("/// ", &"word ".repeat(50));
        assert!(text.lines().all(|line| line.len() <= WIDTH && line.starts_with("/// word")));
        assert_eq!(text.matches("word").count(), 50);
        assert_eq!(text.lines().count(), 3);
    }
}
