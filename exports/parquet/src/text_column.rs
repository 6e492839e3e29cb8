//! Columns of texts that are nearly all different: written as they are.

use etwkit_columns::{Array, Values};
use parquet::basic::Encoding;
use parquet::errors::{ParquetError, Result};
use parquet::file::statistics::Statistics;

use crate::bounds::{greatest, least, statistics};
use crate::chunk::{Chunk, DataPage};
use crate::presence::Presence;
use crate::properties::PAGE_ROWS;
use crate::same::expanded;

/// Bytes of a page.
const PAGE: usize = 1 << 20;

/// Writes the pages; returns the statistics of all values.
pub(crate) fn write(chunk: &mut Chunk<'_>, presence: &Presence, arrays: &[&Array]) -> Result<Statistics> {
    let mut page = TextPage::default();
    let mut all = Bounds::default();
    for array in arrays {
        let array = expanded(array);
        let Values::Text { ends, bytes } = array.values() else {
            return Err(ParquetError::General("an array of another type than its column".to_owned()));
        };
        let has_nulls = array.validity().nulls() > 0;
        for (row, (start, end)) in ends.iter().zip(ends.iter().skip(1)).enumerate() {
            if !has_nulls || array.validity().is_valid(row) {
                page.push(bytes.get(*start as usize..*end as usize).unwrap_or_default());
            }
            page.rows += 1;
            // Levels are whole bytes.
            if page.rows.is_multiple_of(8) && (page.rows >= PAGE_ROWS || page.values.len() >= PAGE) {
                page.write(chunk, presence, &mut all)?;
            }
        }
    }
    page.write(chunk, presence, &mut all)?;
    Ok(statistics(all.low.as_deref(), all.high.as_deref(), Some(presence.nulls as u64)))
}

/// The least and the greatest of some texts.
#[derive(Debug, Default)]
struct Bounds {
    low: Option<Vec<u8>>,
    high: Option<Vec<u8>>,
}

/// A page that is being filled.
#[derive(Debug, Default)]
struct TextPage {
    first: usize,
    rows: usize,
    /// Each text after its length.
    values: Vec<u8>,
    /// Where the least and the greatest text are.
    low: Option<(usize, usize)>,
    high: Option<(usize, usize)>,
    body: Vec<u8>,
}

impl TextPage {
    #[inline]
    fn push(&mut self, text: &[u8]) {
        self.values.extend_from_slice(&(text.len() as u32).to_le_bytes());
        let start = self.values.len();
        self.values.extend_from_slice(text);
        let place = Some((start, self.values.len()));
        if self.text(self.low).is_none_or(|low| text < low) {
            self.low = place;
        }
        if self.text(self.high).is_none_or(|high| text > high) {
            self.high = place;
        }
    }

    fn text(&self, place: Option<(usize, usize)>) -> Option<&[u8]> {
        place.and_then(|(start, end)| self.values.get(start..end))
    }

    fn write(&mut self, chunk: &mut Chunk<'_>, presence: &Presence, all: &mut Bounds) -> Result<()> {
        let rows = self.rows;
        if rows == 0 {
            return Ok(());
        }
        self.body.clear();
        let there = presence.push_levels(&mut self.body, self.first..self.first + rows);
        self.body.extend_from_slice(&self.values);
        let (low, high) = (self.text(self.low), self.text(self.high));
        let bounds = low.zip(high).map(|(low, high)| (least(low), greatest(high)));
        let (nulls, encoding, body) = (rows - there, Encoding::PLAIN, self.body.as_slice());
        chunk.page(DataPage { rows, values: rows, nulls, encoding, body, bounds })?;
        if let Some((low, high)) = low.zip(high) {
            if all.low.as_deref().is_none_or(|known| low < known) {
                all.low = Some(low.to_vec());
            }
            if all.high.as_deref().is_none_or(|known| high > known) {
                all.high = Some(high.to_vec());
            }
        }
        self.values.clear();
        (self.first, self.rows) = (self.first + rows, 0);
        (self.low, self.high) = (None, None);
        Ok(())
    }
}
