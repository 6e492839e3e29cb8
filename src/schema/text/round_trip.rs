//! Tests that a printed text reads back, over random schemas and texts.

use proptest::prelude::*;

use super::tests::example;
use super::{Outline, parse, print};
use crate::schema::{Message, SchemaEntry, SchemaSource, arbitrary};

/// Words and signs of the grammar in any order, which come further than random characters.
fn nearly_text() -> impl Strategy<Value = String> {
    const TOKENS: &[&str] = &[
        "provider",
        "class",
        "event",
        "map",
        "opcode",
        "id",
        "name",
        "message",
        "version",
        "task",
        "maps",
        "keyword",
        "origin",
        "user",
        "\"q\"",
        "\"\\u{41}",
        "Word",
        "{",
        "}",
        "[",
        "]",
        "#0",
        "# c\n",
        "\n",
        "\r\n",
        ",",
        "..",
        "1",
        "0x",
        "0xff",
        "99999999999999999999",
        "{00000000-0000-0000-0000-000000000001}",
        "u8",
        "utf16",
        "bytes",
        "struct",
        "x",
        "as",
        "hex",
        "optional",
        "tag",
        "counted",
        "rest",
        "bits",
        "values",
        "of",
        "irp-major",
        "é",
        "\u{0}",
        "\"",
        "\\",
    ];
    let token = proptest::sample::select(TOKENS);
    proptest::collection::vec(token, 0..40).prop_map(|tokens| tokens.join(" "))
}

/// Reads each event of a text on its own.
fn one_by_one(text: &str) -> Option<Vec<SchemaEntry>> {
    let outline = Outline::new(text)?;
    let events = outline.sections().flat_map(|section| (0..section.len()).map(move |at| (section, at)));
    Some(events.flat_map(|(section, at)| outline.event(section, at, SchemaSource::USER.into())).collect())
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(entries in arbitrary::entries()) {
        let text = print(&entries);
        let read = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&read, &entries, "{}", text);
        // Windows' line ends change nothing.
        prop_assert_eq!(&parse(&text.replace('\n', "\r\n")).unwrap(), &entries);
    }

    #[test]
    fn events_are_found_without_reading_the_others(entries in arbitrary::entries()) {
        let text = print(&entries);
        prop_assert_eq!(&one_by_one(&text).unwrap(), &entries, "{}", text);
    }

    #[test]
    fn messages_are_read_back(message in arbitrary::message()) {
        prop_assert_eq!(Message::parse(&message.to_string()), message);
    }

    #[test]
    fn message_text_of_any_kind_is_stable(text in "[%!0-9|nbrt. a]{0,12}") {
        let message = Message::parse(&text);
        prop_assert_eq!(Message::parse(&message.to_string()), message);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in prop_oneof![any::<String>(), nearly_text()]) {
        let outlined = one_by_one(&text);
        if let Ok(entries) = parse(&text) {
            prop_assert_eq!(outlined.unwrap(), &entries[..], "{}", text);
            prop_assert_eq!(parse(&print(&entries)).unwrap(), entries);
        }
    }

    #[test]
    fn a_damaged_text_does_not_make_the_reader_panic(at in 0..1600usize, len in 0..40usize, put in nearly_text()) {
        let mut text = example();
        if text.is_char_boundary(at) && text.is_char_boundary(at + len) && at + len <= text.len() {
            text.replace_range(at..at + len, &put);
        }
        let outlined = one_by_one(&text);
        if let Ok(entries) = parse(&text) {
            prop_assert_eq!(outlined.unwrap(), &entries[..], "{}", text);
            prop_assert_eq!(parse(&print(&entries)).unwrap(), entries);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "so long a text takes hours")]
fn a_long_text_comes_back() {
    let event = |n: usize| {
        format!(
            "event id {n} Start version 2..3 task \"Task{n}\" keyword 0x10 \"Net\" {{\n  ProcessID  u32 as pid\n  Size \
             u16\n  Name  utf16[Size]\n  A  u32 map M\n}}\n"
        )
    };
    let head = "provider \"P\" {00000000-0000-0000-0000-000000000001}\nmap M bits {\n  1 \"One\"\n  2 \"Two\"\n}\n";
    let text: String = std::iter::once(head.to_owned()).chain((0..2000).map(event)).collect();
    let entries = parse(&text).unwrap();
    assert_eq!(entries.len(), 2000);
    assert_eq!(parse(&print(&entries)).unwrap(), entries);
}
