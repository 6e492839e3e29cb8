//! Tests of the reader and the printer by examples.

use super::{parse, parse_with_origin, print};
use crate::bytes::Guid;
use crate::error::ErrorKind;
use crate::limits;
use crate::schema::{
    Count, DisplayFormat, Encoding, Len, Message, Origin, Scalar, SchemaEntry, SchemaSelector, SchemaSource, Wire,
};

/// Returns the example of `docs/schema-text.md`.
pub(super) fn example() -> String {
    let page = include_str!("../../../docs/schema-text.md");
    page.lines()
        .filter_map(|line| line.strip_prefix("    ").or(line.is_empty().then_some("")))
        .fold(String::new(), |text, line| text + line + "\n")
}

/// Returns a class and an event with these fields.
fn with_fields(fields: &str) -> String {
    format!("class C {{3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}}\nevent opcode 1 {{\n{fields}\n}}\n")
}

/// Line and words of the error.
fn error(text: &str) -> (u32, String) {
    match parse(text).expect_err(text).kind() {
        ErrorKind::Syntax { line, detail } => (*line, detail.clone()),
        other => panic!("{other}"),
    }
}

/// Returns the words of the error in the first field line, which is line 3.
fn field_error(fields: &str) -> String {
    let (line, detail) = error(&with_fields(fields));
    assert_eq!(line, 3, "{detail}");
    detail
}

#[test]
fn the_example_of_the_documentation_means_what_it_says() {
    let entries = parse(&example()).unwrap();
    let [start, stop, dc_start, tick] = &entries[..] else { panic!("{entries:?}") };
    let class: Guid = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c".parse().unwrap();
    assert_eq!(start.select, SchemaSelector::Classic { class, opcode: 1 });
    assert_eq!((stop.versions.clone(), stop.builds.clone()), (3..=3, 0..=u32::MAX));
    let names = dc_start.schema.names();
    assert_eq!(names.full().as_deref(), Some("Process/DCStart"));
    for entry in &entries {
        assert_eq!(entry.schema.name(), entry.schema.names().full().as_deref());
    }
    assert_eq!(names.provider.as_deref(), Some("Windows Kernel"));
    assert_eq!(names.provider_guid, "9e814aad-3204-11d2-9a82-006008a86939".parse().ok());
    assert_eq!(
        (tick.select.guid(), tick.select.number()),
        ("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4".parse().unwrap(), 10)
    );
    assert_eq!((tick.versions.clone(), tick.schema.names().full().as_deref()), (0..=2, Some("GC/AllocationTick")));
    assert_eq!(tick.schema.names().provider_guid, None);
}

#[test]
fn fields_lie_as_their_lines_say() {
    let entries = parse(&example()).unwrap();
    let schema = &entries[0].schema;
    let field = |name: &str| schema.fields().iter().find(|field| &*field.name == name).unwrap();
    assert_eq!((field("ProcessID").wire, field("ProcessID").display), (Wire::Scalar(Scalar::U32), DisplayFormat::Pid));
    assert_eq!(field("UserSID").wire, Wire::Sid { wrapped: true });
    assert_eq!(field("Name").wire, Wire::Text { encoding: Encoding::Utf16, len: Len::Field(7) });
    assert_eq!((field("Values").wire, field("Values").count), (Wire::Struct { fields: 2 }, Count::Field(9)));
    assert!(field("ThreadName").optional);
    assert_eq!(schema.map(field("Flags")).and_then(|map| map.value(1)), Some("Read"));
    assert_eq!(schema.slots(), 2);
}

#[test]
fn bits_room_and_other_names_are_read_and_printed() {
    let text = with_fields("Flags u32 alias Options\nKind bits[Flags 24..31]\nLen u16\nMac bytes[Len of 8] as mac");
    let entries = parse(&text).unwrap();
    let [flags, kind, _, mac] = entries[0].schema.fields() else { panic!("{entries:?}") };
    assert!(flags.is_alias("options") && !flags.is_alias("Flags"));
    assert_eq!(kind.wire, Wire::Bits { of: 0, first: 24, count: 8 });
    assert_eq!(mac.wire, Wire::Bytes { len: Len::Within { used: 2, room: 8 } });
    let printed = print(&entries);
    assert!(printed.contains("u32 alias Options\n") && printed.contains("bits[Flags 24..31]\n"), "{printed}");
    assert!(printed.contains("bytes[Len of 8] as mac\n"), "{printed}");
    assert_eq!(parse(&printed).unwrap(), entries);
    assert!(field_error("Kind bits[Flags 0..7]").contains("unknown field `Flags`"));
    assert!(error(&with_fields("F u32\nK bits[F 7..0]")).1.contains("above the last"));
}

