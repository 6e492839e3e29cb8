//! Columns of texts that are nearly all different: written as they are.

use etwkit_columns::{Array, Values};
use parquet::basic::Encoding;
use parquet::errors::{ParquetError, Result};
use parquet::file::statistics::Statistics;

use crate::bounds::{greatest, least, statistics};
use crate::chunk::{Chunk, DataPage};
use crate::hybrid::push_levels;
use crate::properties::PAGE_ROWS;

/// Bytes of a page.
const PAGE: usize = 1 << 20;

/// Writes the pages; returns what there is to say of all values.
pub(crate) fn write(chunk: &mut Chunk<'_>, arrays: &[&Array]) -> Result<Statistics> {
    let mut page = TextPage::default();
    let mut all = Bounds::default();
    for array in arrays {
        let Values::Text { ends, bytes } = array.values() else {
            return Err(ParquetError::General("an array of another type than its column".to_owned()));
        };
        for (row, ends) in ends.windows(2).enumerate() {
            let &[start, end] = ends else { continue };
            let text = array.validity().is_valid(row).then(|| bytes.get(start as usize..end as usize)).flatten();
            page.push(text);
            if page.is_there.len() >= PAGE_ROWS || page.values.len() >= PAGE {
                page.write(chunk, &mut all)?;
            }
        }
    }
    page.write(chunk, &mut all)?;
    Ok(statistics(all.low.as_deref(), all.high.as_deref(), Some(all.nulls)))
}

/// The least and the greatest of some texts.
#[derive(Debug, Default)]
struct Bounds {
    low: Option<Vec<u8>>,
    high: Option<Vec<u8>>,
    nulls: u64,
}

/// A page that is being filled.
#[derive(Debug, Default)]
struct TextPage {
    is_there: Vec<bool>,
    nulls: usize,
    /// Each text after its length.
    values: Vec<u8>,
    /// Where the least and the greatest text are.
    low: Option<(usize, usize)>,
    high: Option<(usize, usize)>,
    body: Vec<u8>,
}

impl TextPage {
    #[inline]
    fn push(&mut self, text: Option<&[u8]>) {
        self.is_there.push(text.is_some());
        let Some(text) = text else {
            self.nulls += 1;
            return;
        };
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

    fn write(&mut self, chunk: &mut Chunk<'_>, all: &mut Bounds) -> Result<()> {
        let rows = self.is_there.len();
        if rows == 0 {
            return Ok(());
        }
        self.body.clear();
        self.body.extend_from_slice(&[0; 4]);
        push_levels(&mut self.body, self.is_there.iter().copied(), self.nulls);
        let levels = (self.body.len() - 4) as u32;
        self.body.iter_mut().zip(levels.to_le_bytes()).for_each(|(slot, byte)| *slot = byte);
        self.body.extend_from_slice(&self.values);
        let (low, high) = (self.text(self.low), self.text(self.high));
        let bounds = low.zip(high).map(|(low, high)| (least(low), greatest(high)));
        chunk.page(DataPage { rows, nulls: self.nulls, encoding: Encoding::PLAIN, body: &self.body, bounds })?;
        if let Some((low, high)) = low.zip(high) {
            if all.low.as_deref().is_none_or(|known| low < known) {
                all.low = Some(low.to_vec());
            }
            if all.high.as_deref().is_none_or(|known| high > known) {
                all.high = Some(high.to_vec());
            }
        }
        all.nulls += self.nulls as u64;
        self.is_there.clear();
        self.values.clear();
        (self.nulls, self.low, self.high) = (0, None, None);
        Ok(())
    }
}
