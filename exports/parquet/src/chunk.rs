//! A column of a row group, written page by page.
#![expect(clippy::cast_possible_wrap, reason = "a row group is far below 2 GiB")]

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, PageType, Type, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

/// The level of Zstandard.
pub(crate) const LEVEL: i32 = 1;

/// A chunk that is being written.
pub(crate) struct Chunk<'c> {
    descr: ColumnDescPtr,
    compressor: &'c mut Compressor<'static>,
    out: TrackedWrite<Vec<u8>>,
    index: ColumnIndexBuilder,
    offsets: OffsetIndexBuilder,
    rows: u64,
    values: u64,
    uncompressed: usize,
    dictionary: Option<u64>,
    data: Option<u64>,
    pages: i32,
    encoding: Encoding,
}

/// A page of values.
pub(crate) struct DataPage<'p> {
    pub(crate) rows: usize,
    /// Values, nulls and empty lists included.
    pub(crate) values: usize,
    pub(crate) nulls: usize,
    pub(crate) encoding: Encoding,
    /// Levels and values.
    pub(crate) body: &'p [u8],
    /// The least and the greatest value, as the index of pages has them; `None` if all are null.
    pub(crate) bounds: Option<(Vec<u8>, Vec<u8>)>,
}

impl<'c> Chunk<'c> {
    pub(crate) fn new(descr: ColumnDescPtr, compressor: &'c mut Compressor<'static>) -> Self {
        let physical: Type = descr.physical_type();
        Self {
            descr,
            compressor,
            out: TrackedWrite::new(Vec::new()),
            index: ColumnIndexBuilder::new(physical),
            offsets: OffsetIndexBuilder::new(),
            rows: 0,
            values: 0,
            uncompressed: 0,
            dictionary: None,
            data: None,
            pages: 0,
            encoding: Encoding::PLAIN,
        }
    }

    /// Writes the dictionary, before all pages.
    pub(crate) fn dictionary(&mut self, values: &[u8], count: usize) -> Result<()> {
        let buf = self.compressed(values)?;
        let page = Page::DictionaryPage { buf, num_values: count as u32, encoding: Encoding::PLAIN, is_sorted: false };
        let (offset, _) = self.write(page, values.len())?;
        self.dictionary = Some(offset);
        Ok(())
    }

    /// Writes a page.
    pub(crate) fn page(&mut self, page: DataPage<'_>) -> Result<()> {
        let DataPage { rows, values, nulls, encoding, body, bounds } = page;
        let buf = self.compressed(body)?;
        let levels = Encoding::RLE;
        let data = Page::DataPage {
            buf,
            num_values: values as u32,
            encoding,
            def_level_encoding: levels,
            rep_level_encoding: levels,
            statistics: None,
        };
        let (offset, bytes) = self.write(data, body.len())?;
        let (least, greatest) = bounds.unwrap_or_default();
        self.index.append(nulls == values, least, greatest, nulls as i64);
        self.offsets.append_row_count(rows as i64);
        self.offsets.append_offset_and_size(offset as i64, bytes as i32);
        self.data.get_or_insert(offset);
        self.rows += rows as u64;
        self.values += values as u64;
        self.pages += 1;
        self.encoding = encoding;
        Ok(())
    }

    /// Ends the chunk: its bytes, and what the file states about them.
    pub(crate) fn close(self, statistics: Statistics) -> Result<(Bytes, ColumnCloseResult)> {
        let bytes = Bytes::from(self.out.into_inner()?);
        let mut stats =
            vec![PageEncodingStats { page_type: PageType::DATA_PAGE, encoding: self.encoding, count: self.pages }];
        if self.dictionary.is_some() {
            let (page_type, encoding) = (PageType::DICTIONARY_PAGE, Encoding::PLAIN);
            stats.insert(0, PageEncodingStats { page_type, encoding, count: 1 });
        }
        let metadata = ColumnChunkMetaData::builder(self.descr)
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, self.encoding])
            .set_page_encoding_stats(stats)
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(self.uncompressed as i64)
            .set_num_values(self.values.cast_signed())
            .set_data_page_offset(self.data.unwrap_or(0).cast_signed())
            .set_dictionary_page_offset(self.dictionary.map(u64::cast_signed))
            .set_statistics(statistics)
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: self.rows,
            metadata,
            bloom_filter: None,
            column_index: Some(self.index.build()?),
            offset_index: Some(self.offsets.build()),
        };
        Ok((bytes, close))
    }

    fn compressed(&mut self, bytes: &[u8]) -> Result<Bytes> {
        Ok(self.compressor.compress(bytes)?.into())
    }

    /// Writes a page; returns where it begins, and its bytes with the header.
    fn write(&mut self, page: Page, uncompressed: usize) -> Result<(u64, usize)> {
        let written = SerializedPageWriter::new(&mut self.out).write_page(CompressedPage::new(page, uncompressed))?;
        self.uncompressed += written.uncompressed_size;
        Ok((written.offset, written.compressed_size))
    }
}
