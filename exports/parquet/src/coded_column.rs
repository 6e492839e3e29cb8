//! Values that are written as a dictionary and codes.

use parquet::errors::Result;
use parquet::file::statistics::{Statistics, ValueStatistics};

use crate::bounds::{greatest, least};
use crate::chunk::Chunk;
use crate::coded::{Coded, Entries};
use crate::codes::SomeCodes;
use crate::hybrid::{push_codes, push_run};
use crate::same::all_are;

/// Values, and what is known of their order.
#[derive(Debug)]
pub(crate) struct CodedValues {
    coded: Coded,
    /// The places of the values, by code, if they were sorted; empty unless there are many pages.
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
        Self { ranks: Vec::new(), width, all: None, seen: Vec::new(), coded }
    }

    /// Writes the dictionary.
    pub(crate) fn begin(&self, chunk: &mut Chunk<'_>) -> Result<()> {
        chunk.dictionary(&self.coded.entries.plain(), self.coded.entries.len())
    }

    /// Appends values to a page; returns the least and the greatest one.
    pub(crate) fn push(&mut self, body: &mut Vec<u8>, range: std::ops::Range<usize>) -> Option<(Vec<u8>, Vec<u8>)> {
        let Self { coded: Coded { codes, entries }, ranks, width, all, seen } = self;
        let pages = codes.len().div_ceil(range.len().max(1));
        let codes = codes.get(range);
        body.push(*width as u8);
        match codes {
            SomeCodes::Zeros(len) => push_run(body, len, 0, *width),
            SomeCodes::List(codes) => push_codes(body, codes, *width),
        }
        let span = if pages == 1 {
            entries.span(|_| true)?
        } else if let SomeCodes::List(codes) = codes {
            if seen.is_empty() {
                seen.resize(entries.len(), false);
                // To compare values for each page takes less than to sort them, if there are few pages.
                if 2 * pages > entries.len().checked_ilog2().unwrap_or(0) as usize {
                    *ranks = entries.ranks();
                }
            }
            codes.chunks(64).for_each(|some| mark(seen, some));
            let span =
                if ranks.is_empty() { entries.span(|place| is_seen(seen, place)) } else { by_ranks(seen, ranks) };
            seen.fill(false);
            span?
        } else {
            Span { least: 0, greatest: 0 }
        };
        *all = Some(all.map_or(span, |all| all.joined(span, entries)));
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

#[inline]
fn is_seen(seen: &[bool], place: usize) -> bool {
    seen.get(place).copied().unwrap_or(false)
}

/// Returns the ends of the codes that a page has.
fn by_ranks(seen: &[bool], ranks: &[u32]) -> Option<Span> {
    span_by((0..).zip(ranks).filter(|(code, _)| is_seen(seen, *code as usize)))
}

/// Returns the ends of different values, given with their codes.
fn span_by<T: Ord + Copy>(mut values: impl Iterator<Item = (u32, T)>) -> Option<Span> {
    let first = values.next()?;
    let (mut low, mut high) = (first, first);
    for (code, value) in values {
        if value < low.1 {
            low = (code, value);
        } else if value > high.1 {
            high = (code, value);
        }
    }
    Some(Span { least: low.0, greatest: high.0 })
}

impl Span {
    fn joined(self, other: Self, entries: &Entries) -> Self {
        Self {
            least: if entries.is_less(other.least, self.least) { other.least } else { self.least },
            greatest: if entries.is_less(self.greatest, other.greatest) { other.greatest } else { self.greatest },
        }
    }
}

/// Returns what is compared for a text: its first bytes, which mostly decide, as a number.
#[inline]
fn key(text: &[u8]) -> (u64, &[u8]) {
    let first = text.first_chunk().copied().unwrap_or_else(|| {
        let mut first = [0; 8];
        first.iter_mut().zip(text).for_each(|(slot, byte)| *slot = *byte);
        first
    });
    (u64::from_be_bytes(first), text)
}

impl Entries {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Int32 { values, .. } => values.len(),
            Self::Int64 { values, .. } => values.len(),
            Self::Text(texts) => texts.len(),
        }
    }

    /// Returns the ends of those values whose places are `among` some.
    fn span(&self, among: impl Fn(usize) -> bool) -> Option<Span> {
        fn chosen<T>(all: impl Iterator<Item = T>, among: impl Fn(usize) -> bool) -> impl Iterator<Item = (u32, T)> {
            (0..).zip(all).filter(move |(code, _)| among(*code as usize))
        }
        match self {
            Self::Int32 { values, is_unsigned: false } => span_by(chosen(values.iter(), among)),
            Self::Int32 { values, .. } => span_by(chosen(values.iter().map(|value| value.cast_unsigned()), among)),
            Self::Int64 { values, is_unsigned: false } => span_by(chosen(values.iter(), among)),
            Self::Int64 { values, .. } => span_by(chosen(values.iter().map(|value| value.cast_unsigned()), among)),
            Self::Text(texts) => span_by(chosen((0..texts.len() as u32).map(|code| key(texts.get(code))), among)),
        }
    }

    /// Returns whether the value of a code is below that of another one.
    fn is_less(&self, one: u32, other: u32) -> bool {
        let (place, than) = (one as usize, other as usize);
        match self {
            Self::Int32 { values, is_unsigned } => {
                let key = |value: i32| if *is_unsigned { value ^ i32::MIN } else { value };
                values.get(place).map(|value| key(*value)) < values.get(than).map(|value| key(*value))
            }
            Self::Int64 { values, is_unsigned } => {
                let key = |value: i64| if *is_unsigned { value ^ i64::MIN } else { value };
                values.get(place).map(|value| key(*value)) < values.get(than).map(|value| key(*value))
            }
            Self::Text(texts) => texts.get(one) < texts.get(other),
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
            Self::Text(texts) => order.sort_by_key(|code| key(texts.get(*code))),
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
