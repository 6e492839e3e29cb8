//! The two lines at the top: the trace, and the filter.

use etwkit::render::grouped;
use ratatui::layout::Rect;

use super::canvas::{Canvas, FAINT, PLAIN, TITLE, WARNING, from};
use crate::app::{App, Job};

pub(super) fn draw(app: &App<'_>, canvas: &mut Canvas<'_>, area: Rect) {
    let trace = app.source.trace;
    let problems = trace.problems().len();
    let what = if trace.is_damaged() { "damaged, " } else { "" };
    let right = match problems {
        0 => String::new(),
        1 => format!("{what}1 problem"),
        many => format!("{what}{} problems", grouped(many as u64)),
    };
    let left = format!("{}  {}", app.title, events(trace.events_total()));
    canvas.text(area, 0, 0, &left, TITLE);
    if !right.is_empty() {
        canvas.right(area, 0, &format!("  {right}"), WARNING);
    }
    let (text, style) = if app.filter.trim().is_empty() { ("all events", FAINT) } else { (app.filter.as_str(), PLAIN) };
    let shown = etwkit::render::terminal::escaped(text);
    let end = canvas.text(area, 0, 1, "filter: ", FAINT);
    canvas.text(area, end, 1, from(&shown, 0), style);
    canvas.right(area, 1, &format!("  {}", progress(app)), FAINT);
}

/// What goes on, or what was found.
fn progress(app: &App<'_>) -> String {
    let share = |parts: usize| parts * 100 / app.source.part_count().max(1);
    match &app.job {
        Some(Job::Search(search)) => format!("searching, at {} %, Esc gives up", share(search.part())),
        Some(Job::Save(save)) => format!("saving, {} %, Esc gives up", share(save.part)),
        None if app.is_busy() => format!("{} so far, {} % read", grouped(app.len()), app.source.percent()),
        None => events(app.len()),
    }
}

/// A number of events: one is in the singular.
fn events(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "event" } else { "events" })
}
