//! Folded stacks: a line for each path, `process (pid);thread (tid);frame;…;frame weight`.

use std::io::{self, Write};

use etwkit::render::terminal;

use super::merged::Merged;
use super::room::TextRoom;
use crate::Profile;

/// Writes the folded stacks, sorted frame by frame, and returns how many had no room: their weight is in a last line,
/// `(others)`.
///
/// Weights are in the profile's unit, time in milliseconds with a fraction where there is one. Semicolons within a frame
/// are written as colons, since they separate frames; line breaks and what else could command a terminal are escaped
/// ([`terminal`]). The text has at most 64 MiB, and 4 KiB for each sample.
///
/// # Errors
///
/// Those of writing.
pub fn folded(profile: &Profile, out: &mut impl Write) -> io::Result<u64> {
    let names: Vec<String> = profile.frames().map(|frame| escaped(&frame.text)).collect();
    let merged = Merged::named(profile, |frame| names.get(frame as usize).map_or("", |name| name));
    let mut room = TextRoom::of(profile);
    let mut path = String::new();
    // Bytes of the path with so many frames.
    let mut ends: Vec<usize> = Vec::new();
    let (mut others, mut left_out) = (0_u64, 0);
    for node in merged.by_name() {
        ends.truncate(node.depth.saturating_sub(1));
        path.truncate(ends.last().copied().unwrap_or(0));
        if !path.is_empty() {
            path.push(';');
        }
        path.push_str(node.text);
        ends.push(path.len());
        if node.exclusive == 0 {
            continue;
        }
        let weight = profile.unit.text(node.exclusive);
        if room.take(path.len() + weight.len()) {
            writeln!(out, "{path} {weight}")?;
        } else {
            others += node.exclusive;
            left_out += 1;
        }
    }
    if left_out > 0 {
        writeln!(out, "(others) {}", profile.unit.text(others))?;
    }
    Ok(left_out)
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
