//! How the viewer looks.

mod bottom;
mod canvas;
mod details;
mod facets;
mod help;
mod hex;
mod histogram;
mod list;
mod top;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};

use crate::app::App;
use canvas::{Canvas, PLAIN};

/// The smallest window that has room for the list.
const LEAST: (u16, u16) = (40, 10);

impl App<'_> {
    /// Draws the viewer. Rows are decoded for it.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let mut canvas = Canvas::new(frame.buffer_mut());
        if area.width < LEAST.0 || area.height < LEAST.1 {
            canvas.text(area, 0, 0, &format!("needs {} x {}", LEAST.0, LEAST.1), PLAIN);
            return;
        }
        if let Some(first) = self.help {
            self.help = Some(help::draw(first, &mut canvas, area));
            return;
        }
        let cursor = self.draw_all(&mut canvas, area);
        if !self.has_colors {
            canvas.bleach();
        }
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
    }

    /// Draws all panes, and returns where the cursor is.
    fn draw_all(&mut self, canvas: &mut Canvas<'_>, area: Rect) -> Option<(u16, u16)> {
        let histogram = if area.height >= 16 { 3 } else { 0 };
        let bottom = if self.prompt.is_some() { 3 } else { 1 };
        let heights = [2, histogram].map(Constraint::Length);
        let heights = [heights[0], heights[1], Constraint::Min(4), Constraint::Length(bottom)];
        let [top, over_time, body, bottom] = Layout::vertical(heights).areas(area);
        self.draw_body(canvas, body);
        top::draw(self, canvas, top);
        if histogram > 0 {
            histogram::draw(self, canvas, over_time);
        }
        bottom::draw(self, canvas, bottom)
    }

    fn draw_body(&mut self, canvas: &mut Canvas<'_>, body: Rect) {
        let mut list = body;
        if self.detail.as_ref().is_some_and(|detail| detail.is_large) {
            self.refresh_detail();
            details::draw(self, canvas, body);
            return;
        }
        if self.facets.is_some() {
            self.refresh_facets();
            let width = (body.width / 3).clamp(24, 48);
            let [left, right] = Layout::horizontal([Constraint::Length(width), Constraint::Min(16)]).areas(body);
            facets::draw(self, canvas, left);
            list = right;
        }
        if self.detail.is_some() {
            let [upper, lower] = Layout::vertical([Constraint::Percentage(45), Constraint::Min(5)]).areas(list);
            list::draw(self, canvas, upper);
            self.refresh_detail();
            details::draw(self, canvas, lower);
        } else {
            list::draw(self, canvas, list);
        }
    }

    /// Reads the selected event for the detail pane, unless it has it.
    fn refresh_detail(&mut self) {
        let Some(pane) = &mut self.detail else { return };
        if self.view.selected >= self.source.list.len() {
            *pane = crate::detail_pane::DetailPane { is_large: pane.is_large, ..Default::default() };
            return;
        }
        if pane.row == Some(self.view.selected) {
            return;
        }
        match self.source.detail(self.view.selected) {
            Ok(Some(detail)) => pane.set(self.view.selected, detail),
            Ok(None) => {}
            Err(error) => self.fail(error),
        }
    }

    fn refresh_facets(&mut self) {
        let parts = self.source.list.parts_read();
        if let Some(pane) = self.facets.as_mut().filter(|pane| parts > 0 && pane.parts != Some(parts)) {
            pane.set(&self.source.list.facets.lists(self.source.trace), parts);
        }
    }
}