#[test]
fn a_printed_text_looks_like_the_example() {
    let entries = parse(&example()).unwrap();
    let printed = print(&entries);
    assert!(printed.starts_with(
        "provider \"Windows Kernel\" {9e814aad-3204-11d2-9a82-006008a86939}\n\nclass Process \
         {3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}\n\nmap DiskFlags bits {\n  0x1 \"Read\"\n  0x2 \"Write\"\n}\n\nevent \
         opcode 1 Start version 3 {\n  UniqueProcessKey  ptr as hex\n"
    ));
    assert!(printed.contains("  Values            struct x Count {\n    Address         ptr as hex\n"));
    // The map and the class are written once for the three events.
    assert_eq!((printed.matches("map DiskFlags bits").count(), printed.matches("class ").count()), (1, 1));
    assert_eq!(parse(&printed).unwrap(), entries);
}

#[test]
fn lines_may_end_as_on_windows_and_a_byte_order_mark_may_come_first() {
    let text = example();
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(parse(&windows).unwrap(), parse(&text).unwrap());
    assert_eq!(error("\r\n\r\nevil").0, 3);
}

#[test]
fn attributes_and_selectors_of_all_kinds() {
    let entries = parse(
        r#"provider "P" {00000000-0000-0000-0000-000000000001} message "Title"
        event name "Hello \u{263a}" opcode Start keyword 0x10 "Net" keyword 2 "Two" level "Loud" {}
        event name NoStackReason task none {}
        class Comp {00000000-0000-0000-0000-000000000002}
        event message 17, 18 Send message "%1!s! went" build 10240.. origin built-in build-guessed { A utf16 }
        event id 7 build ..9600 version 2.. name "Symbol" channel "Admin" {}"#,
    )
    .unwrap();
    let [hello, bare, first, second, last] = &entries[..] else { panic!("{entries:?}") };
    let name = "Hello \u{263a}";
    assert_eq!(hello.select, SchemaSelector::TraceLogging { provider: Guid::from_u128(1), name: name.into() });
    let names = hello.schema.names();
    assert_eq!(names.full(), Some(format!("{name}/Start")));
    assert_eq!(names.provider_message.as_deref(), Some("Title"));
    assert_eq!(names.keywords[..], [(16, "Net".into()), (2, "Two".into())]);
    assert_eq!(bare.schema.names().task, None);
    assert_eq!((first.schema.names().opcode.as_deref(), second.schema.names().opcode.as_deref()), (None, Some("Send")));
    assert_eq!(second.select, SchemaSelector::Wpp { guid: Guid::from_u128(2), number: 18 });
    assert_eq!((second.builds.clone(), second.schema.names().task.as_deref()), (10240..=u32::MAX, Some("Comp")));
    assert_eq!(second.schema.message(), Some(&Message::parse("%1!s! went")));
    assert_eq!(*second.schema.origin(), Origin { guessed_build: true, ..SchemaSource::BUILT_IN.into() });
    assert_eq!((last.builds.clone(), last.versions.clone()), (0..=9600, 2..=255));
}

#[test]
fn a_packed_part_reads_back() {
    let text =
        "provider {00000000-0000-0000-0000-000000000001}\nevent id 1 lznt1 8 { A u32\n Size u32\n B utf16 rest }";
    let entries = parse(text).unwrap();
    assert_eq!(entries[0].schema.lznt1_from(), Some(8));
    assert_eq!(parse(&print(&entries)).unwrap(), entries);
    let error = |from: &str| parse(&text.replace("lznt1 8", from)).unwrap_err().to_string();
    for wrong in ["lznt1 3", "lznt1 65536"] {
        assert!(error(wrong).contains("begins at byte 4 to 65535"), "{}", error(wrong));
    }
    assert!(error("lznt1 8 lznt1 8").contains("twice"));
}

#[test]
fn the_origin_is_the_user_unless_stated_or_given() {
    let text = with_fields("A u8");
    assert_eq!(parse(&text).unwrap()[0].schema.origin().source, SchemaSource::USER);
    let built_in = parse_with_origin(&text, SchemaSource::BUILT_IN.into()).unwrap();
    assert_eq!(built_in[0].schema.origin().source, SchemaSource::BUILT_IN);
}

