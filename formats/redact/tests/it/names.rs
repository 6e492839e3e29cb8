//! Names without a letter of ASCII, and secrets that are in two places.

use etwkit_redact::Kind;
use etwkit_synth::payload::Payload;
use etwkit_synth::schema::{Metadata, in_type};
use etwkit_synth::{Buffer, ExtendedItem, Guid, LogfileHeader, ModernEvent, TraceBuilder};

use crate::run::{Redacted, has_text, open, redact};

fn event(field: &str, text: &str) -> ModernEvent {
    let event = ModernEvent::new(Guid::new(0x77)).channel(11).at(LogfileHeader::default().after(1)).by(7, 8);
    let schema = Metadata::event("Said").field(field, in_type::UTF16, 0);
    event.item(ExtendedItem::schema_tl(schema)).payload(Payload::new().utf16z(text))
}

/// In 8 bits, in an event that no parser knows.
fn narrow(text: &str) -> ModernEvent {
    let event = ModernEvent::new(Guid::new(0xabcd)).id(7).at(LogfileHeader::default().after(2)).by(7, 8);
    event.payload(Payload::new().ansi_z(text))
}

fn run(events: impl IntoIterator<Item = ModernEvent>) -> Redacted {
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).events(events)).build().bytes;
    redact(&open(&bytes), &[]).unwrap()
}

#[test]
fn names_without_a_letter_of_ascii_are_names() {
    for name in ["山田", "Γιώργος", "김민준", "สมชาย", "שרה", "محمد", "éèêà", "Łukasz", "山田a"]
    {
        // In two parts, because files of the project name no folder of a machine.
        let path = format!(concat!(r"C:\Us", r"ers\{}\secret plan.docx"), name);
        for event in [event("Path", &path), narrow(&path)] {
            let redacted = run([event]);
            assert!(!has_text(&redacted.bytes, name), "{name}: {:?}", redacted.secrets);
            assert!(!has_text(&redacted.bytes, "secret plan"), "{name}: {:?}", redacted.secrets);
            assert!(
                redacted
                    .secrets
                    .iter()
                    .any(|secret| (secret.kind, &*secret.text) == (Kind::User, &*name.to_lowercase().replace('ς', "σ")))
            );
        }
        for share in [format!(r"\\{name}サーバ\共有\x"), format!(r"\Device\Mup\{name}\共有\x")] {
            let redacted = run([event("Share", &share)]);
            assert!(!has_text(&redacted.bytes, name), "{share}: {:?}", redacted.secrets);
            assert!(!has_text(&redacted.bytes, "共有"), "{share}: {:?}", redacted.secrets);
        }
    }
    let latin: Vec<u8> = concat!(r"C:\Us", r"ers\éèêà\plan77").chars().map(|c| c as u8).chain([0]).collect();
    let event_of = ModernEvent::new(Guid::new(0xabcd)).id(7).at(LogfileHeader::default().after(2)).by(7, 8);
    let redacted = run([event_of.payload(Payload::new().bytes(&latin))]);
    assert!(!has_text(&redacted.bytes, "éèêà") && !has_text(&redacted.bytes, "plan77"), "{:?}", redacted.secrets);
    let nobody = run([event("Path", concat!(r"C:\Us", r"ers\…\x"))]);
    assert!(has_text(&nobody.bytes, r"\…\x"));
}

#[test]
fn arguments_have_one_pseudonym_in_command_lines_and_texts() {
    let texts = ["app.exe quuxdatabase", "\"C:\\a b\\app.exe\"  quuxdatabase ", "app.exe\tquuxdatabase"];
    for line in texts {
        let redacted =
            run([event("CommandLine", line), event("Text", "of quuxdatabase."), event("UserName", " anneliese ")]);
        let secrets: Vec<&str> = redacted.secrets.iter().map(|secret| &*secret.text).collect();
        assert_eq!(secrets, ["anneliese", "quuxdatabase"], "{line:?}");
        assert_eq!(redacted.secrets[1].count, 2);
    }
}

#[test]
fn arguments_are_looked_for_by_themselves() {
    let line = r#"app.exe --customer Contoso99 --to=fabrikam7 "plan of 2027" background --k v"#;
    let texts = ["order for Contoso99 is late", "CONTOSO99: to fabrikam7.", "the plan of 2027, in background"];
    let redacted = run([event("CommandLine", line)]
        .into_iter()
        .chain(texts.iter().flat_map(|text| [event("Text", text), narrow(text)])));
    for secret in ["Contoso99", "fabrikam7", "plan of 2027"] {
        assert!(!has_text(&redacted.bytes, secret), "{secret}: {:?}", redacted.secrets);
    }
    // A word that many traces have.
    assert!(has_text(&redacted.bytes, ", in background"));
    assert!(!has_text(&redacted.bytes, "background --"), "the line is a secret as a whole");
}

