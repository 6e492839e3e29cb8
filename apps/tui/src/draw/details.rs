//! The pane of one event.

use etwkit::render::grouped;
use ratatui::layout::{Constraint, Layout, Rect};

use super::canvas::{Canvas, FAINT, PLAIN, SELECTED, TITLE, from};
use super::hex;
use crate::app::{App, Focus};
use crate::detail_pane::DetailPane;

pub(super) fn draw(app: &mut App<'_>, canvas: &mut Canvas<'_>, area: Rect) {
    let has_focus = app.focus == Focus::Detail;
    let (number, len) = (app.view.selected + 1, app.source.list.len());
    let Some(pane) = &mut app.detail else { return };
    let title = if len == 0 { "no event".into() } else { format!("event {} of {}", grouped(number), grouped(len)) };
    let title = if pane.title.is_empty() { title } else { format!("{title}: {}", pane.title) };
    canvas.rule(area, &title, if has_focus { TITLE } else { PLAIN });
    let inner = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let per_row = if inner.width >= 130 { 16 } else { 8 };
    let hex_width = hex::width(per_row);
    if pane.payload.is_empty() || inner.width < hex_width + 24 {
        lines(pane, has_focus, canvas, inner);
        return;
    }
    let [left, right] = Layout::horizontal([Constraint::Min(24), Constraint::Length(hex_width)]).areas(inner);
    lines(pane, has_focus, canvas, Rect { width: left.width.saturating_sub(1), ..left });
    hex::draw(pane, per_row, canvas, right);
}

fn lines(pane: &mut DetailPane, has_focus: bool, canvas: &mut Canvas<'_>, area: Rect) {
    pane.view.resize(usize::from(area.height), pane.lines.len() as u64);
    let names = pane.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or_default();
    let names = u16::try_from(names).unwrap_or(u16::MAX).min(area.width * 2 / 5);
    let (view, shift) = (pane.view, pane.shift);
    let first = usize::try_from(view.top).unwrap_or(usize::MAX);
    for (y, (number, line)) in (0..area.height).zip((view.top..).zip(pane.lines.iter().skip(first))) {
        if line.is_heading {
            canvas.text(area, 0, y, &line.text, TITLE);
        } else if line.name.is_empty() {
            canvas.text(area, 1, y, from(&line.text, shift), PLAIN);
        } else {
            canvas.cell(area, (1, y), names, &line.name, FAINT);
            canvas.text(area, names + 2, y, from(&line.text, shift), PLAIN);
        }
        if number == view.selected && has_focus {
            canvas.row_style(area, y, SELECTED);
        }
    }
}
