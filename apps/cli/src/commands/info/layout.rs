//! Tables and lists of the plain report.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

/// Headings.
pub(super) const HEADING: Style = Style::new().bold().underline();
/// Labels.
pub(super) const LABEL: Style = AnsiColor::Cyan.on_default();
/// What is wrong.
pub(super) const BAD: Style = AnsiColor::Yellow.on_default().bold();

/// How a column is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Rows under a heading, as wide as what is in them.
pub(super) fn table<const N: usize>(out: &mut String, columns: [(&str, Align); N], rows: &[[String; N]]) {
    let mut widths = columns.map(|(name, _)| name.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let names = columns.map(|(name, _)| name.to_owned());
    let _ = writeln!(out, "{LABEL}{}{LABEL:#}", line(&names, columns, widths));
    for row in rows {
        let _ = writeln!(out, "{}", line(row, columns, widths));
    }
}

fn line<const N: usize>(cells: &[String; N], columns: [(&str, Align); N], widths: [usize; N]) -> String {
    let mut text = String::new();
    for ((cell, (_, align)), width) in cells.iter().zip(columns).zip(widths) {
        let fill = " ".repeat(width.saturating_sub(cell.chars().count()));
        let (before, after) = if align == Align::Right { (fill.as_str(), "") } else { ("", fill.as_str()) };
        let _ = write!(text, "  {before}{cell}{after}");
    }
    text.truncate(text.trim_end().len());
    text
}

/// A label and what it states.
pub(super) fn fact(out: &mut String, label: &str, text: &str) {
    let _ = writeln!(out, "  {LABEL}{label:<12}{LABEL:#}{text}");
}

/// An empty line and a heading.
pub(super) fn heading(out: &mut String, text: &str) {
    let _ = writeln!(out, "\n{HEADING}{text}{HEADING:#}");
}
