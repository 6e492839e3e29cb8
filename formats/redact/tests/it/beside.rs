//! What is beside a text in a payload is no part of it.

use etwkit::decode::Value;
use etwkit::trace::{Filter, Order};
use etwkit_redact::{Key, Options, Redaction};
use etwkit_synth::payload::Payload;
use etwkit_synth::schema::{Field, Metadata, in_type};
use etwkit_synth::{Buffer, ExtendedItem, Guid, LogfileHeader, ModernEvent, TraceBuilder};
use proptest::prelude::*;

use crate::run::{has, has_text, open, redact};

const U8: u8 = in_type::UINT8;
const U16: u8 = in_type::UINT16;
const WIDE: u8 = in_type::UTF16;
const ANSI: u8 = in_type::ANSI;

/// Makes a schema of fields of types.
fn schema(types: &[u8]) -> Metadata {
    let numbered = (0_u8..).zip(types);
    numbered.fold(Metadata::event("Said"), |schema, (n, in_type)| schema.field(&format!("F{n}"), *in_type, 0))
}

fn known(schema: Metadata, payload: Payload) -> ModernEvent {
    let event = ModernEvent::new(Guid::new(0x77)).channel(11).at(LogfileHeader::default().after(1)).by(7, 8);
    event.item(ExtendedItem::schema_tl(schema)).payload(payload)
}

/// An event that no parser knows.
fn unknown(payload: Payload) -> ModernEvent {
    ModernEvent::new(Guid::new(0xabcd)).id(7).at(LogfileHeader::default().after(2)).by(7, 8).payload(payload)
}

fn trace(events: impl IntoIterator<Item = ModernEvent>) -> Vec<u8> {
    TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).events(events)).build().bytes
}

/// Returns all numbers in fields.
fn numbers(bytes: &[u8]) -> Vec<u64> {
    let trace = open(bytes);
    let (mut events, mut numbers) = (trace.events_in(Order::File, &Filter::default()), Vec::new());
    while let Some(event) = events.next().unwrap() {
        let values = event.fields().filter_map(|field| field.value());
        numbers.extend(values.filter_map(|value| if let Value::Unsigned(n, _) = value { Some(n) } else { None }));
    }
    numbers
}

/// Asserts that a secret of an event goes, and that the last scan fails if it is there.
fn assert_gone(event: ModernEvent, secrets: &[&str]) {
    let bytes = trace([event]);
    let redacted = redact(&open(&bytes), &[]).unwrap();
    for secret in secrets {
        assert!(has_text(&bytes, secret) && !has_text(&redacted.bytes, secret), "{secret}: {:?}", redacted.secrets);
    }
    assert_eq!(numbers(&bytes), numbers(&redacted.bytes), "{secrets:?}");
    let nothing = trace([unknown(Payload::new())]);
    let redaction = Redaction::collect(&open(&nothing), &Options::default().key(Key::of(b"a"))).unwrap();
    let error = redaction.check(&open(&bytes), &open(&bytes)).map_err(|error| error.to_string());
    assert!(error.as_ref().is_err_and(|error| error.contains("a secret is left")), "{secrets:?}: {error:?}");
}

/// Texts of one field that have something secret.
const TEXTS: [(&str, &str); 6] = [
    ("10.20.30.40", "10.20.30.40"),
    ("fe80::1234:5678:9abc:def0", "5678:9abc"),
    (r"\\fileserv9\share8\x", "fileserv9"),
    ("00-15-5D-AA-BB-CC", "5d-aa-bb"),
    ("https://u5user:pw9word@host/", "pw9word"),
    ("DESKTOP-1A2B3C4", "1A2B3C4"),
];

#[test]
fn the_folder_of_a_user_of_a_domain_gives_both_names_away() {
    for (folder, names) in [
        ("zqjones7.CONTOSOQ", &["zqjones7", "contosoq"][..]),
        ("zqjones7.CONTOSOQ.001", &["zqjones7", "contosoq"]),
        ("zqjones7.000", &["zqjones7"]),
        ("zq.jones7.CONTOSOQ", &["zq.jones7", "contosoq"]),
        ("zq.jones7", &["zq.jones7"]),
    ] {
        let path = Payload::new().utf16z(&format!(r"C:\Users\{folder}\Desktop\k.txt"));
        let said = Payload::new().utf16z(&format!("found: {}.", names.join(" in ")));
        let bytes = trace([known(schema(&[WIDE]), path), known(schema(&[WIDE]), said)]);
        let redacted = redact(&open(&bytes), &[]).unwrap();
        for name in names {
            assert!(has_text(&bytes, name) && !has_text(&redacted.bytes, name), "{folder}: {:?}", redacted.secrets);
        }
    }
}

