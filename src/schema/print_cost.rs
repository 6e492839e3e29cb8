//! How much an event may print by its schema's names, known before any event comes.

use crate::bytes::PointerSize;
use crate::limits;

use super::{Count, Encoding, Field, Len, Map, Wire};

/// An upper bound of what a walk through an event's fields costs, in bytes of names and labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PrintCost {
    /// Bytes that occur once.
    once: usize,
    /// Bytes added by each payload byte that is part of an array, or by each element without bytes.
    per_byte: usize,
}

impl PrintCost {
    /// Bytes around each value in the wordiest format, without its name and label: element, number, indentation.
    pub(crate) const VALUE: usize = 32;

    /// Of all fields of a schema.
    pub(super) fn new(fields: &[Field], maps: &[Map]) -> Self {
        let labels = maps.iter().map(Map::longest_label).collect();
        let mut walk = Walk { fields, labels, per_byte: 0 };
        let (once, _) = walk.all(0, fields.len());
        Self { once, per_byte: walk.per_byte }
    }

    /// Returns whether an event with this many bytes, and this many elements that take none, may print more than
    /// [`limits::shown`] allows.
    #[inline]
    pub(crate) const fn may_exceed(&self, bytes: usize, without_bytes: usize) -> bool {
        !(self.is_small() && without_bytes == 0) && self.bound(bytes, without_bytes) > limits::shown(bytes)
    }

    /// Returns whether no event without elements that take no bytes may print more than [`limits::shown`] allows.
    #[inline]
    pub(crate) const fn is_small(&self) -> bool {
        self.once <= limits::MAX_SHOWN && self.per_byte <= limits::SHOWN_PER_BYTE
    }

    /// Returns an upper bound for an event with this many bytes, and this many elements that take none.
    pub(crate) const fn bound(&self, bytes: usize, without_bytes: usize) -> usize {
        self.once.saturating_add(self.per_byte.saturating_mul(bytes.saturating_add(without_bytes)))
    }

    /// Of one value, struct or array: its name and the syntax around it.
    pub(crate) const fn of_name(field: &Field) -> usize {
        field.name.len() + Self::VALUE
    }
}

struct Walk<'s> {
    fields: &'s [Field],
    /// The longest label of each map.
    labels: Vec<usize>,
    per_byte: usize,
}

impl Walk<'_> {
    /// Cost and least size of the fields from `at` to `end`, arrays without their elements.
    fn all(&mut self, mut at: usize, end: usize) -> (usize, usize) {
        let (mut cost, mut size) = (0_usize, 0);
        while let Some(field) = self.fields.get(at).filter(|_| at < end) {
            let (own_cost, own_size) = self.field(at, field);
            cost = cost.saturating_add(own_cost);
            size += own_size;
            at += field.span();
        }
        (cost, size)
    }

    fn field(&mut self, at: usize, field: &Field) -> (usize, usize) {
        let (members, size) = match field.wire {
            Wire::Struct { .. } => self.all(at + 1, at + field.span()),
            wire => (0, least_size(wire)),
        };
        let label = field.map.and_then(|map| self.labels.get(usize::from(map))).copied().unwrap_or(0);
        let one = PrintCost::of_name(field).saturating_add(members).saturating_add(label);
        if field.count == Count::One {
            return (one, size);
        }
        // The bound must never be too low: an element without a least size counts for each byte.
        self.per_byte = self.per_byte.saturating_add(one.div_ceil(size.max(1)));
        (PrintCost::of_name(field), 0)
    }
}

/// Bytes that an element takes at least.
fn least_size(wire: Wire) -> usize {
    let (len, unit) = match wire {
        Wire::Scalar(scalar) => return scalar.len(PointerSize::Four),
        Wire::Text { encoding: Encoding::Utf16, len } => (len, 2),
        Wire::Text { len, .. } | Wire::Bytes { len } => (len, 1),
        Wire::Sid { .. } | Wire::Bits { .. } | Wire::Struct { .. } => return 0,
    };
    match len {
        Len::Fixed(count) | Len::Within { room: count, .. } => usize::from(count) * unit,
        Len::Prefix16 | Len::Prefix16Swapped => 2,
        Len::Prefix32 => 4,
        Len::Field(_) | Len::Nul | Len::Rest => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{MapKind, Scalar, Schema, SchemaSource};

    fn cost(build: impl FnOnce(&mut crate::schema::SchemaBuilder)) -> PrintCost {
        let mut builder = Schema::builder(SchemaSource::USER.into());
        build(&mut builder);
        builder.build().unwrap().cost()
    }

    #[test]
    fn single_fields_cost_the_same_in_every_event() {
        let map = || Map::new("m", MapKind::Values, [(1, "one"), (2, "twenty")]).unwrap();
        let cost = cost(|builder| {
            let map = builder.map(map());
            builder.field(Field { map: Some(map), ..Field::new("abc", Wire::Scalar(Scalar::U8)) });
        });
        assert_eq!((cost.bound(0, 0), cost.bound(60_000, 0)), (32 + 3 + 6, 32 + 3 + 6));
    }

    #[test]
    fn elements_of_arrays_cost_by_the_byte() {
        let cost = cost(|builder| {
            builder.begin_struct(Field::new("s", Wire::Struct { fields: 0 }).counted(Count::Rest));
            builder.field(Field::new("a", Wire::Scalar(Scalar::U64)));
            builder.field(Field::new("b", Wire::Scalar(Scalar::U8)).counted(Count::Fixed(2)));
            builder.end_struct();
        });
        // An element of the outer array: three names in at least eight bytes; of the inner one: a name in each byte.
        let per_byte = (33_usize * 3).div_ceil(8) + 33;
        assert_eq!((cost.bound(0, 0), cost.bound(10, 5)), (33, 33 + per_byte * 15));
    }

    #[test]
    fn labels_of_bits_may_all_be_there() {
        let bits = Map::new("m", MapKind::Bits, [(1, "one"), (2, "two")]).unwrap();
        assert_eq!((bits.longest_label(), bits.label_len(3), bits.label_len(2), bits.label_len(4)), (8, 8, 4, 0));
        let values = Map::new("m", MapKind::Values, [(1, "one"), (3, "three")]).unwrap();
        assert_eq!((values.longest_label(), values.label_len(3), values.label_len(4)), (5, 5, 0));
    }
}
