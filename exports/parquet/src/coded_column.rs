//! Columns that are written as a dictionary and codes.

use parquet::basic::Encoding;
use parquet::errors::Result;
use parquet::file::statistics::{Statistics, ValueStatistics};

use crate::bounds::{greatest, least};
use crate::chunk::{Chunk, DataPage};
use crate::coded::{Coded, Entries, NULL};
use crate::hybrid::{push_codes, push_levels};
use crate::properties::PAGE_ROWS;

/// Writes the dictionary and the pages; returns what there is to say of all values.
pub(crate) fn write(chunk: &mut Chunk<'_>, column: &Coded) -> Result<Statistics> {
    let Coded { codes, entries } = column;
    let count = entries.len();
    let ranks = entries.ranks();
    chunk.dictionary(&entries.plain(), count)?;
    let width = (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1);
    let (mut all, mut nulls) = (None, 0);
    let (mut body, mut there) = (Vec::new(), Vec::new());
    for rows in codes.chunks(PAGE_ROWS) {
        there.clear();
        there.extend(rows.iter().copied().filter(|code| *code != NULL));
        let without = rows.len() - there.len();
        body.clear();
        body.extend_from_slice(&[0; 4]);
        push_levels(&mut body, rows.iter().map(|code| *code != NULL), without);
        let levels = (body.len() - 4) as u32;
        body.iter_mut().zip(levels.to_le_bytes()).for_each(|(slot, byte)| *slot = byte);
        body.push(width as u8);
        push_codes(&mut body, &there, width);
        let span = Span::of(&there, &ranks);
        let bounds = span.map(|span| (least(&entries.value(span.least)), greatest(&entries.value(span.greatest))));
        let encoding = Encoding::RLE_DICTIONARY;
        chunk.page(DataPage { rows: rows.len(), nulls: without, encoding, body: &body, bounds })?;
        nulls += without;
        all = Span::joined(all, span, &ranks);
    }
    Ok(entries.statistics(all, nulls as u64))
}

/// The codes of the least and the greatest of some values.
#[derive(Clone, Copy, Debug)]
struct Span {
    least: u32,
    greatest: u32,
}

impl Span {
    /// `None` of nothing.
    fn of(codes: &[u32], ranks: &[u32]) -> Option<Self> {
        let rank = |code: u32| ranks.get(code as usize).copied().unwrap_or(0);
        let first = *codes.first()?;
        let (mut span, mut low, mut high) = (Self { least: first, greatest: first }, rank(first), rank(first));
        for code in codes {
            let rank = rank(*code);
            if rank < low {
                (low, span.least) = (rank, *code);
            }
            if rank > high {
                (high, span.greatest) = (rank, *code);
            }
        }
        Some(span)
    }

    fn joined(one: Option<Self>, other: Option<Self>, ranks: &[u32]) -> Option<Self> {
        let (Some(one), Some(other)) = (one, other) else { return one.or(other) };
        Self::of(&[one.least, one.greatest, other.least, other.greatest], ranks)
    }
}

impl Entries {
    fn len(&self) -> usize {
        match self {
            Self::Int32 { values, .. } => values.len(),
            Self::Int64 { values, .. } => values.len(),
            Self::Text(texts) => texts.len(),
        }
    }

    /// Returns the places of the values, by code, if they were sorted.
    fn ranks(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        match self {
            Self::Int32 { values, is_unsigned } => order.sort_by_key(|code| {
                let value = values.get(*code as usize).copied().unwrap_or(0);
                if *is_unsigned { i64::from(value.cast_unsigned()) } else { i64::from(value) }
            }),
            Self::Int64 { values, is_unsigned } => order.sort_by_key(|code| {
                let value = values.get(*code as usize).copied().unwrap_or(0);
                if *is_unsigned { value ^ i64::MIN } else { value }
            }),
            Self::Text(texts) => order.sort_by_key(|code| texts.get(*code as usize)),
        }
        let mut ranks = vec![0; order.len()];
        for (rank, code) in (0..).zip(order) {
            if let Some(slot) = ranks.get_mut(code as usize) {
                *slot = rank;
            }
        }
        ranks
    }

    /// Returns all values in the encoding PLAIN.
    fn plain(&self) -> Vec<u8> {
        match self {
            Self::Int32 { values, .. } => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::Int64 { values, .. } => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::Text(texts) => {
                let mut plain = Vec::new();
                for text in texts {
                    plain.extend_from_slice(&(text.len() as u32).to_le_bytes());
                    plain.extend_from_slice(text);
                }
                plain
            }
        }
    }

    /// Returns a value as the index of pages has it.
    fn value(&self, code: u32) -> Vec<u8> {
        let place = code as usize;
        match self {
            Self::Int32 { values, .. } => values.get(place).map(|value| value.to_le_bytes().to_vec()),
            Self::Int64 { values, .. } => values.get(place).map(|value| value.to_le_bytes().to_vec()),
            Self::Text(texts) => texts.get(place).cloned(),
        }
        .unwrap_or_default()
    }

    fn statistics(&self, span: Option<Span>, nulls: u64) -> Statistics {
        let place = |of: fn(Span) -> u32| span.map(|span| of(span) as usize);
        let (low, high) = (place(|span| span.least), place(|span| span.greatest));
        let nulls = Some(nulls);
        match self {
            Self::Int32 { values, is_unsigned } => {
                let value = |place: Option<usize>| values.get(place?).copied();
                ValueStatistics::new(value(low), value(high), None, nulls, false)
                    .with_backwards_compatible_min_max(!is_unsigned)
                    .into()
            }
            Self::Int64 { values, is_unsigned } => {
                let value = |place: Option<usize>| values.get(place?).copied();
                ValueStatistics::new(value(low), value(high), None, nulls, false)
                    .with_backwards_compatible_min_max(!is_unsigned)
                    .into()
            }
            Self::Text(texts) => {
                let text = |place: Option<usize>| texts.get(place?).map(Vec::as_slice);
                crate::bounds::statistics(text(low), text(high), nulls)
            }
        }
    }
}
