//! Folded stacks: a line for each path, `process (pid);thread (tid);frame;…;frame weight`.

use std::fmt::Write as _;

use crate::{Profile, Unit};

/// Returns the folded stacks, sorted. Weights are samples, or milliseconds with a fraction where there is one. Semicolons and line breaks within a frame are written as a colon and a blank,
/// since they separate frames and lines.
pub fn folded(profile: &Profile, unit: Unit) -> String {
    let names: Vec<String> = profile.frames().map(escaped).collect();
    let mut lines: Vec<(String, u64)> = Vec::new();
    for (id, node) in profile.nodes() {
        let weight = profile.own(node, unit);
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
        let _ = match unit {
            Unit::Samples => writeln!(out, "{path} {weight}"),
            Unit::Microseconds => writeln!(out, "{path} {}", milliseconds(weight)),
        };
    }
    out
}

/// Returns microseconds as milliseconds, without zeros at the end.
fn milliseconds(microseconds: u64) -> String {
    let text = format!("{}.{:03}", microseconds / 1000, microseconds % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(frame: &str) -> String {
    frame
        .chars()
        .map(|c| {
            if c == ';' {
                ':'
            } else if c.is_control() {
                ' '
            } else {
                c
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_have_a_fraction_where_there_is_one() {
        assert_eq!([0, 1, 1000, 1250, 10_000].map(milliseconds), ["0", "0.001", "1", "1.25", "10"]);
        assert_eq!(escaped("a;b\n"), "a:b ");
    }
}
