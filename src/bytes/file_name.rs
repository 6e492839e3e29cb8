//! File names in paths, which a trace or a user may have written on another system.

/// Returns the last part of a path, whichever way its parts are separated.
#[inline]
pub fn file_name(path: &str) -> &str {
    // By bytes: both are ASCII, and each event of a process asks for its name.
    let before = path.bytes().rposition(|byte| matches!(byte, b'\\' | b'/'));
    before.and_then(|at| path.get(at + 1..)).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_separated_in_both_ways() {
        assert_eq!([r"C:\a\b.dll", "a/b.dll", "b.dll", r"a\"].map(file_name), ["b.dll", "b.dll", "b.dll", ""]);
    }
}
