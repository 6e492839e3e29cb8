//! The call tree as text.

use std::io::{self, Write};

use etwkit::render::terminal;

use super::merged::Merged;
use super::room::TextRoom;
use crate::Profile;

/// Frames below their callers are indented up to here.
const MOST_INDENTED: usize = 256;

/// Writes the call tree, and returns how many frames had no room: a line for each frame below its caller, with its
/// inclusive weight, the share of that in per cent, and its exclusive weight; the largest first.
///
/// Frames are indented by a space for each caller, up to 256. The text has at most 64 MiB, and 4 KiB for each sample.
///
/// # Errors
///
/// Those of writing.
pub fn call_tree(profile: &Profile, out: &mut impl Write) -> io::Result<u64> {
    let merged = Merged::of(profile);
    let mut room = TextRoom::of(profile);
    let total = merged.total();
    let width = profile.unit.text(total).len().max("inclusive".len());
    let titles = ["inclusive", "share", "exclusive", "frame"];
    let [inclusive, share, exclusive, frame] = titles;
    writeln!(out, "{inclusive:>width$}  {share:>6}  {exclusive:>width$}  {frame}")?;
    let mut left_out = 0;
    for (node, _) in merged.in_order() {
        let share = node.inclusive as f64 * 100.0 / total.max(1) as f64;
        let (inclusive, exclusive) = (profile.unit.text(node.inclusive), profile.unit.text(node.exclusive));
        let (text, depth) = (terminal::escaped(node.text), node.depth.min(MOST_INDENTED));
        // What is left out is all that follows: a frame stands below its caller.
        if left_out > 0 || !room.take(2 * width + 12 + depth + text.len()) {
            left_out += 1;
            continue;
        }
        writeln!(out, "{inclusive:>width$}  {share:>6.2}  {exclusive:>width$}  {:depth$}{text}", "")?;
    }
    Ok(left_out)
}