#[test]
fn numbers_and_texts_beside_a_text_hide_nothing() {
    for (text, secret) in TEXTS {
        for letter in *b"5PaZ" {
            let wide = Payload::new().u16(letter.into()).utf16z(text);
            assert_gone(known(schema(&[U16, WIDE]), wide), &[secret]);
            let narrow = Payload::new().u8(letter).ansi_z(text);
            assert_gone(known(schema(&[U8, ANSI]), narrow), &[secret]);
            let wide = Payload::new().utf16_counted(text).u16(letter.into());
            assert_gone(known(schema(&[in_type::COUNTED_UTF16, U16]), wide), &[secret]);
            let narrow = Payload::new().ansi_counted(text).u8(letter).u8(letter);
            assert_gone(known(schema(&[in_type::COUNTED_ANSI, U8, U8]), narrow), &[secret]);
        }
        for other in ["eth0", "rel5", "x1", "r"] {
            let payload = Payload::new().ansi_z(other).utf16z(text);
            assert_gone(known(schema(&[ANSI, WIDE]), payload), &[secret]);
        }
    }
}

#[test]
fn texts_in_structs_and_arrays_are_texts_of_their_own() {
    for (text, secret) in TEXTS {
        let text_of = |name: &str| Field::new(name, in_type::COUNTED_ANSI);
        let members = vec![Field::new("Family", U8), text_of("Host"), Field::new("Hops", U8)];
        let structure = Metadata::event("Struct").with(&Field::structure("Peer", members)).field("After", U8, 0);
        let payload = Payload::new().u8(b'2').ansi_counted(text).u8(b'3').u8(b'4');
        assert_gone(known(structure, payload), &[secret]);
        let array = Metadata::event("Array").with(&text_of("Hosts").fixed_array(2)).field("After", U8, 0);
        let payload = Payload::new().ansi_counted(text).ansi_counted(text).u8(b'4');
        assert_gone(known(array, payload), &[secret]);
    }
}

#[test]
fn a_number_beside_a_text_stays_as_it_is() {
    let family = Payload::new().u8(b'2').ansi_z("10.20.30.41").u8(b'7');
    let weight = Payload::new().u16(u16::from(b'1')).utf16_counted("10.20.30.40").u16(u16::from(b'2'));
    assert_gone(known(schema(&[U8, ANSI, U8]), family), &["10.20.30.41"]);
    assert_gone(known(schema(&[U16, in_type::COUNTED_UTF16, U16]), weight), &["10.20.30.40"]);
    // A word that a number completes, and one that a number begins.
    let user = known(Metadata::event("Logon").field("UserName", WIDE, 0), Payload::new().utf16z("marianne2"));
    let name = known(schema(&[in_type::COUNTED_UTF16, U16]), Payload::new().utf16_counted("Marianne").u16(0x32));
    let bytes = trace([user, name]);
    let redacted = redact(&open(&bytes), &[]).unwrap();
    assert!(!has_text(&redacted.bytes, "marianne"), "{:?}", redacted.secrets);
    assert_eq!(numbers(&bytes), numbers(&redacted.bytes));
}

#[test]
fn numbers_that_look_like_text_are_numbers() {
    let octets = u64::from_le_bytes(*b"1::2\0\0\0\0");
    let number = known(schema(&[in_type::UINT64, U8]), Payload::new().u64(octets).u8(0));
    let bytes = trace([number]);
    assert_eq!(numbers(&bytes), numbers(&redact(&open(&bytes), &[]).unwrap().bytes));
}

