//! The list of events.

use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::canvas::{Canvas, FAINT, MARKED, PLAIN, SELECTED, TITLE, WARNING, WRONG, from};
use crate::app::{App, Focus};
use crate::levels::level_name;
use crate::list_row::ListRow;

/// Columns of the list, by width.
struct Widths {
    /// Digits after a second's point.
    digits: usize,
    provider: u16,
    event: u16,
    process: u16,
}

const LEVEL: u16 = 4;

impl Widths {
    const fn of(width: u16) -> Self {
        if width < 100 {
            let name = width / 8;
            return Self { digits: 3, provider: name + 4, event: name + 5, process: name };
        }
        Self { digits: 7, provider: width / 6, event: width / 6 + 2, process: width / 8 }
    }

    fn time(&self) -> u16 {
        9 + self.digits as u16
    }
}

pub(super) fn draw(app: &mut App<'_>, canvas: &mut Canvas<'_>, area: Rect) {
    let widths = Widths::of(area.width);
    head(&widths, app.source.trace.has_local_times(), canvas, area);
    let height = usize::from(area.height.saturating_sub(1));
    let len = app.source.list.len();
    app.view.resize(height, len);
    let (view, shift, has_focus) = (app.view, app.shift, app.focus == Focus::List);
    let rows = match app.source.rows(view.top, height) {
        Ok(rows) => rows,
        Err(error) => {
            let error = error.to_string();
            app.fail(error);
            return;
        }
    };
    for (y, row) in (1..).zip(rows) {
        draw_row(row, &widths, shift, canvas, area, y);
        if row.number == view.selected {
            canvas.row_style(area, y, if has_focus { SELECTED } else { MARKED });
        }
    }
    if rows.is_empty() {
        canvas.text(area, 0, 1, if app.is_busy() { "reading ..." } else { "no events" }, FAINT);
    }
}

fn head(widths: &Widths, is_local: bool, canvas: &mut Canvas<'_>, area: Rect) {
    let time = if is_local { "local time" } else { "time (UTC)" };
    let titles = [time, "provider", "event", "process", "lvl", "message or fields"];
    cells(titles, widths, canvas, area, 0, TITLE);
}

fn draw_row(row: &ListRow, widths: &Widths, shift: usize, canvas: &mut Canvas<'_>, area: Rect, y: u16) {
    let provider = tail(&row.provider, usize::from(widths.provider));
    let level = match (row.level, row.level.map(level_name)) {
        (_, Some(name)) if !name.is_empty() => name.get(..4).unwrap_or(name).to_owned(),
        (Some(level), _) => level.to_string(),
        _ => String::new(),
    };
    let text = from(&row.text, shift);
    cells(
        [row.clock(widths.digits), &provider, &row.event, &row.process, &level, text],
        widths,
        canvas,
        area,
        y,
        level_style(row.level),
    );
}

fn cells(texts: [&str; 6], widths: &Widths, canvas: &mut Canvas<'_>, area: Rect, y: u16, style: Style) {
    let rest = u16::MAX;
    let widths = [widths.time(), widths.provider, widths.event, widths.process, LEVEL, rest];
    let mut x = 0_u16;
    for (text, width) in texts.into_iter().zip(widths) {
        canvas.cell(area, (x, y), width, text, style);
        x = x.saturating_add(width).saturating_add(1);
    }
}

/// The end of a name that is too long: providers of Windows begin alike.
fn tail(name: &str, width: usize) -> String {
    let len = name.chars().count();
    if len <= width { name.to_owned() } else { format!("…{}", from(name, len + 1 - width)) }
}

fn level_style(level: Option<u8>) -> Style {
    match level {
        Some(1 | 2) => WRONG,
        Some(3) => WARNING,
        Some(5) => PLAIN.fg(Color::Gray),
        _ => PLAIN,
    }
}