#[test]
fn origins_of_other_programs_read_as_the_users() {
    let print_as = |name: &'static str| {
        let origin = Origin { guessed_version: true, ..SchemaSource::new(name, 45).into() };
        print(&parse_with_origin(&with_fields("A u8"), origin).unwrap())
    };
    for (name, printed) in [("device", " origin device version-guessed"), ("a device", " origin user version-guessed")]
    {
        let text = print_as(name);
        assert!(text.contains(printed), "{text}");
        let user = Origin { guessed_version: true, ..SchemaSource::USER.into() };
        assert_eq!(*parse(&text).unwrap()[0].schema.origin(), user);
    }
}

#[test]
fn a_sharp_sign_is_a_place_where_a_reference_stands_and_else_a_comment() {
    let entries = parse(&with_fields("A u8 # 1\nA u16 #2\nB utf16[#0] x #1 #3\n#4")).unwrap();
    let field = &entries[0].schema.fields()[2];
    assert_eq!(field.wire, Wire::Text { encoding: Encoding::Utf16, len: Len::Field(0) });
    assert_eq!(field.count, Count::Field(1));
}

#[test]
fn a_reference_means_the_nearest_earlier_field_of_the_name() {
    let entries = parse(&with_fields("N u8\nN u16\nB bytes[N]\nN u32\nC bytes[N]")).unwrap();
    let fields = entries[0].schema.fields();
    assert_eq!(fields[2].wire, Wire::Bytes { len: Len::Field(1) });
    assert_eq!(fields[4].wire, Wire::Bytes { len: Len::Field(3) });
}

#[test]
fn a_map_of_a_known_name_replaces_it_and_places_reach_the_old_one() {
    let text = "map M bits { 1 \"old\" }\nmap M bits { 1 \"new\" }\n".to_owned()
        + &with_fields("A u8 map M\nB u8 map #0").replace("opcode 1", "opcode 1 maps #0, M");
    let entries = parse(&text).unwrap();
    let schema = &entries[0].schema;
    let label = |at: usize| schema.map(&schema.fields()[at]).and_then(|map| map.value(1));
    assert_eq!((label(0), label(1)), (Some("new"), Some("old")));
    assert_eq!(schema.maps()[0].value(1), Some("old"));
    assert_eq!(parse(&print(&entries)).unwrap(), entries);
}

#[test]
fn errors_in_fields_say_what_is_there_instead() {
    assert!(field_error("A u33").starts_with("unknown type `u33`; the types are: i8 u8 i16"));
    assert!(field_error("A u32 as hexx").starts_with("cannot display a field as `hexx`; there are: hidden hex"));
    assert_eq!(field_error("A utf16[Length]"), "unknown field `Length`: a length or count comes from an earlier field");
    assert_eq!(field_error("A u8 x #0"), "unknown field `#0`: a length or count comes from an earlier field");
    assert_eq!(
        field_error("A u32 map Missing"),
        "unknown map `Missing`: there is no `map` of that name since the last `provider`"
    );
    assert_eq!(field_error("A u8 x 70000"), "70000 is too large: counts go from 0 to 65535");
    assert_eq!(field_error("as u8"), "expected a name, found the word `as`: as a name it must be quoted");
    assert_eq!(field_error("A u8 as hex as pid"), "the field has `as` twice");
    assert_eq!(field_error("A u8 optinal"), "expected the end of the field's line, found `optinal`");
    assert_eq!(field_error("12 u8"), "expected the name of a field or `}`, found `12`");
    assert_eq!(field_error("A utf16[3 u8"), "expected `]`, found `u8`");
}

#[test]
fn errors_name_the_line_of_the_mistake() {
    let text = with_fields("Name utf16\nOther u8\nB bytes[Name]");
    assert_eq!(error(&text), (5, "`Name` is not a single integer, so it cannot give a length or count".to_owned()));
    let bytes = error(&with_fields("A u8\nB bytes"));
    assert!(bytes.1.starts_with("expected the length of the bytes: `[N]`"), "{bytes:?}");
    assert_eq!(error("provider \"unclosed\nmap"), (1, "the closing quotation mark is missing on this line".to_owned()));
    assert_eq!(error("\n# c\nclas X"), (3, "expected `provider`, `map`, `class` or `event`, found `clas`".to_owned()));
}