#[test]
fn short_names_stand_alone_in_the_text_of_a_field() {
    let user = || known(Metadata::event("Logon").field("UserName", WIDE, 0), Payload::new().utf16z("anna"));
    let said = [
        known(schema(&[U16, WIDE]), Payload::new().u16(53).utf16z("anna")),
        known(schema(&[in_type::COUNTED_UTF16, U16]), Payload::new().utf16_counted("anna").u16(0x41)),
        known(schema(&[U8, ANSI, U8]), Payload::new().u8(b'h').ansi_z("anna").u8(b'5')),
        known(schema(&[in_type::COUNTED_ANSI, U16]), Payload::new().ansi_counted("anna").u16(0x4141)),
        unknown(Payload::new().u16(53).utf16z("anna")),
        unknown(Payload::new().utf16("anna").u16(0x4141)),
        unknown(Payload::new().ansi_z("eth0").utf16z("anna")),
        unknown(Payload::new().u16(0).u8(b'5').ansi_z("anna")),
    ];
    for (n, event) in said.into_iter().enumerate() {
        let bytes = trace([user(), event]);
        let redacted = redact(&open(&bytes), &[]).unwrap();
        assert!(!has_text(&redacted.bytes, "anna"), "{n}: {:?}", redacted.secrets);
        assert_eq!(numbers(&bytes), numbers(&redacted.bytes), "{n}");
    }
    // Names of others, and what has it by intent.
    let others = known(schema(&[WIDE, ANSI]), Payload::new().utf16z("hanna joanna").ansi_z("annals"));
    let tag = known(schema(&[in_type::UINT32, U16]), Payload::new().u32(u32::from_le_bytes(*b"anna")).u16(0));
    let bytes = trace([user(), others, tag, unknown(Payload::new().utf16z("to hanna"))]);
    let redacted = redact(&open(&bytes), &[]).unwrap();
    assert!(has_text(&redacted.bytes, "hanna joanna") && has_text(&redacted.bytes, "to hanna"));
    assert!(has_text(&redacted.bytes, "annals") && has(&redacted.bytes, b"anna\0\0"));
    assert_eq!(numbers(&bytes), numbers(&redacted.bytes));
}

/// Returns the trace in which a user has a name, and another event, as it is redacted.
fn with_user(name: &str, event: ModernEvent) -> Vec<u8> {
    let user = known(Metadata::event("Logon").field("UserName", WIDE, 0), Payload::new().utf16z(name));
    redact(&open(&trace([user, event])), &[]).unwrap().bytes
}

#[test]
fn a_sign_beside_a_short_name_is_no_letter() {
    for name in ["anna", "bob"] {
        for text in
            [format!("logon of “{name}” failed"), format!("{name}—left…{name}…"), format!("‘{name}’\u{A0}{name}\u{A0}")]
        {
            let narrow = Payload::new().ansi_z(&text);
            assert!(!has_text(&with_user(name, known(schema(&[ANSI]), narrow.clone())), name), "{text}");
            assert!(!has_text(&with_user(name, unknown(narrow)), name), "{text}");
            let wide = Payload::new().utf16z(&text);
            assert!(!has_text(&with_user(name, known(schema(&[WIDE]), wide.clone())), name), "{text}");
            assert!(!has_text(&with_user(name, unknown(wide)), name), "{text}");
        }
        // Of a code page: «» and “”, and a byte that is a number.
        for [before, behind] in [[0xAB, 0xBB], [0x93, 0x94], [0xA0, 0x85], [3, 8], [0xFF, 0xFF], [1, 0x97]] {
            let payload = Payload::new().u8(b' ').u8(before).bytes(name.as_bytes()).u8(behind).u8(b' ').u8(0);
            assert!(!has_text(&with_user(name, known(schema(&[ANSI]), payload.clone())), name), "{before}");
            assert!(!has_text(&with_user(name, unknown(payload)), name), "{before}");
        }
    }
}

#[test]
fn a_letter_outside_of_ascii_beside_a_short_name_is_one() {
    for text in ["Äanna", "ŁANNA-Werk", "annaœ", "иanna"] {
        let narrow = known(schema(&[ANSI]), Payload::new().ansi_z(text));
        assert!(has(&with_user("anna", narrow), text.as_bytes()), "{text}");
        let wide = known(schema(&[WIDE]), Payload::new().utf16z(text));
        assert!(has_text(&with_user("anna", wide), text), "{text}");
    }
    // Where words have no space between them, a name is beside others.
    for text in ["用户anna登录", "anna님"] {
        assert!(!has_text(&with_user("anna", known(schema(&[ANSI]), Payload::new().ansi_z(text))), "anna"));
        assert!(!has_text(&with_user("anna", known(schema(&[WIDE]), Payload::new().utf16z(text))), "anna"));
    }
    let latin = Payload::new().bytes(b"\xE9anna \xD8bob").u8(0);
    assert!(has(&with_user("anna", known(schema(&[ANSI]), latin)), b"\xE9anna"));
}

