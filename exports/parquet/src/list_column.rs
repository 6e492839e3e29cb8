//! Columns of lists of integers.

use etwkit_columns::{Array, Values};
use parquet::basic::Encoding;
use parquet::errors::Result;
use parquet::file::statistics::Statistics;

use crate::chunk::{Chunk, DataPage};
use crate::hybrid::{push_codes, push_packed_levels, push_run};
use crate::leaf::Leaf;
use crate::presence::set_len;
use crate::properties::PAGE_ROWS;

/// Items of a page, about: a row is never divided.
const PAGE_ITEMS: usize = 1 << 16;

/// Levels of definition: of a list that is null, of an empty one, and of an item. Items are not null here.
const NULL: u32 = 0;
const EMPTY: u32 = 1;
const ITEM: u32 = 3;

/// Returns the items of lists; `None` if they are not integers, or if one is null.
pub(crate) fn items<'a>(arrays: &[&'a Array]) -> Option<Vec<&'a Array>> {
    let of = |array: &&'a Array| match array.values() {
        Values::List { items, .. } if items.validity().nulls() == 0 => Some(&**items),
        _ => None,
    };
    arrays.iter().map(of).collect()
}

/// Writes all pages; returns the statistics of all items.
pub(crate) fn write(chunk: &mut Chunk<'_>, arrays: &[&Array], mut leaf: Leaf) -> Result<Statistics> {
    leaf.begin(chunk)?;
    let mut page = Page::default();
    for array in arrays {
        let Values::List { ends, .. } = array.values() else { continue };
        let has_nulls = array.validity().nulls() > 0;
        for (row, (start, end)) in ends.iter().zip(ends.iter().skip(1)).enumerate() {
            page.push((end - start) as usize, has_nulls && !array.validity().is_valid(row));
            if page.rows >= PAGE_ROWS || page.items >= PAGE_ITEMS {
                page.write(chunk, &mut leaf)?;
            }
        }
    }
    page.write(chunk, &mut leaf)?;
    Ok(leaf.statistics(page.nulls as u64))
}

/// The levels of a page that is being filled.
#[derive(Debug, Default)]
struct Page {
    rows: usize,
    items: usize,
    /// Levels of definition, once a row has no items; before, all are [`ITEM`].
    definition: Vec<u32>,
    /// Bits of levels of repetition: clear where a row begins.
    repetition: Vec<u8>,
    levels: usize,
    /// Items that were written.
    done: usize,
    /// Rows without items that were written, which count as nulls.
    nulls: usize,
    body: Vec<u8>,
}

impl Page {
    #[inline]
    fn push(&mut self, items: usize, is_null: bool) {
        self.rows += 1;
        let before = self.levels;
        self.levels += items.max(1);
        self.repetition.resize(self.levels.div_ceil(8), 0xFF);
        if let Some(byte) = self.repetition.get_mut(before / 8) {
            *byte &= !(1 << (before % 8));
        }
        if items == 0 {
            // Those so far have items.
            self.definition.resize(before, ITEM);
            self.definition.push(if is_null { NULL } else { EMPTY });
        } else if !self.definition.is_empty() {
            self.definition.resize(self.levels, ITEM);
        }
        self.items += items;
    }

    fn write(&mut self, chunk: &mut Chunk<'_>, leaf: &mut Leaf) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let Self { rows, items, definition, repetition, levels, done, nulls, body } = self;
        body.clear();
        body.extend_from_slice(&[0; 4]);
        if let Some(last) = repetition.last_mut().filter(|_| !levels.is_multiple_of(8)) {
            *last &= (1 << (*levels % 8)) - 1;
        }
        push_packed_levels(body, repetition);
        set_len(body, 0);
        let start = body.len();
        body.extend_from_slice(&[0; 4]);
        if definition.is_empty() {
            push_run(body, *levels, ITEM, 2);
        } else {
            push_codes(body, definition, 2);
        }
        set_len(body, start);
        let without = *levels - *items;
        let bounds = leaf.push(body, *done..*done + *items);
        let encoding: Encoding = leaf.encoding();
        chunk.page(DataPage { rows: *rows, values: *levels, nulls: without, encoding, body, bounds })?;
        *done += *items;
        *nulls += without;
        (*rows, *items, *levels) = (0, 0, 0);
        definition.clear();
        repetition.clear();
        Ok(())
    }
}