/// Names of services, programs and numbers are arguments on all machines.
#[test]
fn arguments_do_not_change_names_and_other_words() {
    let line = r"svchost.exe -k LocalServiceNet EventLog C:\Windows\System32\tool7.dll,Run 0xffffffff";
    let texts = [r"C:\Windows\System32\tool7.dll", "status 0xffffffff", "MyEventLogs", "EventLog_7"];
    let redacted = run([event("CommandLine", line), event("EventLog", "x")]
        .into_iter()
        .chain(texts.iter().map(|text| event("Text", text))));
    assert!(has_text(&redacted.bytes, "EventLog\0"), "the name of a field stays");
    for text in &texts[..3] {
        assert!(has_text(&redacted.bytes, text), "{text}: {:?}", redacted.secrets);
    }
}

#[test]
fn a_short_name_of_a_host_has_the_pseudonym_of_the_long_one() {
    let redacted = run([
        event("HostName", "Srvdd1.intra.corpxx.net"),
        event("ComputerName", "srvdd1"),
        event("DomainName", "INTRA.corpxx.net"),
    ]);
    let of = |secret: &str| redacted.secrets.iter().find(|known| known.text == secret).unwrap().pseudonym.clone();
    let (long, short, domain) = (of("srvdd1.intra.corpxx.net"), of("srvdd1"), of("intra.corpxx.net"));
    assert_eq!(long, format!("{short}.{domain}"));
    assert!(!has_text(&redacted.bytes, "srvdd1") && !has_text(&redacted.bytes, "corpxx"));
}

#[test]
fn addresses_with_the_numbers_of_an_ipv4_address_are_replaced() {
    for (text, secrets) in [
        ("at 2001:db8:aaaa:bbbb:cccc:dddd:10.9.8.7 now", &["aaaa:bbbb:cccc:dddd", "10.9.8.7"][..]),
        ("[2001:DB8::ABCD:10.9.8.7]:80", &["abcd:", "10.9.8.7"]),
        ("fe80::abcd:5efe:10.9.8.7.", &["abcd:5efe", "10.9.8.7"]),
        ("2001:db8::abcd:10.9.8.7: refused", &["abcd:", "10.9.8.7"]),
        ("peer=::ffff:10.9.8.7", &["10.9.8.7"]),
        ("::10.9.8.7", &["10.9.8.7"]),
    ] {
        let redacted = run([event("Text", text), narrow(text)]);
        for secret in secrets {
            assert!(!has_text(&redacted.bytes, secret), "{text}: {:?}", redacted.secrets);
        }
    }
    // The IPv4 address has one pseudonym.
    let redacted = run([event("Text", "2001:db8::abcd:10.9.8.7"), event("Text", "10.9.8.7, ::ffff:10.9.8.7")]);
    let of = |secret: &str| redacted.secrets.iter().find(|known| known.text == secret).unwrap().pseudonym.clone();
    let short = of("10.9.8.7");
    assert!(of("2001:db8::abcd:10.9.8.7").ends_with(&format!(":{short}")), "{:?}", redacted.secrets);
    assert_eq!(of("::ffff:10.9.8.7"), format!("::ffff:{short}"));
}

#[test]
fn addresses_at_the_end_of_sentences_are_replaced() {
    for text in [
        "server 2001:db8::9abc:def7. Bye",
        "server 2001:db8::9abc:def7.",
        "2001:db8::9abc:def7: refused",
        "at 2001:db8:1:2:3:4:9abc:def7: refused",
        "(2001:db8::9abc:def7)",
    ] {
        let redacted = run([event("Text", text), narrow(text)]);
        assert!(!has_text(&redacted.bytes, "9abc:def7"), "{text}: {:?}", redacted.secrets);
    }
    for text in ["12:34:56.789", "std::vector", "a::b.c", "1:2:3:4:5:6:7:8:9"] {
        assert!(has_text(&run([event("Text", text)]).bytes, text), "{text}");
    }
}

#[test]
fn a_user_of_a_domain_is_known_though_a_number_is_before_it() {
    let event_of = |payload: Payload| {
        ModernEvent::new(Guid::new(0xabcd)).id(7).at(LogfileHeader::default().after(2)).by(7, 8).payload(payload)
    };
    let redacted = run([
        event("DomainName", "FABRIKAM"),
        event_of(Payload::new().u16(53).utf16z(r"FABRIKAM\anna.bell")),
        narrow("by anna.bell"),
    ]);
    assert!(!has_text(&redacted.bytes, "anna.bell"), "{:?}", redacted.secrets);
}
