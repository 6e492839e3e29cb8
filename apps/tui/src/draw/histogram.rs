//! Events over time, and where the list is.

use etwkit::FileTime;
use etwkit::render::time::push_filetime;
use ratatui::layout::Rect;

use super::canvas::{BAR, Canvas, FAINT, TITLE};
use crate::app::App;

/// Eighths of a cell.
const BLOCKS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Draws bars, two rows high, on a logarithmic scale: one event is seen beside a million. Below them are the ends, and
/// the place of the selected event.
pub(super) fn draw(app: &mut App<'_>, canvas: &mut Canvas<'_>, area: Rect) {
    let Some((first, last)) = app.source.trace.first_and_last() else { return };
    let columns = columns(app.source.list.facets.histogram(), usize::from(area.width));
    let most = columns.iter().max().map_or(1.0, |most| (*most as f64).ln_1p().max(1e-9));
    for (x, count) in (0..).zip(&columns) {
        // An event has at least an eighth.
        let height = ((*count as f64).ln_1p() / most * 16.0).round().max(f64::from(u8::from(*count > 0)));
        let height = height as usize;
        let block = |eighths: usize| BLOCKS.get(eighths.min(8)).copied().unwrap_or_default();
        canvas.cell(area, (x, 0), 1, block(height.saturating_sub(8)), BAR);
        canvas.cell(area, (x, 1), 1, block(height), BAR);
    }
    canvas.text(area, 0, 2, &clock(first), FAINT);
    canvas.right(area, 2, &clock(last), FAINT);
    let selected = app.source.row(app.view.selected).ok().flatten().and_then(|row| row.at);
    if let Some(x) = selected.and_then(|at| place(at, (first, last), area.width)) {
        canvas.cell(area, (x, 2), 1, "▲", TITLE);
    }
}

/// Bins as columns of the screen.
fn columns(bins: &[u32], width: usize) -> Vec<u64> {
    let of = |x: usize| {
        let from = x * bins.len() / width;
        let until = ((x + 1) * bins.len() / width).max(from + 1).min(bins.len());
        bins.get(from..until).unwrap_or_default().iter().map(|count| u64::from(*count)).sum()
    };
    (0..width).map(of).collect()
}

/// The column of a time.
fn place(at: FileTime, (first, last): (FileTime, FileTime), width: u16) -> Option<u16> {
    let past = u128::try_from(at.as_units().saturating_sub(first.as_units())).ok()?;
    let span = u128::from(last.as_units().abs_diff(first.as_units())) + 1;
    let x = past.min(span - 1) * u128::from(width) / span;
    u16::try_from(x).ok()
}

/// The time of day.
fn clock(time: FileTime) -> String {
    let mut text = Vec::new();
    push_filetime(&mut text, time);
    String::from_utf8_lossy(text.get(11..19).unwrap_or(&text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_all_events_once_and_places_fit() {
        assert_eq!(columns(&[1, 2, 3, 4], 2), [3, 7]);
        assert_eq!(columns(&[1, 2], 4), [1, 1, 2, 2]);
        assert_eq!(columns(&[1, 2, 3], 2), [1, 5]);
        let ends = (FileTime(100), FileTime(199));
        assert_eq!([100, 150, 199, 500].map(|at| place(FileTime(at), ends, 10)), [Some(0), Some(5), Some(9), Some(9)]);
        assert_eq!(place(FileTime(99), ends, 10), None);
        assert_eq!(place(FileTime(5), (FileTime(5), FileTime(5)), 10), Some(0));
    }
}
