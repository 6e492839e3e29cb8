//! UTF-16 of big endian, in events that no parser knows.

use etwkit_redact::{Key, Options, Redaction};
use etwkit_synth::payload::Payload;
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};

use crate::run::{has_text, open, redact};

/// Makes a trace of a text in big endian between bytes.
fn trace(before: &[u8], text: &str, behind: &[u8]) -> Vec<u8> {
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let event = ModernEvent::new(Guid::new(0xabcd)).id(7).at(LogfileHeader::default().after(2)).by(7, 8);
    let event = event.payload(Payload::new().bytes(before).bytes(&big).bytes(behind));
    TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).event(event)).build().bytes
}

/// What may be around a text.
const AROUND: [(&[u8], &[u8]); 4] = [(&[], &[]), (&[1, 2], &[0, 0]), (&[7], &[0, 0, 9]), (&[0, 1, 0x80], &[0xFE])];

#[test]
fn words_are_found_at_any_place() {
    for word in ["Łukasz-Corp", "o’brien", "山田太郎", "Γιώργος", "пароль", "team🚀", "Łuk"] {
        for (before, behind) in AROUND {
            for text in [word.to_owned(), format!("to {}!", word.to_uppercase())] {
                let bytes = trace(before, &text, behind);
                let redacted = redact(&open(&bytes), &[word]).unwrap();
                assert!(has_text(&bytes, word) && !has_text(&redacted.bytes, word), "{text}: {:?}", redacted.secrets);
            }
        }
    }
}

/// The paths are in two parts, because files of the project name no folder of a machine.
#[test]
fn forms_are_found_at_any_place() {
    for (text, secrets) in [
        (concat!(r"C:\Us", r"ers\Łukasz\Pulpit\tajne.txt"), &["ukasz", "Łukasz", "tajne"][..]),
        (concat!(r"C:\Us", r"ers\山田\秘密書類.txt"), &["山田", "秘密書類"]),
        (concat!("/ho", "me/юрий/секретно.txt"), &["юрий", "секретно"]),
        ("password=пароль99", &["пароль", "99"]),
        (r"\\сервер\общая", &["сервер", "общая"]),
        (concat!(r"C:\Us", r"ers\robert"), &["robert"]),
        ("ł https://joe:Zq99xx@srv1/", &["Zq99xx", "srv1"]),
    ] {
        for (before, behind) in AROUND {
            let bytes = trace(before, text, behind);
            let redacted = redact(&open(&bytes), &[]).unwrap();
            for secret in secrets {
                assert!(!has_text(&redacted.bytes, secret), "{text}: {secret}, {:?}", redacted.secrets);
            }
            let nothing = trace(&[], "", &[]);
            let redaction = Redaction::collect(&open(&nothing), &Options::default().key(Key::of(b"a"))).unwrap();
            let error = redaction.check(&open(&bytes), &open(&bytes)).map_err(|error| error.to_string());
            assert!(error.as_ref().is_err_and(|error| error.contains("a secret is left")), "{text}: {error:?}");
        }
    }
}

/// Text of little endian behind a number looks like big endian, but for its first letter.
#[test]
fn little_endian_is_found_once() {
    let text: Vec<u8> =
        concat!(r"łC:\Us", r"ers\margaret\Desktop\plan.txt").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bytes = trace(&[9, 0x41], "", &text);
    let redacted = redact(&open(&bytes), &[]).unwrap();
    let secrets: Vec<_> = redacted.secrets.iter().map(|secret| (&*secret.text, secret.count)).collect();
    assert_eq!(secrets, [("margaret", 1), ("plan", 1)]);
    assert!(!has_text(&redacted.bytes, "margaret"));
}
