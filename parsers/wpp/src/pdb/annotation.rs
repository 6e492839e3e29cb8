//! Symbol records of a module, and the TMF text of an annotation.
//!
//! The compiler leaves each WPP message as an annotation in its module's symbols: `S_ANNOTATION` with the strings
//! `TMF:`, the GUID line, `#typev ...`, `{`, an argument a string, `}` (section 12.2). Joined by line ends they are a
//! TMF text.

use etwkit::bytes::{AnsiText, u16_at};

use crate::tmf::{self, Tmf};

/// Bytes before the first record: the version of the records (`CV_SIGNATURE`).
const SIGNATURE: usize = 4;
/// Kind of a record with strings that `__annotation` of the C compiler leaves.
const S_ANNOTATION: u16 = 0x1019;
/// Bytes before an annotation's strings: offset (4), segment (2), count of strings (2).
const ANNOTATION: usize = 8;

/// Returns the definitions in the symbols of a module. The records end where one is damaged: the next is found by the
/// length of the one before.
pub(super) fn definitions(symbols: &[u8]) -> impl Iterator<Item = Tmf> {
    let records = records(symbols.get(SIGNATURE..).unwrap_or_default());
    records.filter(|(kind, _)| *kind == S_ANNOTATION).filter_map(|(_, content)| text(strings(content)))
}

/// Kind and content of each record. A record is its length without the length itself, its kind, its content.
fn records(mut rest: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let (len, after) = rest.split_first_chunk()?;
        let (record, next) = after.split_at_checked(u16::from_le_bytes(*len).into())?;
        let (kind, content) = record.split_first_chunk()?;
        rest = next;
        Some((u16::from_le_bytes(*kind), content))
    })
}

/// Returns the strings of an annotation, each ended by a zero.
fn strings(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (fixed, mut rest) = content.split_at_checked(ANNOTATION).unwrap_or_default();
    let next = move || {
        let end = rest.iter().position(|byte| *byte == 0)?;
        let (string, after) = rest.split_at_checked(end)?;
        rest = after.get(1..)?;
        Some(string)
    };
    std::iter::from_fn(next).take(u16_at(fixed, 6).into())
}

/// Returns the TMF text of an annotation, if it is one of WPP.
fn text(mut strings: impl Iterator<Item = impl AsRef<[u8]>>) -> Option<Tmf> {
    if strings.next()?.as_ref() != b"TMF:" {
        return None;
    }
    let mut text = String::new();
    for line in strings {
        AnsiText(line.as_ref()).push_to(&mut text);
        text.push('\n');
    }
    Some(tmf::parse(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u16, content: &[u8]) -> Vec<u8> {
        let len = u16::try_from(content.len() + 2).unwrap();
        [&len.to_le_bytes()[..], &kind.to_le_bytes(), content].concat()
    }

    #[test]
    fn records_end_where_one_is_damaged() {
        let good = [record(7, b"ab"), record(8, b"")].concat();
        let kinds = |bytes: &[u8]| records(bytes).map(|(kind, _)| kind).collect::<Vec<_>>();
        assert_eq!(records(&good).collect::<Vec<_>>(), [(7, &b"ab"[..]), (8, b"")]);
        // A length that leaves no place for the kind; one that is longer than what is left; a byte too many.
        for damaged in [&[1, 0, 0, 0][..], &[9, 0, 1, 0], &[0]] {
            assert_eq!(kinds(&[&good, damaged].concat()), [7, 8]);
        }
    }

    #[test]
    fn strings_end_with_their_count_or_their_bytes() {
        let strings = |count: u8, text: &[u8]| {
            let content = [&[1, 0, 0, 0, 1, 0, count, 0], text].concat();
            strings(&content).map(<[u8]>::to_vec).collect::<Vec<_>>()
        };
        assert_eq!(strings(2, b"a\0\0c\0"), [&b"a"[..], b""]);
        assert_eq!(strings(9, b"a\0b\0c"), [b"a", b"b"]);
        assert!(super::strings(b"short").next().is_none());
    }

    #[test]
    fn only_annotations_of_wpp_are_definitions() {
        let annotation = |text: &[u8]| [&[0, 0, 0, 0, 0, 0, 2, 0], text].concat();
        let line = b"TMF:\x002363c985-9b6e-3283-34a7-e8c27a60b889 made // SRC=a.c\0";
        let symbols = [
            4_u32.to_le_bytes().to_vec(),
            record(S_ANNOTATION, &annotation(b"other\0text\0")),
            record(S_ANNOTATION + 1, &annotation(line)),
            record(S_ANNOTATION, &annotation(line)),
        ];
        assert_eq!(definitions(&symbols.concat()).count(), 1);
        assert_eq!(definitions(b"").count(), 0);
    }
}
