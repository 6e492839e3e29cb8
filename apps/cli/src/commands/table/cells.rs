//! The cells of an event's row.

use std::sync::Arc;

use etwkit::render::time::TimeCache;
use etwkit_windows_formats::{ReportBatch, ReportRow};

use crate::rows::{Cell, Files, RowLines, Spare, TextCell};

/// Makes the cells of rows, on one thread.
#[derive(Debug)]
pub(super) struct Cells {
    /// The number of columns of data.
    data: usize,
    files: Files,
    time: TimeCache,
    spare: Spare,
    /// Memory of a time.
    text: Vec<u8>,
}

/// Columns before those of data: time, file, provider, name.
const BEFORE: usize = 4;

impl Cells {
    /// Makes rows with so many columns of data.
    pub(super) fn new(data: usize, files: Files, time: TimeCache) -> Self {
        Self { data, files, time, spare: Spare::default(), text: Vec::new() }
    }

    /// Returns the same for another thread.
    pub(super) fn of_thread(&self) -> Self {
        Self::new(self.data, self.files.clone(), self.time.clone())
    }

    /// Replaces the cells of a row; blank ones at its end are left out.
    pub(super) fn fill(&mut self, cells: &mut Vec<Cell>, row: &ReportRow<'_>) {
        self.spare.keep(cells);
        let time = row.time.map(|(at, is_local)| Cell::time(at, is_local, &mut self.time, self.spare.take()));
        let (provider, name) = (Arc::clone(row.provider), Arc::clone(row.name));
        cells.extend([
            time.unwrap_or(Cell::Absent),
            self.files.cell(&[row.file]),
            Cell::Shared(provider),
            Cell::Shared(name),
        ]);
        let data = row.data();
        let missing = self.data.saturating_sub(data.len());
        cells.extend(data.map(|text| Cell::parsed_in(text, &mut self.spare)));
        if let Some(extra) = row.extra {
            cells.extend(std::iter::repeat_n(Cell::Blank, missing));
            cells.push(Cell::Text(self.spare.text(extra)));
        }
    }

    /// Returns the lines of rows.
    pub(super) fn lines(&mut self, batch: &ReportBatch, lines: &RowLines) -> std::io::Result<Vec<u8>> {
        let mut made = lines.begin(2 * batch.bytes());
        let mut cells = Vec::new();
        for row in batch.rows() {
            if lines.are_text() {
                self.text.clear();
                if let Some((at, is_local)) = row.time {
                    self.time.push_of(&mut self.text, at, is_local);
                }
                let time = std::str::from_utf8(&self.text).unwrap_or_default();
                let file = self.files.name(row.file);
                let count = if row.extra.is_some() { BEFORE + self.data + 1 } else { BEFORE + row.data().len() };
                made.push_texts(count, |place| self.text_at(&row, time, file, place))?;
            } else {
                self.fill(&mut cells, &row);
                made.push(&cells)?;
            }
        }
        made.finish()
    }

    /// Returns what is shown at a place of a row: the text of the cell that [`Cells::fill`] makes.
    fn text_at<'t>(&self, row: &ReportRow<'t>, time: &'t str, file: Option<&'t str>, place: usize) -> TextCell<'t> {
        match place {
            0 if row.time.is_none() => TextCell::Absent,
            0 => TextCell::Text(time),
            1 => file.map_or(TextCell::Absent, TextCell::Text),
            2 => TextCell::Text(row.provider),
            3 => TextCell::Text(row.name),
            _ if place < BEFORE + self.data => row.data_at(place - BEFORE).map_or(TextCell::Blank, TextCell::Text),
            _ => row.extra.map_or(TextCell::Blank, TextCell::Text),
        }
    }
}