#[test]
fn errors_in_statements_say_what_is_missing() {
    let (_, detail) = error("event opcode 1 {}");
    assert_eq!(detail, "such an event needs a `class` before it, since the last `provider`");
    let (_, detail) = error("provider \"P\"\nevent id 1 {}");
    assert_eq!(detail, "such an event needs a `provider` with a GUID before it");
    let head = "class C {3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}\n".to_owned();
    let (_, detail) = error(&(head.clone() + "event opcode 300 {}"));
    assert_eq!(detail, "300 is too large: opcodes go from 0 to 255");
    let (_, detail) = error(&(head.clone() + "event opcode 1 version 5..3 {}"));
    assert_eq!(detail, "the range 5..3 holds nothing");
    let (_, detail) = error(&(head.clone() + "event opcode 1 task A task B {}"));
    assert_eq!(detail, "`task` is given twice");
    let (_, detail) = error(&(head.clone() + "event opcode 1 version 1 colour red {}"));
    assert!(detail.starts_with("unknown attribute `colour`; there are: build channel"), "{detail}");
    let (_, detail) = error(&(head + "event opcode 1 {\n  A u8\n"));
    assert_eq!(detail, "expected the name of a field or `}`, found the end of the text");
    assert_eq!(error("class C {3d6f}").1, "expected a GUID in braces: 8-4-4-4-12 hexadecimal digits, found `{3d6f}`");
}

#[test]
#[cfg_attr(miri, ignore = "so long a text takes hours")]
fn deep_nesting_is_refused_without_recursion() {
    let text = with_fields(&"S struct {\n".repeat(100_000));
    let (line, detail) = error(&text);
    assert_eq!(detail, "structs may nest at most 32 deep");
    assert!(line < 40, "{line}");
    // What the builder takes: 32 with members and an empty one in the innermost.
    let deepest = with_fields(&("S struct {\n".repeat(33) + &"}\n".repeat(33)));
    let entries = parse(&deepest).unwrap();
    assert_eq!(parse(&print(&entries)).unwrap(), entries);
}

#[test]
#[cfg_attr(miri, ignore = "so long a text takes hours")]
fn too_many_fields_are_refused_where_the_first_of_them_stands() {
    assert_eq!(error(&with_fields(&"f u8\n".repeat(5000))).0, 3 + 4096);
}

#[test]
fn too_many_references_are_refused_at_the_event() {
    let fields: Vec<String> = (0..65).map(|n| format!("L{n} u8\nB{n} bytes[L{n}]\n")).collect();
    let (line, detail) = error(&with_fields(&fields.concat()));
    assert_eq!((line, detail.as_str()), (2, "length and count references of a schema exceeds the limit of 64"));
}

#[test]
#[cfg_attr(miri, ignore = "so long a text takes hours")]
fn a_short_text_cannot_ask_for_a_lot_of_memory() {
    // 16,384 events with copies of a name of 64 KiB: a gigabyte, if the name were not cut.
    let ids = vec!["1"; 16 << 10].join(",");
    let text =
        format!("provider \"{}\" {{00000000-0000-0000-0000-000000000001}} event id {ids} {{}}", "n".repeat(1 << 16));
    let entries = parse(&text).unwrap();
    let name = |entry: &SchemaEntry| entry.schema.names().provider.as_ref().map(|name| name.len());
    assert!(entries.iter().all(|entry| name(entry) == Some(limits::MAX_NAME)));
    // Copies of a map are not cut.
    let labels: Vec<String> = (0..10_000).map(|n| format!("{n} \"label\"\n")).collect();
    let (labels, ids) = (labels.concat(), vec!["1"; 2000].join(","));
    let text = format!(
        "provider {{00000000-0000-0000-0000-000000000001}} map M values {{ {labels} }}\nevent id {ids} {{ A u8 map M }}"
    );
    assert_eq!(error(&text).1, "the schemas of this text take too much memory");
}

#[test]
fn a_lone_schema_can_be_shown() {
    let entries = parse(&example()).unwrap();
    let shown = entries[3].schema.to_string();
    let expected = "provider \"Microsoft-Windows-DotNETRuntime\"\n\nschema task \"GC\" opcode \"AllocationTick\" \
                    {\n  AllocationAmount  u32\n}\n";
    assert_eq!(shown, expected);
}
