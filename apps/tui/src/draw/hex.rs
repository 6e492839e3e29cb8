//! The payload in hexadecimal digits and as characters, with the bytes of the selected field marked.

use ratatui::layout::Rect;

use super::canvas::{Canvas, FAINT, PLAIN, SELECTED};
use crate::detail_pane::DetailPane;

/// Columns of rows of so many bytes: offset, digits, characters.
pub(super) const fn width(per_row: u16) -> u16 {
    4 + 1 + 3 * per_row + 1 + per_row
}

pub(super) fn draw(pane: &DetailPane, per_row: u16, canvas: &mut Canvas<'_>, area: Rect) {
    let marked = pane.marked().unwrap_or_default();
    let bytes_of_row = usize::from(per_row);
    let height = usize::from(area.height);
    let rows = pane.payload.len().div_ceil(bytes_of_row);
    // The first marked byte is in the upper half.
    let wanted = (marked.start / bytes_of_row).saturating_sub(height / 2);
    let first = wanted.min(rows.saturating_sub(height));
    for (y, (row, bytes)) in (0..area.height).zip(pane.payload.chunks(bytes_of_row).enumerate().skip(first)) {
        let begin = row * bytes_of_row;
        canvas.text(area, 0, y, &format!("{begin:04x}"), FAINT);
        for (column, byte) in (0..).zip(bytes) {
            let style = if marked.contains(&(begin + usize::from(column))) { SELECTED } else { PLAIN };
            canvas.cell(area, (5 + 3 * column, y), 2, &format!("{byte:02x}"), style);
            let text = if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' };
            canvas.cell(area, (6 + 3 * per_row + column, y), 1, text.encode_utf8(&mut [0; 4]), style);
        }
    }
}
