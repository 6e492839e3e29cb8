//! The values of a column without their levels.

use etwkit_columns::Array;
use parquet::basic::Encoding;
use parquet::errors::Result;
use parquet::file::statistics::Statistics;

use crate::chunk::Chunk;
use crate::coded::Coded;
use crate::coded_column::CodedValues;
use crate::numbers::Numbers;

/// The values that are not null, and how they are written.
#[derive(Debug)]
pub(crate) enum Leaf {
    /// As a dictionary and codes.
    Coded(CodedValues),
    /// Integers as they are, or as differences.
    Numbers(Numbers),
}

impl Leaf {
    /// Returns the values of arrays as codes, or if too many are different and they are integers, as they are.
    pub(crate) fn new(arrays: &[&Array]) -> Option<Self> {
        let coded = Coded::new(arrays).map(|coded| Self::Coded(CodedValues::new(coded)));
        coded.or_else(|| Numbers::new(arrays, false).map(Self::Numbers))
    }

    /// Returns integers that grow, as their differences.
    pub(crate) fn growing(arrays: &[&Array]) -> Option<Self> {
        Numbers::new(arrays, true).map(Self::Numbers)
    }

    /// Writes what comes before all pages.
    pub(crate) fn begin(&self, chunk: &mut Chunk<'_>) -> Result<()> {
        match self {
            Self::Coded(coded) => coded.begin(chunk),
            Self::Numbers(_) => Ok(()),
        }
    }

    pub(crate) const fn encoding(&self) -> Encoding {
        match self {
            Self::Coded(_) => Encoding::RLE_DICTIONARY,
            Self::Numbers(numbers) => numbers.encoding(),
        }
    }

    /// Appends values to a page; returns the least and the greatest one, as the index of pages has them.
    pub(crate) fn push(&mut self, body: &mut Vec<u8>, range: std::ops::Range<usize>) -> Option<(Vec<u8>, Vec<u8>)> {
        match self {
            Self::Coded(coded) => coded.push(body, range),
            Self::Numbers(numbers) => numbers.push(body, range),
        }
    }

    pub(crate) fn statistics(&self, nulls: u64) -> Statistics {
        match self {
            Self::Coded(coded) => coded.statistics(nulls),
            Self::Numbers(numbers) => numbers.statistics(nulls),
        }
    }
}
