//! The integers of a column as they are.

use etwkit_columns::{Array, DataType, Validity, Values};
use parquet::basic::Encoding;
use parquet::file::statistics::{Statistics, ValueStatistics};

use crate::delta::push_deltas;
use crate::same::{repeated, typical};
use crate::valid::valid;

/// The type of a column of integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) is_long: bool,
    pub(crate) is_unsigned: bool,
}

impl Kind {
    /// `None` if values are not integers.
    pub(crate) const fn of(values: &Values) -> Option<Self> {
        let (is_long, is_unsigned) = match values {
            Values::I8(_) | Values::I16(_) | Values::I32(_) => (false, false),
            Values::U8(_) | Values::U16(_) | Values::U32(_) => (false, true),
            Values::I64(_) | Values::Repeated { data_type: DataType::Time, .. } => (true, false),
            Values::U64(_) => (true, true),
            Values::Repeated { data_type: DataType::Signed(bits), .. } => (*bits == 64, false),
            Values::Repeated { data_type: DataType::Unsigned(bits), .. } => (*bits == 64, true),
            _ => return None,
        };
        Some(Self { is_long, is_unsigned })
    }

    /// Returns statistics of a least and a greatest value.
    fn statistics(self, bounds: Option<Span>, nulls: u64) -> Statistics {
        let Self { is_long, is_unsigned } = self;
        let (low, high) = (bounds.map(|bounds| bounds.least), bounds.map(|bounds| bounds.greatest));
        let is_signed = !is_unsigned;
        if is_long {
            let value = |bits: Option<u64>| bits.map(u64::cast_signed);
            let statistics = ValueStatistics::new(value(low), value(high), None, Some(nulls), false);
            return statistics.with_backwards_compatible_min_max(is_signed).into();
        }
        let value = |bits: Option<u64>| bits.map(|bits| bits as i32);
        let statistics = ValueStatistics::new(value(low), value(high), None, Some(nulls), false);
        statistics.with_backwards_compatible_min_max(is_signed).into()
    }

    /// Returns a value as the index of pages has it.
    fn bytes(self, bits: u64) -> Vec<u8> {
        if self.is_long { bits.to_le_bytes().to_vec() } else { (bits as u32).to_le_bytes().to_vec() }
    }
}

/// The bits of the least and the greatest value.
#[derive(Clone, Copy, Debug)]
struct Span {
    least: u64,
    greatest: u64,
}

/// Values that are not null.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// Their bits, signed ones with their sign in 64 bits.
    values: Vec<u64>,
    kind: Kind,
    encoding: Encoding,
    all: Option<Span>,
}

impl Numbers {
    /// Returns the values of arrays of one column; `None` if they are not integers, or of 32 bits where differences are
    /// wanted.
    pub(crate) fn new(arrays: &[&Array], is_growing: bool) -> Option<Self> {
        let kind = Kind::of(typical(arrays)?.values()).filter(|kind| kind.is_long || !is_growing)?;
        let mut values = Vec::with_capacity(arrays.iter().map(|array| array.len()).sum());
        for array in arrays {
            match repeated(array) {
                Some((bits, rows)) => values.extend(std::iter::repeat_n(bits, rows)),
                None => push_bits(array.values(), array.validity(), &mut values)?,
            }
        }
        let encoding = if is_growing { Encoding::DELTA_BINARY_PACKED } else { Encoding::PLAIN };
        Some(Self { values, kind, encoding, all: None })
    }

    pub(crate) const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Appends values to a page, and returns the least and the greatest one.
    pub(crate) fn push(&mut self, body: &mut Vec<u8>, range: std::ops::Range<usize>) -> Option<(Vec<u8>, Vec<u8>)> {
        let values = self.values.get(range).unwrap_or_default();
        match self.encoding {
            Encoding::DELTA_BINARY_PACKED => push_deltas(body, values),
            _ if self.kind.is_long => push_plain(body, values, u64::to_le_bytes),
            _ => push_plain(body, values, |bits| (bits as u32).to_le_bytes()),
        }
        let span = span(values, self.kind)?;
        self.all = span_of(self.all.map_or([span; 2], |all| [all, span]), self.kind);
        Some((self.kind.bytes(span.least), self.kind.bytes(span.greatest)))
    }

    pub(crate) fn statistics(&self, nulls: u64) -> Statistics {
        self.kind.statistics(self.all, nulls)
    }
}

/// Appends values of so many bytes each.
fn push_plain<const N: usize>(body: &mut Vec<u8>, values: &[u64], bytes: impl Fn(u64) -> [u8; N]) {
    body.reserve(N * values.len());
    let (eights, rest) = values.as_chunks::<8>();
    for eight in eights {
        body.extend_from_slice(eight.map(&bytes).as_flattened());
    }
    for bits in rest {
        body.extend_from_slice(&bytes(*bits));
    }
}

fn span_of([one, other]: [Span; 2], kind: Kind) -> Option<Span> {
    span(&[one.least, one.greatest, other.least, other.greatest], kind)
}

/// `None` of nothing.
fn span(values: &[u64], kind: Kind) -> Option<Span> {
    // With the highest bit changed, signed integers are in the order of unsigned ones.
    let sign = if kind.is_unsigned { 0 } else { 1 << 63 };
    let first = *values.first()? ^ sign;
    let ends = values.iter().fold((first, first), |(least, greatest), bits| {
        let bits = bits ^ sign;
        (least.min(bits), greatest.max(bits))
    });
    Some(Span { least: ends.0 ^ sign, greatest: ends.1 ^ sign })
}

fn push_bits(values: &Values, validity: &Validity, out: &mut Vec<u64>) -> Option<()> {
    match values {
        Values::I8(all) => push(all, validity, |value| i64::from(value).cast_unsigned(), out),
        Values::I16(all) => push(all, validity, |value| i64::from(value).cast_unsigned(), out),
        Values::I32(all) => push(all, validity, |value| i64::from(value).cast_unsigned(), out),
        Values::I64(all) => push(all, validity, i64::cast_unsigned, out),
        Values::U8(all) => push(all, validity, u64::from, out),
        Values::U16(all) => push(all, validity, u64::from, out),
        Values::U32(all) => push(all, validity, u64::from, out),
        Values::U64(all) => push(all, validity, |value| value, out),
        _ => return None,
    }
    Some(())
}

fn push<T: Copy>(all: &[T], validity: &Validity, bits: impl Fn(T) -> u64, out: &mut Vec<u64>) {
    if validity.nulls() == 0 {
        out.extend(all.iter().map(|value| bits(*value)));
    } else {
        out.extend(valid(all, validity).into_iter().map(bits));
    }
}
