//! The line at the bottom: what to do, messages, what is asked.

use etwkit::render::{grouped, terminal};
use ratatui::layout::Rect;

use super::canvas::{Canvas, FAINT, PLAIN, SELECTED, TITLE, WRONG, from};
use crate::app::{App, Focus};
use crate::prompt::Prompt;

/// Draws it, and returns where the cursor is.
pub(super) fn draw(app: &mut App<'_>, canvas: &mut Canvas<'_>, area: Rect) -> Option<(u16, u16)> {
    if let Some(prompt) = &app.prompt {
        return Some(draw_prompt(prompt, canvas, area));
    }
    let selected = app.source.row(app.view.selected).ok().flatten();
    if let Some(message) = &app.message {
        canvas.text(area, 0, 0, &message.text, if message.is_error { WRONG } else { TITLE });
        return None;
    }
    let keys = match app.focus {
        Focus::List => "? help  f filter  / search  t time  c counts  Enter details  w save  q quit",
        Focus::Facets => "Enter only these  x without  Tab list  Esc close  ? help",
        Focus::Detail => "Tab list  z large  ←→ move  Esc close  ? help",
    };
    canvas.text(area, 0, 0, keys, FAINT);
    if let Some(row) = selected {
        let place = format!("  {}/{} {}", grouped(row.number + 1), grouped(app.len()), row.time);
        canvas.right(area, 0, &place, PLAIN);
    }
    None
}

/// The line that is typed, what is wrong with it, and names that complete it.
fn draw_prompt(prompt: &Prompt, canvas: &mut Canvas<'_>, area: Rect) -> (u16, u16) {
    let label = canvas.text(area, 0, 0, prompt.label(), TITLE);
    let room = usize::from(area.width.saturating_sub(label + 1)).max(1);
    let first = (prompt.line.cursor() + 1).saturating_sub(room);
    let text = prompt.line.text();
    canvas.text(area, label, 0, from(&visible(&text), first), PLAIN);
    let column = |place: usize| label + u16::try_from(place.saturating_sub(first)).unwrap_or(u16::MAX).min(area.width);
    match &prompt.wrong {
        Some((place, what)) => draw_wrong(place.map(column), what, canvas, area),
        None => drop(canvas.text(area, 0, 1, prompt.hint(), FAINT)),
    }
    let mut x = 0;
    for (number, name) in prompt.completion.names.iter().enumerate() {
        let style = if prompt.completion.chosen == Some(number) { SELECTED } else { FAINT };
        x = canvas.text(area, x, 2, &terminal::escaped(name), style) + 2;
    }
    (area.x + column(prompt.line.cursor()), area.y)
}

/// Says what is wrong below its place, if the line has room after that.
fn draw_wrong(place: Option<u16>, what: &str, canvas: &mut Canvas<'_>, area: Rect) {
    let what = terminal::escaped(what);
    let len = u16::try_from(what.chars().count()).unwrap_or(u16::MAX);
    match place {
        Some(place) if place.saturating_add(len).saturating_add(2) <= area.width => {
            canvas.text(area, place, 1, &format!("^ {what}"), WRONG);
        }
        Some(place) if len + 3 <= place => {
            canvas.text(area, place - len - 1, 1, &format!("{what} ^"), WRONG);
        }
        Some(place) => {
            canvas.cell(area, (place, 1), 1, "^", WRONG);
            canvas.text(area, 0, 2, &what, WRONG);
        }
        None => drop(canvas.text(area, 0, 1, &what, WRONG)),
    }
}

/// One character for each, so that places stay.
fn visible(text: &str) -> String {
    text.chars().map(|c| if terminal::is_hazard(c) { '\u{fffd}' } else { c }).collect()
}
