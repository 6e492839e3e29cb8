//! Columns with one value per row.

use parquet::basic::Encoding;
use parquet::errors::Result;
use parquet::file::statistics::Statistics;

use crate::chunk::{Chunk, DataPage};
use crate::leaf::Leaf;
use crate::presence::Presence;
use crate::properties::PAGE_ROWS;

/// Writes all pages; returns the statistics of all values.
pub(crate) fn write(chunk: &mut Chunk<'_>, presence: &Presence, mut leaf: Leaf) -> Result<Statistics> {
    let Presence { rows, nulls, .. } = *presence;
    // A dictionary of nothing has no place in the file.
    if nulls < rows {
        leaf.begin(chunk)?;
    }
    let encoding = if nulls < rows { leaf.encoding() } else { Encoding::PLAIN };
    let (mut body, mut at) = (Vec::new(), 0);
    for start in (0..rows).step_by(PAGE_ROWS) {
        let rows = start..rows.min(start + PAGE_ROWS);
        let len = rows.len();
        body.clear();
        let there = presence.push_levels(&mut body, rows);
        let bounds = if nulls < presence.rows { leaf.push(&mut body, at..at + there) } else { None };
        at += there;
        chunk.page(DataPage { rows: len, values: len, nulls: len - there, encoding, body: &body, bounds })?;
    }
    Ok(leaf.statistics(nulls as u64))
}
