//! The names of values.

use std::sync::Arc;

use etwkit::render::pen::{Literal, Memory, Pen};
use etwkit::schema::{Map, MapKind};

use super::tags::Opening;

/// The names of values as they are shown.
#[derive(Clone, Debug)]
pub(crate) enum Labels {
    /// Of some values, sorted by value.
    Values(Arc<[(u64, Literal)]>),
    /// Of groups of bits, with `|` between them and the bits without a name in hexadecimal.
    Bits(Arc<[(u64, Literal)]>),
}

impl Labels {
    /// Returns the names in a map; `None` if some of its bits are shown by another field. `push` appends a name.
    pub(crate) fn new<'m>(
        map: &'m Map,
        names: impl Iterator<Item = (u64, &'m str)>,
        push: impl Fn(&mut Vec<u8>, &str),
    ) -> Option<Self> {
        let label = |(value, name): (u64, &str)| {
            let mut text = Vec::new();
            push(&mut text, name);
            (value, Literal::new(&text))
        };
        let labels: Arc<[(u64, Literal)]> = names.map(label).collect();
        if map.kind() != MapKind::Bits {
            return Some(Self::Values(labels));
        }
        let (shown, left) = map.bit_texts(u64::MAX);
        let named = labels.iter().filter(|(bits, _)| *bits != 0);
        let is_whole = shown.count() == named.clone().count() && left == !named.fold(0, |all, (bits, _)| all | bits);
        (is_whole && labels.iter().all(|(_, label)| !label.is_empty())).then_some(Self::Bits(labels))
    }

    /// Writes the text of a value after other text; nothing, and `false`, if it has no name.
    #[inline]
    pub(super) fn write<M: Memory>(&self, pen: &mut Pen<M>, bits: u64, before: &Opening) -> bool {
        match self {
            Self::Values(labels) => {
                let found = labels.binary_search_by_key(&bits, |(value, _)| *value);
                let Some((_, label)) = found.ok().and_then(|at| labels.get(at)) else { return false };
                pen.literal(before);
                pen.literal(label);
            }
            Self::Bits(labels) => {
                pen.literal(before);
                write_bits(pen, labels, bits);
            }
        }
        true
    }
}

/// Writes the names of bits, as [`etwkit::render::push_insert`] has them.
fn write_bits<M: Memory>(pen: &mut Pen<M>, labels: &[(u64, Literal)], value: u64) {
    let (mut left, mut is_first) = (value, true);
    for (bits, label) in labels {
        let is_set = if value == 0 { *bits == 0 } else { *bits != 0 && value & bits == *bits };
        if is_set {
            if !std::mem::replace(&mut is_first, false) {
                pen.byte(b'|');
            }
            pen.literal(label);
            left &= !bits;
        }
    }
    if left == 0 {
        if is_first {
            pen.byte(b'0');
        }
        return;
    }
    if !is_first {
        pen.byte(b'|');
    }
    pen.tagged_upper_hex(&Opening::default(), left, &Literal::default());
}

#[cfg(test)]
mod tests {
    use etwkit::decode::Value;
    use etwkit::render::pen::GrowingPen;
    use etwkit::render::push_insert;
    use etwkit::render::value::ValueContext;
    use etwkit::schema::{Field, Scalar, Wire};

    use super::*;

    fn labels(map: &Map) -> Option<Labels> {
        Labels::new(map, map.texts(), |out, text| out.extend_from_slice(text.as_bytes()))
    }

    fn written(labels: &Labels, value: u64) -> Option<String> {
        let mut pen = GrowingPen::default();
        pen.begin();
        let is_written = labels.write(&mut pen, value, &Literal::new(b"="));
        let text = String::from_utf8(pen.text().unwrap().to_vec()).unwrap();
        assert_eq!(is_written, !text.is_empty());
        is_written.then_some(text)
    }

    #[test]
    fn names_are_those_of_messages() {
        let field = Field::new("x", Wire::Scalar(Scalar::U32));
        let entries = [(0, "None "), (1, "Read "), (2, "Write"), (6, "Both")];
        for entries in [&entries[..], &entries[1..]] {
            for kind in [MapKind::Values, MapKind::Bits] {
                let map = Map::new("M", kind, entries.iter().copied()).unwrap();
                let labels = labels(&map).unwrap();
                for value in (0..20).chain([0xAB00, u64::from(u32::MAX)]) {
                    let mut expected = b"=".to_vec();
                    push_insert(&mut expected, Value::Unsigned(value, 4), ValueContext::new(&field).map(Some(&map)));
                    let expected = String::from_utf8(expected).unwrap();
                    match written(&labels, value) {
                        Some(text) => assert_eq!(text, expected, "{kind:?} {value}"),
                        None => assert_eq!(format!("={value}"), expected, "{kind:?} {value}"),
                    }
                }
            }
        }
    }

    #[test]
    fn bits_that_another_field_shows_are_for_the_executor() {
        for entries in [[(1, "a"), (2, "")], [(2, "a"), (3, "")], [(1, ""), (3, "b")]] {
            assert!(labels(&Map::new("M", MapKind::Bits, entries).unwrap()).is_none(), "{entries:?}");
        }
    }
}
