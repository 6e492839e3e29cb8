//! Folded stacks: a line for each path, `process (pid);thread (tid);frame;…;frame weight`.

use std::fmt::Write as _;

use etwkit::render::terminal;

use crate::Profile;

/// Returns the folded stacks, sorted. Weights are in the profile's unit, time in milliseconds with a fraction where there
/// is one. Semicolons within a frame are written as colons, since they separate frames; line breaks and what else could
/// command a terminal are escaped ([`terminal`]).
pub fn folded(profile: &Profile) -> String {
    let names: Vec<String> = profile.frames().map(|frame| escaped(&frame.text)).collect();
    let mut lines: Vec<(String, u64)> = Vec::new();
    for (id, node) in profile.nodes() {
        let weight = node.own.weight;
        if weight > 0 {
            let path: Vec<&str> =
                profile.path(id).iter().filter_map(|frame| names.get(*frame as usize)).map(|name| &**name).collect();
            lines.push((path.join(";"), weight));
        }
    }
    lines.sort_unstable();
    let mut out = String::new();
    for equal in lines.chunk_by(|a, b| a.0 == b.0) {
        let weight: u64 = equal.iter().map(|(_, weight)| weight).sum();
        let path = equal.first().map_or("", |(path, _)| path);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{path} {}", profile.unit.text(weight));
    }
    out
}

fn escaped(frame: &str) -> String {
    terminal::escaped(frame).replace(';', ":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_in_names_are_replaced() {
        assert_eq!(escaped("a;b\n\u{9b}\u{202e}"), r"a:b\n\u{9b}\u{202e}");
    }
}
