//! Text in cells of the screen. Nothing is written outside of the area that is named.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

pub(super) const PLAIN: Style = Style::new();
pub(super) const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
pub(super) const TITLE: Style = Style::new().add_modifier(Modifier::BOLD);
pub(super) const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);
/// The selection of a pane without the focus.
pub(super) const MARKED: Style = Style::new().add_modifier(Modifier::UNDERLINED);
pub(super) const WRONG: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
pub(super) const WARNING: Style = Style::new().fg(Color::Yellow);
pub(super) const BAR: Style = Style::new().fg(Color::Cyan);

/// The cells of a screen.
pub(super) struct Canvas<'b>(&'b mut Buffer);

impl<'b> Canvas<'b> {
    pub(super) fn new(buffer: &'b mut Buffer) -> Self {
        Self(buffer)
    }

    /// Takes all colours away.
    pub(super) fn bleach(&mut self) {
        for cell in &mut self.0.content {
            (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
        }
    }

    /// Writes text from a place of an area on, as far as the area goes. Returns the column after it.
    pub(super) fn text(&mut self, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
        self.cell(area, (x, y), area.width.saturating_sub(x), text, style)
    }

    /// The same in at most `width` columns.
    pub(super) fn cell(&mut self, area: Rect, (x, y): (u16, u16), width: u16, text: &str, style: Style) -> u16 {
        let area = area.intersection(self.0.area);
        if y >= area.height || x >= area.width {
            return x;
        }
        let width = usize::from(width.min(area.width - x));
        let (end, _) = self.0.set_stringn(area.x + x, area.y + y, text, width, style);
        end.saturating_sub(area.x)
    }

    /// Writes text that ends at the area's right side. Returns its first column.
    pub(super) fn right(&mut self, area: Rect, y: u16, text: &str, style: Style) -> u16 {
        let len = u16::try_from(text.chars().count()).unwrap_or(u16::MAX).min(area.width);
        let x = area.width - len;
        self.text(area, x, y, text, style);
        x
    }

    /// Gives a row a style.
    pub(super) fn row_style(&mut self, area: Rect, y: u16, style: Style) {
        let row = Rect { y: area.y.saturating_add(y), height: 1, ..area };
        self.0.set_style(row.intersection(area).intersection(self.0.area), style);
    }

    /// A row with a line and a title.
    pub(super) fn rule(&mut self, area: Rect, title: &str, style: Style) {
        let line = "─".repeat(usize::from(area.width));
        self.text(area, 0, 0, &line, FAINT);
        self.text(area, 1, 0, &format!(" {title} "), style);
    }
}

/// The part of a text from a character on.
pub(super) fn from(text: &str, first: usize) -> &str {
    text.char_indices().nth(first).map_or("", |(at, _)| text.get(at..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_outside() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 2));
        let mut canvas = Canvas::new(&mut buffer);
        let area = Rect::new(2, 0, 3, 1);
        assert_eq!(canvas.text(area, 0, 0, "abcdef", PLAIN), 3);
        canvas.text(area, 0, 1, "below", PLAIN);
        canvas.text(Rect::new(0, 5, 3, 3), 0, 0, "far", PLAIN);
        canvas.row_style(area, 7, SELECTED);
        assert_eq!(canvas.right(Rect::new(0, 1, 6, 1), 0, "xy", PLAIN), 4);
        assert_eq!(buffer, Buffer::with_lines(["  abc ", "    xy"]));
        assert_eq!((from("abc", 2), from("é", 9)), ("c", ""));
    }
}
