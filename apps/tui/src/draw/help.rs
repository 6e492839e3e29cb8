//! The keys.

use ratatui::layout::Rect;

use super::canvas::{Canvas, FAINT, PLAIN, TITLE};

/// Draws the help from a line on, and returns the line that it begins with: there is always something to read.
pub(super) fn draw(first: usize, canvas: &mut Canvas<'_>, area: Rect) -> usize {
    let rows = usize::from(area.height.saturating_sub(1));
    let first = first.min(HELP.len().saturating_sub(rows));
    for (y, (key, what)) in (0..area.height.saturating_sub(1)).zip(HELP.iter().skip(first)) {
        let style = if what.is_empty() { TITLE } else { PLAIN };
        canvas.text(area, 0, y, key, style);
        canvas.text(area, 18, y, what, PLAIN);
    }
    let rest = HELP.len().saturating_sub(first + rows);
    let more = if rest > 0 { "j and k scroll, other keys close" } else { "any other key closes" };
    canvas.text(area, 0, area.height.saturating_sub(1), more, FAINT);
    first
}

const HELP: &[(&str, &str)] = &[
    ("Moving", ""),
    ("j k ↓ ↑", "one line"),
    ("Space PgDn PgUp", "one page; Ctrl+F and Ctrl+B, too"),
    ("g G Home End", "first, last"),
    ("← →", "move long lines"),
    ("Tab", "next pane"),
    ("Esc", "close the pane; end a search or a save"),
    ("t", "go to a time: 14:59:35.5, 2021-09-09T14:59:35Z, +1m30s"),
    ("Filtering and searching", ""),
    ("f", "filter, applied while it is typed"),
    ("", "Tab completes names, Enter keeps it, Esc brings the last back"),
    ("F", "all events"),
    ("c", "counts by provider, event, process and level"),
    ("", "Enter shows only these events, x all but these"),
    ("/", "search a text in the values"),
    ("n N", "next and previous event with it"),
    ("One event", ""),
    ("Enter", "fields with their bytes, header, stack, schema"),
    ("z", "the same on the whole screen, and back"),
    ("y", "copy its JSON line to the clipboard of the terminal"),
    ("The trace", ""),
    ("w", "save what passes the filter as JSON lines"),
    ("q Ctrl+C", "quit"),
    ("", "Bars are events over time, on a logarithmic scale;"),
    ("", "▲ is the selected event."),
];
