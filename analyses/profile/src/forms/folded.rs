//! Folded stacks: a line for each path, `process (pid);thread (tid);frame;…;frame weight`.

use std::fmt::Write as _;

use crate::Profile;

/// Returns the folded stacks, sorted. Weights are in the profile's unit, time in milliseconds with a fraction where there
/// is one. Semicolons and line breaks within a frame are written as a colon and a blank, since they separate frames and
/// lines.
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
    let escape = |c: char| match c {
        ';' => ':',
        c if c.is_control() => ' ',
        c => c,
    };
    frame.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_in_names_are_replaced() {
        assert_eq!(escaped("a;b\n"), "a:b ");
    }
}