#[test]
fn where_no_parser_knows_the_event_a_byte_that_may_be_a_letter_hides_nothing() {
    for (text, secret) in TEXTS {
        for letter in *b"5PaZ" {
            let payloads = [
                Payload::new().u16(letter.into()).utf16z(text),
                Payload::new().utf16(text).u16(letter.into()),
                Payload::new().u8(letter).ansi_z(text),
                Payload::new().bytes(text.as_bytes()).u8(letter).u8(0),
            ];
            for payload in payloads {
                assert_gone(unknown(payload), &[secret]);
            }
        }
        for other in ["eth0", "rel5", "x1", "r"] {
            assert_gone(unknown(Payload::new().ansi_z(other).utf16z(text)), &[secret]);
        }
    }
}

#[test]
fn characters_of_other_code_pages_hide_no_long_name() {
    let said = |text: &[u8]| known(schema(&[ANSI, ANSI]), Payload::new().ansi_z("robert@corp.example").bytes(text));
    // Chinese (GBK) and Korean (CP949) beside the name, and a letter of Latin-1.
    for text in
        [&b"\xD3\xC3\xBB\xA7robert\xB5\xC7\xC2\xBC\0"[..], b"\xBB\xE7\xBF\xEBrobert\xB4\xD4\0", b"\xE9robert\xE9\0"]
    {
        let redacted = redact(&open(&trace([said(text)])), &[]).unwrap();
        assert!(!has_text(&redacted.bytes, "robert"), "{text:x?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn numbers_around_texts_neither_hide_nor_change(
        (text, secret) in prop::sample::select(&TEXTS[..]),
        before in prop::collection::vec(any::<u8>(), 0..4),
        behind in prop::collection::vec(any::<u8>(), 1..4),
        is_wide in any::<bool>(),
    ) {
        let in_type = if is_wide { in_type::COUNTED_UTF16 } else { in_type::COUNTED_ANSI };
        let types = [vec![U8; before.len()], vec![in_type], vec![U8; behind.len()]].concat();
        let payload = Payload::new().bytes(&before);
        let payload = if is_wide { payload.utf16_counted(text) } else { payload.ansi_counted(text) };
        let bytes = trace([known(schema(&types), payload.bytes(&behind))]);
        let redacted = redact(&open(&bytes), &[]).unwrap();
        prop_assert!(!has_text(&redacted.bytes, secret), "{:?}", redacted.secrets);
        prop_assert_eq!(numbers(&bytes), numbers(&redacted.bytes));
    }

    #[test]
    fn letters_alone_beside_texts_that_no_parser_knows_hide_nothing(
        (text, secret) in prop::sample::select(&TEXTS[..]),
        before in any::<u16>(),
        behind in any::<u16>(),
        is_wide in any::<bool>(),
    ) {
        // A colon, a dot or a backslash is no letter.
        let is_sign = |number: u16| number.to_le_bytes().iter().any(u8::is_ascii_punctuation);
        prop_assume!(!is_sign(before) && !is_sign(behind));
        // `v` is the sign of a version, a letter beside more text is one.
        let [before_far, before_near] = before.to_le_bytes();
        let [behind_near, behind_far] = behind.to_le_bytes();
        let hides = |near: u8, far: u8| near.is_ascii_alphanumeric() && (b' '..=b'~').contains(&far);
        prop_assume!(![before_near, before_far].iter().any(|byte| byte.eq_ignore_ascii_case(&b'v')));
        prop_assume!(is_wide || !hides(before_near, before_far) && !hides(behind_near, behind_far));
        let payload = Payload::new().u16(0).u16(before);
        let payload = if is_wide { payload.utf16(text) } else { payload.bytes(text.as_bytes()) };
        let bytes = trace([unknown(payload.u16(behind).u16(0))]);
        let redacted = redact(&open(&bytes), &[]).unwrap();
        prop_assert!(!has_text(&redacted.bytes, secret), "{:?}", redacted.secrets);
    }
}
