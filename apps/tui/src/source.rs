//! A trace and the list of events that is shown.

use etwkit::query::Expression;
use etwkit::select::SyntaxError;
use etwkit::trace::TracePart;
use etwkit::{FileTime, Filter, Trace};
use etwkit_browse::{Detail, EventList, ExportFormat, RowWriter};

use crate::limits::MAX_KEPT_ROWS;
use crate::list_row::ListRow;

/// A trace, its parts, and the events that pass the filter of the moment.
#[derive(Debug)]
pub(crate) struct Source<'t> {
    pub(crate) trace: &'t Trace,
    parts: Vec<TracePart>,
    pub(crate) list: EventList,
    /// Rows that were decoded last, one after the other.
    kept: Vec<ListRow>,
}

impl<'t> Source<'t> {
    pub(crate) fn new(trace: &'t Trace) -> Self {
        let list = EventList::new(trace, trace.prepare(&Filter::default()));
        Self { trace, parts: etwkit_browse::parts(trace), list, kept: Vec::new() }
    }

    /// Begins the list of what passes an expression; an empty text means no filter.
    pub(crate) fn filter(&mut self, text: &str) -> Result<(), SyntaxError> {
        let mut filter = Filter::default();
        if !text.trim().is_empty() {
            filter = filter.expression(text.parse::<Expression>()?.with_rfc3339_times());
        }
        self.list = EventList::new(self.trace, self.trace.prepare(&filter));
        self.kept.clear();
        Ok(())
    }

    /// Reads on in the list.
    pub(crate) fn step(&mut self) -> etwkit::Result<()> {
        self.list.step(self.trace, &self.parts)
    }

    /// Whether all of the trace was read for the list.
    pub(crate) fn is_read(&self) -> bool {
        self.list.parts_read() >= self.parts.len()
    }

    /// How much of the trace was read for the list, in percent.
    pub(crate) fn percent(&self) -> usize {
        self.list.parts_read() * 100 / self.parts.len().max(1)
    }

    pub(crate) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Returns rows of the list; fewer at its end. Those around are decoded with them, for the next keys.
    pub(crate) fn rows(&mut self, from: u64, count: usize) -> etwkit::Result<&[ListRow]> {
        let count = count.min(MAX_KEPT_ROWS / 3);
        let until = self.list.len().min(from + count as u64);
        let has_all = self.place(from).is_some() && (until == from || self.place(until - 1).is_some());
        if !has_all {
            self.keep(from.saturating_sub(count as u64), 3 * count)?;
        }
        let begin = self.place(from).unwrap_or(self.kept.len());
        let end = self.kept.len().min(begin + count);
        Ok(self.kept.get(begin..end).unwrap_or_default())
    }

    /// Returns one row.
    pub(crate) fn row(&mut self, number: u64) -> etwkit::Result<Option<ListRow>> {
        if self.place(number).is_none() {
            return Ok(self.rows(number, 1)?.first().cloned());
        }
        Ok(self.place(number).and_then(|place| self.kept.get(place)).cloned())
    }

    fn place(&self, number: u64) -> Option<usize> {
        let place = usize::try_from(number.checked_sub(self.kept.first()?.number)?).ok()?;
        (place < self.kept.len()).then_some(place)
    }

    fn keep(&mut self, from: u64, count: usize) -> etwkit::Result<()> {
        let (mut writer, mut rows) = (RowWriter::new(self.trace), Vec::new());
        self.list.read(self.trace, &self.parts, from, |number, event| {
            let at = event.time();
            rows.extend(writer.row(number, event)?.map(|row| ListRow::new(number, at, &row.event)));
            Ok(rows.len() < count)
        })?;
        self.kept = rows;
        Ok(())
    }

    /// Returns all of one event.
    pub(crate) fn detail(&self, number: u64) -> etwkit::Result<Option<Detail>> {
        let (mut writer, mut found) = (RowWriter::new(self.trace), None);
        self.list.read(self.trace, &self.parts, number, |_, event| {
            found = Detail::of(event, &mut writer)?;
            Ok(false)
        })?;
        Ok(found)
    }

    /// Returns the number of the first event at a time or after it, among those that were found.
    pub(crate) fn at(&self, time: FileTime) -> etwkit::Result<u64> {
        self.list.at(self.trace, &self.parts, time)
    }

    /// Returns the events of a part as JSON lines; `None` after the last one.
    pub(crate) fn lines(&self, part: usize) -> etwkit::Result<Option<Vec<u8>>> {
        etwkit_browse::export_part(self.trace, &self.parts, &self.list, ExportFormat::Jsonl, part)
    }

    /// Hands the JSON line of each event of a part to `each`, with its number.
    pub(crate) fn each_line(&self, part: usize, mut each: impl FnMut(u64, &str)) -> etwkit::Result<()> {
        let Some(mut events) = self.list.part(self.trace, &self.parts, part) else { return Ok(()) };
        let (mut writer, mut number) = (RowWriter::new(self.trace), self.list.begin_of(part));
        while let Some(event) = events.next()? {
            if let Some(row) = writer.row(number, &event)? {
                each(number, row.event.get());
            }
            number += 1;
        }
        Ok(())
    }
}
