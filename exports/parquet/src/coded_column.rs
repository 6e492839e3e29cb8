//! Values that are written as a dictionary and codes.

use parquet::errors::Result;
use parquet::file::statistics::{Statistics, ValueStatistics};

use crate::bounds::{greatest, least};
use crate::chunk::Chunk;
use crate::coded::{Coded, Entries};
use crate::hybrid::push_codes;
use crate::same::all_are;

/// Values, and what is known of their order.
#[derive(Debug)]
pub(crate) struct CodedValues {
    coded: Coded,
    /// The places of the values, by code, if they were sorted.
    ranks: Vec<u32>,
    /// Bits of a code.
    width: u32,
    /// The ends of what was written.
    all: Option<Span>,
    /// Whether a page has a code, for one page.
    seen: Vec<bool>,
}

/// The codes of the least and the greatest of some values.
#[derive(Clone, Copy, Debug)]
struct Span {
    least: u32,
    greatest: u32,
}

impl CodedValues {
    pub(crate) fn new(coded: Coded) -> Self {
        let count = coded.entries.len();
        let width = (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1);
        Self { ranks: coded.entries.ranks(), width, all: None, seen: vec![false; count], coded }
    }

    /// Writes the dictionary.
    pub(crate) fn begin(&self, chunk: &mut Chunk<'_>) -> Result<()> {
        chunk.dictionary(&self.coded.entries.plain(), self.coded.entries.len())
    }

    /// Appends values to a page; returns the least and the greatest one.
    pub(crate) fn push(&mut self, body: &mut Vec<u8>, range: std::ops::Range<usize>) -> Option<(Vec<u8>, Vec<u8>)> {
        let Self { coded: Coded { codes, entries }, ranks, width, all, seen } = self;
        let codes = codes.get(range).unwrap_or_default();
        body.push(*width as u8);
        push_codes(body, codes, *width);
        codes.chunks(64).for_each(|some| mark(seen, some));
        let span = taken(seen, ranks)?;
        *all = Some(all.map_or(span, |all| all.joined(span, ranks)));
        Some((least(&entries.value(span.least)), greatest(&entries.value(span.greatest))))
    }

    pub(crate) fn statistics(&self, nulls: u64) -> Statistics {
        self.coded.entries.statistics(self.all, nulls)
    }
}

/// Keeps which codes are among some.
#[inline]
fn mark(seen: &mut [bool], codes: &[u32]) {
    let first = codes.first().copied().unwrap_or(0);
    let different = if all_are(codes, first) { codes.get(..1).unwrap_or_default() } else { codes };
    for code in different {
        if let Some(slot) = seen.get_mut(*code as usize) {
            *slot = true;
        }
    }
}

/// Returns the ends of the codes that a page has, which are forgotten.
fn taken(seen: &mut [bool], ranks: &[u32]) -> Option<Span> {
    let mut span: Option<(Span, u32, u32)> = None;
    for ((code, seen), rank) in (0..).zip(seen).zip(ranks) {
        if !std::mem::take(seen) {
            continue;
        }
        let (found, low, high) = span.get_or_insert((Span { least: code, greatest: code }, *rank, *rank));
        if rank < low {
            (*low, found.least) = (*rank, code);
        }
        if rank > high {
            (*high, found.greatest) = (*rank, code);
        }
    }
    span.map(|(span, ..)| span)
}

impl Span {
    fn joined(self, other: Self, ranks: &[u32]) -> Self {
        let rank = |code: u32| ranks.get(code as usize).copied().unwrap_or(0);
        Self {
            least: if rank(other.least) < rank(self.least) { other.least } else { self.least },
            greatest: if rank(other.greatest) > rank(self.greatest) { other.greatest } else { self.greatest },
        }
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
            Self::Text(texts) => order.sort_by_key(|code| texts.get(*code)),
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
                for text in (0..texts.len() as u32).map(|code| texts.get(code)) {
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
            Self::Text(texts) => Some(texts.get(code).to_vec()),
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
                let text = |place: Option<usize>| place.map(|code| texts.get(code as u32));
                crate::bounds::statistics(text(low), text(high), nulls)
            }
        }
    }
}
