//! Which rows of the list are seen, and which of them is selected.

/// The place in a list of any length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListView {
    pub(crate) selected: u64,
    /// The first row that is seen.
    pub(crate) top: u64,
    /// Rows that are seen at once.
    pub(crate) height: usize,
}

impl ListView {
    /// Selects a row of a list of `len` rows; the last one instead of one after it.
    pub(crate) fn select(&mut self, row: u64, len: u64) {
        self.selected = row.min(len.saturating_sub(1));
        self.show();
    }

    /// Moves the selection by so many rows.
    pub(crate) fn move_by(&mut self, by: i64, len: u64) {
        self.select(self.selected.saturating_add_signed(by), len);
    }

    /// Moves the selection by a page less one row.
    pub(crate) fn page(&mut self, pages: i64, len: u64) {
        let rows = i64::try_from(self.height.saturating_sub(1).max(1)).unwrap_or(1);
        self.top = self.top.saturating_add_signed(pages * rows).min(len.saturating_sub(self.height as u64));
        self.move_by(pages * rows, len);
    }

    /// Sets how many rows are seen.
    pub(crate) fn resize(&mut self, height: usize, len: u64) {
        self.height = height;
        self.top = self.top.min(len.saturating_sub(height as u64));
        self.show();
    }

    /// Puts the selected row in the middle.
    pub(crate) fn center(&mut self, row: u64, len: u64) {
        self.selected = row.min(len.saturating_sub(1));
        self.top = self.selected.saturating_sub(self.height as u64 / 2).min(len.saturating_sub(self.height as u64));
    }

    /// Scrolls until the selected row is seen.
    fn show(&mut self) {
        let height = self.height.max(1) as u64;
        self.top = self.top.clamp((self.selected + 1).saturating_sub(height), self.selected);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_row_is_always_seen() {
        let mut view = ListView { height: 10, ..ListView::default() };
        let check = |view: ListView, selected: u64, top: u64| assert_eq!((view.selected, view.top), (selected, top));
        view.move_by(15, 100);
        check(view, 15, 6);
        view.page(1, 100);
        check(view, 24, 15);
        view.select(u64::MAX, 100);
        check(view, 99, 90);
        view.resize(3, 100);
        check(view, 99, 97);
        view.move_by(-500, 100);
        check(view, 0, 0);
        view.center(50, 100);
        check(view, 50, 49);
        view.select(7, 0);
        check(view, 0, 0);
    }
}
