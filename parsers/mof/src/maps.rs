//! Names of values: `Values` with `ValueMap`, `BitValues` with `BitMap`.

use etwkit::bytes::number;
use etwkit::error::{Error, Result};
use etwkit::schema::{Map, MapKind};

use crate::ast::{Qualifiers, Value};

/// Texts of one map.
const MAX_TEXT: usize = 4 << 20;

/// Returns the map of a property that has one.
///
/// `Values` names values: those of `ValueMap`, or 0, 1, 2 ... without it; `ValueType("flag")` makes them masks.
/// `BitValues` names bits: `BitMap` has their numbers, without it they are in order. `DefineValues` are the names of C
/// headers and are used where `Values` are missing.
pub(crate) fn map(name: &str, qualifiers: &Qualifiers) -> Result<Option<Map>> {
    let (names, numbers, kind) = match (qualifiers.list("Values"), qualifiers.list("BitValues")) {
        (Some(values), _) => (values, qualifiers.list("ValueMap"), value_kind(qualifiers)),
        (None, Some(bits)) => (bits, qualifiers.list("BitMap"), Kind::Bits),
        (None, None) => match (qualifiers.list("DefineValues"), qualifiers.list("ValueMap")) {
            (Some(values), numbers @ Some(_)) => (values, numbers, value_kind(qualifiers)),
            _ => return Ok(None),
        },
    };
    if numbers.is_some_and(|numbers| numbers.len() != names.len()) {
        return Err(Error::schema("there are not as many names of values as values"));
    }
    let texts: Vec<&str> = names.iter().filter_map(Value::text).collect();
    if texts.len() != names.len() {
        return Err(Error::schema("the names of values are not all texts"));
    }
    if texts.iter().map(|text| text.len()).sum::<usize>() > MAX_TEXT {
        return Err(Error::limit("texts of a map", MAX_TEXT));
    }
    let number = |place: usize| match numbers {
        Some(numbers) => numbers.get(place).and_then(as_number),
        None => Some(place as u64),
    };
    let mut entries = Vec::with_capacity(texts.len());
    for (place, text) in texts.into_iter().enumerate() {
        let Some(value) = number(place).and_then(|number| kind.value(number)) else {
            return Err(Error::schema(format!("`{text}` names a value that does not fit in 64 bits")));
        };
        // A value without a name is shown as a number.
        if !text.trim().is_empty() {
            entries.push((value, text));
        }
    }
    Map::new(name, kind.shown(), entries).map(Some)
}

/// How the numbers of a map are meant.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Values,
    Masks,
    Bits,
}

impl Kind {
    const fn value(self, number: u64) -> Option<u64> {
        match self {
            Self::Bits if number > 63 => None,
            Self::Bits => Some(1 << number),
            Self::Values | Self::Masks => Some(number),
        }
    }

    const fn shown(self) -> MapKind {
        match self {
            Self::Values => MapKind::Values,
            Self::Masks | Self::Bits => MapKind::Bits,
        }
    }
}

/// Flags without numbers are bits in order.
fn value_kind(qualifiers: &Qualifiers) -> Kind {
    let is_flag = qualifiers.text("ValueType").is_some_and(|kind| kind.eq_ignore_ascii_case("flag"));
    match (is_flag, qualifiers.get("ValueMap").is_some()) {
        (true, true) => Kind::Masks,
        (true, false) => Kind::Bits,
        (false, _) => Kind::Values,
    }
}

/// Returns a number, which MOF files write as text: decimal or hexadecimal. A negative one as the bits it has.
fn as_number(value: &Value) -> Option<u64> {
    let bits = |negative: i64| negative.cast_unsigned();
    match value {
        Value::Number(value) => u64::try_from(*value).ok().or_else(|| i64::try_from(*value).ok().map(bits)),
        Value::Text(text) => number(text.trim()).or_else(|| text.trim().parse().ok().map(bits)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::parse;

    fn of(qualifiers: &str) -> Result<Option<Map>> {
        let document = parse(&format!("class A {{ [{qualifiers}] uint32 x; }};")).unwrap();
        map("x", &document.classes[0].properties[0].qualifiers)
    }

    fn entries(qualifiers: &str) -> (MapKind, Vec<(u64, String)>) {
        let map = of(qualifiers).unwrap().unwrap();
        (map.kind(), map.entries().map(|(value, text)| (value, text.to_owned())).collect())
    }

    fn wanted<const N: usize>(kind: MapKind, entries: [(u64, &str); N]) -> (MapKind, Vec<(u64, String)>) {
        (kind, entries.map(|(value, text)| (value, text.to_owned())).to_vec())
    }

    #[test]
    fn values_flags_and_bits() {
        let values = entries(r#"Values{"a", "b"}, ValueMap{"0x10", "2"}, DefineValues{"A", "B"}"#);
        assert_eq!(values, wanted(MapKind::Values, [(2, "b"), (16, "a")]));
        assert_eq!(entries(r#"Values{"a", "b"}"#), wanted(MapKind::Values, [(0, "a"), (1, "b")]));
        let flags = entries(r#"Values{"a", "b"}, ValueMap{"0x1", "0x4"}, ValueType("flag")"#);
        assert_eq!(flags, wanted(MapKind::Bits, [(1, "a"), (4, "b")]));
        assert_eq!(entries(r#"BitValues{"a", "b"}, BitMap{"0", "5"}"#), wanted(MapKind::Bits, [(1, "a"), (32, "b")]));
        assert_eq!(entries(r#"BitValues{"a", "b"}"#), wanted(MapKind::Bits, [(1, "a"), (2, "b")]));
        let defined = entries(r#"DefineValues{"A"}, ValueMap{-1}"#);
        assert_eq!(defined, wanted(MapKind::Values, [(u64::MAX, "A")]));
        assert_eq!(of("read").unwrap(), None);
        assert_eq!(entries(r#"BitValues{"a", " ", "c"}"#), wanted(MapKind::Bits, [(1, "a"), (4, "c")]));
    }

    #[test]
    fn maps_that_make_no_sense_are_errors() {
        for wrong in [
            r#"Values{"a"}, ValueMap{"1", "2"}"#,
            r#"Values{"a"}, ValueMap{"x"}"#,
            r#"BitValues{"a"}, BitMap{"64"}"#,
            "Values{1}",
        ] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
