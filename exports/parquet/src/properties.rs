//! How files are written.

use etwkit_columns::{Column, DataType};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::chunk::LEVEL;

/// Rows of a page: what a reader skips at once if its statistics show that none is wanted.
/// A multiple of eight.
pub(crate) const PAGE_ROWS: usize = 20_000;

/// Properties of rows that the writer cannot know.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Texts by key for the file's metadata: what session it is, what was lost.
    pub metadata: Vec<(String, String)>,
}

impl Options {
    /// Sets [`Options::metadata`](field@Options::metadata).
    #[must_use]
    pub fn metadata(mut self, metadata: impl IntoIterator<Item = (String, String)>) -> Self {
        self.metadata = metadata.into_iter().collect();
        self
    }
}

/// Columns whose values grow, or nearly so: their differences take fewer bits than they do.
const GROWING: [&str; 3] = ["time_100ns", "raw_time", "offset"];

pub(crate) fn properties(columns: &[Column], options: Options) -> Result<WriterProperties> {
    let metadata = options.metadata.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("etwkit ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
        // With the indexes of pages, which readers skip them by.
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_offset_index_disabled(false)
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_key_value_metadata(Some(metadata));
    for column in columns.iter().filter(|column| is_growing(column)) {
        let path = ColumnPath::from(column.name.as_str());
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    // No order is declared: rows come by time, but times of damaged events may not be dates, and are then null.
    Ok(properties.build())
}

pub(crate) fn is_growing(column: &Column) -> bool {
    let is_integer = matches!(column.data_type, DataType::Signed(64) | DataType::Unsigned(64));
    column.data_type == DataType::Time || is_integer && GROWING.contains(&column.name.as_str())
}

/// Returns whether the texts of a column are nearly all different.
pub(crate) fn is_unique(column: &Column) -> bool {
    column.data_type == DataType::Text && column.name == "fields"
}
