//! The pane of counts.

use etwkit::render::grouped;
use ratatui::layout::Rect;

use super::canvas::{Canvas, MARKED, PLAIN, SELECTED, TITLE};
use crate::app::{App, Focus};

pub(super) fn draw(app: &mut App<'_>, canvas: &mut Canvas<'_>, area: Rect) {
    let has_focus = app.focus == Focus::Facets;
    let Some(pane) = &mut app.facets else { return };
    // A column is left to the list.
    let area = Rect { width: area.width.saturating_sub(1), ..area };
    canvas.rule(area, "counts", if has_focus { TITLE } else { PLAIN });
    let inner = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    pane.view.resize(usize::from(inner.height), pane.rows.len() as u64);
    let view = pane.view;
    let first = usize::try_from(view.top).unwrap_or(usize::MAX);
    for (y, (number, row)) in (0..inner.height).zip((view.top..).zip(pane.rows.iter().skip(first))) {
        match row.events {
            None => canvas.text(inner, 0, y, &row.text, TITLE),
            Some(events) => {
                let count = format!(" {}", grouped(events));
                canvas.text(inner, 1, y, &row.text, PLAIN);
                canvas.right(inner, y, &count, PLAIN)
            }
        };
        if number == view.selected {
            canvas.row_style(inner, y, if has_focus { SELECTED } else { MARKED });
        }
    }
}
