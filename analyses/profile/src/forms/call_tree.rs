//! The call tree as text.

use std::fmt::Write as _;

use etwkit::render::terminal;

use super::merged::Merged;
use crate::Profile;

/// Returns the call tree: a line for each frame below its caller, with its inclusive weight, the share of that in per
/// cent, and its exclusive weight; the largest first.
pub fn call_tree(profile: &Profile) -> String {
    let merged = Merged::of(profile);
    let total = merged.total();
    let width = profile.unit.text(total).len().max("inclusive".len());
    let mut out = String::new();
    let titles = ["inclusive", "share", "exclusive", "frame"];
    let [inclusive, share, exclusive, frame] = titles;
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{inclusive:>width$}  {share:>6}  {exclusive:>width$}  {frame}");
    for (node, _) in merged.in_order() {
        let share = node.inclusive as f64 * 100.0 / total.max(1) as f64;
        let (inclusive, exclusive) = (profile.unit.text(node.inclusive), profile.unit.text(node.exclusive));
        let text = terminal::escaped(node.text);
        let _ = writeln!(
            out,
            "{inclusive:>width$}  {share:>6.2}  {exclusive:>width$}  {:depth$}{text}",
            "",
            depth = node.depth
        );
    }
    out
}
