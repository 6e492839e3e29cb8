//! A flame graph as one interactive picture.

use std::io::{self, Write};

use etwkit::render::terminal;

use super::merged::{Merged, MergedNode};
use super::room::name_of_node;
use crate::Profile;

const WIDTH: f64 = 1200.0;
const ROW: f64 = 17.0;
/// Room for the title and the buttons above, in pixels.
const TOP: f64 = 64.0;
/// Room below, in pixels.
const BOTTOM: f64 = 8.0;
/// Width of a character of the texts in frames.
const CHARACTER: f64 = 7.2;
/// Frames with a smaller part of the whole are not drawn: so much is a sixteenth of a pixel, and a pixel when zoomed in
/// by sixteen.
const LEAST_PART: f64 = 1.0 / (WIDTH * 16.0);
/// Frames that are drawn: more make a picture that browsers do not show.
const MOST_DRAWN: usize = 100_000;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Writes the profile as a flame graph, callers above what they call: an SVG file that browsers show without a network.
/// A click on a frame zooms in, Escape zooms out, and Control-F or `/` searches. Frames below a sixteenth of a pixel are
/// left out, and the lightest beyond 100,000, whose number is returned; names have at most 1 KiB.
///
/// # Errors
///
/// Those of writing.
pub fn flame_graph(profile: &Profile, title: &str, out: &mut impl Write) -> io::Result<u64> {
    let merged = Merged::of(profile);
    let total = merged.total().max(1);
    let wide = (total as f64 * LEAST_PART) as u64;
    let drawn =
        Drawn::new(merged.in_order().map(|(node, _)| node.inclusive).filter(|weight| *weight > wide), MOST_DRAWN);
    let shown = || {
        let mut drawn = drawn;
        merged.in_order().filter(move |(node, _)| node.depth == 0 || node.inclusive > wide && drawn.has(node.inclusive))
    };
    let depth = shown().map(|(node, _)| node.depth).max().unwrap_or(0);
    let height = TOP + ROW * (depth + 1) as f64 + BOTTOM;
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" \
         height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect id=\"ground\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
         <text id=\"title\" x=\"600\" y=\"20\" text-anchor=\"middle\" font-size=\"15\">{title}</text>\n\
         <text id=\"reset\" class=\"button\" x=\"8\" y=\"38\">Reset zoom (Esc)</text>\n\
         <text id=\"search\" class=\"button\" x=\"1192\" y=\"38\" text-anchor=\"end\">Search (Ctrl-F or /)</text>\n\
         <text id=\"found\" x=\"600\" y=\"38\" text-anchor=\"middle\"></text>\n\
         <text id=\"details\" x=\"8\" y=\"{}\"></text>\n<g id=\"frames\" data-total=\"{total}\">\n",
        TOP - 8.0,
        title = escaped(title),
    )?;
    shown().try_for_each(|(node, left)| frame(out, profile, node, left, total))?;
    write!(out, "</g>\n<script><![CDATA[{SCRIPT}]]></script>\n</svg>\n")?;
    Ok(drawn.left_out)
}

/// Which frames are drawn: the heaviest, and of those that weigh as much as the lightest of them the first ones, which
/// are callers of the others.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    /// The weight of the lightest.
    lightest: u64,
    /// How many of that weight are drawn.
    of_lightest: usize,
    /// How many are not drawn.
    left_out: u64,
}

impl Drawn {
    /// Chooses frames by their weights.
    fn new(weights: impl Iterator<Item = u64>, most: usize) -> Self {
        let mut weights: Vec<u64> = weights.collect();
        if weights.len() <= most {
            return Self { lightest: 0, of_lightest: 0, left_out: 0 };
        }
        let left_out = (weights.len() - most) as u64;
        let (heavy, lightest, _) = weights.select_nth_unstable_by_key(most - 1, |weight| std::cmp::Reverse(*weight));
        let lightest = *lightest;
        let heavier = heavy.iter().filter(|weight| **weight > lightest).count();
        Self { lightest, of_lightest: most - heavier, left_out }
    }

    /// Returns whether the next frame, in order, is drawn.
    fn has(&mut self, weight: u64) -> bool {
        if weight != self.lightest {
            return weight > self.lightest;
        }
        let left = self.of_lightest.checked_sub(1);
        self.of_lightest = left.unwrap_or(0);
        left.is_some()
    }
}

/// Writes a frame.
fn frame(out: &mut impl Write, profile: &Profile, node: &MergedNode<'_>, left: u64, total: u64) -> io::Result<()> {
    let scale = WIDTH / total as f64;
    let (x, width) = (left as f64 * scale, node.inclusive as f64 * scale);
    let y = TOP + ROW * node.depth as f64;
    let share = node.inclusive as f64 * 100.0 / total as f64;
    let weight = profile.unit.text(node.inclusive);
    let name = escaped(name_of_node(node.text));
    writeln!(
        out,
        "<g class=\"frame\" data-x=\"{left}\" data-w=\"{}\" data-d=\"{}\"><title>{name} ({weight} {}, {share:.2} %)</title>\
         <rect x=\"{x:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"16\" fill=\"{}\"/>\
         <text x=\"{:.2}\" y=\"{:.1}\">{}</text></g>",
        node.inclusive,
        node.depth,
        profile.unit.name(),
        color(node.text),
        x + 3.0,
        y + 12.0,
        escaped(&shortened(node.text, width)),
    )
}

/// Returns as much of a name as there is room for.
fn shortened(name: &str, width: f64) -> String {
    let room = ((width - 6.0) / CHARACTER).max(0.0) as usize;
    if name.chars().count() <= room {
        return name.to_owned();
    }
    if room < 3 { String::new() } else { name.chars().take(room - 2).chain("..".chars()).collect() }
}

/// Returns a warm colour; functions of one module have the same one.
fn color(name: &str) -> String {
    let module = name.split(['!', '+', ' ']).next().unwrap_or_default();
    // FNV-1a.
    let hash = module
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("hsl({},{}%,{}%)", 10 + hash % 45, 70 + hash / 64 % 25, 55 + hash / 4096 % 15)
}

/// Escapes a text for XML, which has no control characters; what reorders or hides text is left out, too.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if terminal::is_hazard(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_the_picture() {
        assert_eq!(
            escaped("a<script>\"&'\u{1}\u{ffff}\u{202e}"),
            "a&lt;script&gt;&quot;&amp;&#39;\u{fffd}\u{fffd}\u{fffd}"
        );
        assert!(!SCRIPT.contains("]]>"));
    }

    #[test]
    fn as_many_frames_as_there_is_room_for_are_drawn() {
        let drawn = |weights: &[u64], most| {
            let mut drawn = Drawn::new(weights.iter().copied(), most);
            (weights.iter().map(|weight| drawn.has(*weight)).collect::<Vec<_>>(), drawn.left_out)
        };
        assert_eq!(drawn(&[9, 5, 5, 5, 1], 3), (vec![true, true, true, false, false], 2));
        assert_eq!(drawn(&[5, 5, 5], 1), (vec![true, false, false], 2));
        assert_eq!(drawn(&[5, 1, 3], 3), (vec![true; 3], 0));
    }

    #[test]
    fn names_are_cut_to_their_frame() {
        assert_eq!(shortened("ntdll.dll+0x1234", 50.0), "ntdl..");
        assert_eq!(shortened("ntdll.dll", 5.0), "");
        assert_eq!(shortened("ntdll.dll", 100.0), "ntdll.dll");
    }
}
