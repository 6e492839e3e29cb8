//! Planted secrets are gone, and all else is as before.

use etwkit_redact::{Key, Kind, Options, Redaction};
use etwkit_synth::payload::Payload;
use etwkit_synth::schema::{Metadata, in_type};
use etwkit_synth::{
    Buffer, Compression, Event, ExtendedItem, Guid, HeaderText, LogfileHeader, ModernEvent, Trace, TraceBuilder,
};

use crate::forms::{FORMS, Planted, listed};
use crate::run::{fields, has, has_text, open, redact};

/// Numbers of each form.
const EACH: u32 = 10;

/// Makes a trace with all forms, and an event without a schema that states all texts again.
fn planted(wrap: impl Fn(Buffer) -> Buffer) -> (Trace, Vec<(&'static str, Planted)>) {
    let header = LogfileHeader { buffer_size: 65_536, ..LogfileHeader::default() };
    let (mut builder, mut secrets) = (TraceBuilder::new(header), Vec::new());
    for (name, form) in FORMS {
        let (events, planted): (Vec<Event>, Vec<Vec<Planted>>) = (0..EACH).map(form).unzip();
        builder = builder.buffer(wrap(Buffer::on(0).events(events)));
        secrets.extend(planted.into_iter().flatten().map(|secret| (name, secret)));
    }
    let spreads = ["file below", "server and share", "SID", "IPv", "binary", "socket"];
    let again = secrets.iter().filter(|(name, _)| !spreads.iter().any(|spread| name.starts_with(spread)));
    let again =
        again.filter_map(|(_, secret)| if let Planted::Text(text) = secret { Some(said_again(text)) } else { None });
    builder = builder.buffer(wrap(Buffer::on(1).events(again)));
    (builder.build(), secrets)
}

/// No parser knows the event; its text is in UTF-16, in capital letters and at an odd place, and in 8 bits.
fn said_again(text: &str) -> ModernEvent {
    let wide = text.to_uppercase().encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let payload = [&[7][..], &wide, &[0, 0, 0xFE], text.as_bytes(), &[0xFE]].concat();
    ModernEvent::new(Guid::new(0xabcd)).id(7).at(LogfileHeader::default().after(2)).by(7, 8).payload(payload)
}

fn words() -> Vec<String> {
    (0..EACH).map(listed).collect()
}

fn is_in(bytes: &[u8], secret: &Planted) -> bool {
    match secret {
        Planted::Text(text) => has_text(bytes, text),
        Planted::Bytes(part) => has(bytes, part),
    }
}

#[test]
fn two_hundred_and_sixty_secrets_in_all_forms_are_gone() {
    let (trace, secrets) = planted(|buffer| buffer);
    assert!(secrets.len() >= 260 && FORMS.len() == 26);
    for (form, secret) in &secrets {
        assert!(is_in(&trace.bytes, secret), "{form}: {secret:?} is not there at first");
    }
    let old = open(&trace.bytes);
    let words = words();
    let redacted = redact(&old, &words.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    let left: Vec<_> = secrets.iter().filter(|(_, secret)| is_in(&redacted.bytes, secret)).collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(redacted.bytes.len(), trace.bytes.len());
    let (before, after) = (fields(&old), fields(&open(&redacted.bytes)));
    assert_eq!(before, after);
    assert!(
        before.iter().filter(|(name, ..)| name.starts_with("With")).all(|(_, fields, fits)| fields.len() == 3 && *fits)
    );
    let kinds = redacted.report.by_kind();
    for kind in
        [Kind::User, Kind::Sid, Kind::Machine, Kind::Domain, Kind::Address, Kind::Path, Kind::Command, Kind::Mail]
    {
        assert!(kinds.get(&kind).is_some_and(|count| *count >= 10), "{kind:?}: {kinds:?}");
    }
    assert_eq!(redacted.report.events, before.len() as u64);
}

#[test]
fn secrets_in_compressed_buffers_are_gone() {
    for packing in [Compression::Xpress, Compression::XpressHuffman, Compression::Lznt1] {
        let (trace, secrets) = planted(|buffer| buffer.compress(packing));
        let old = open(&trace.bytes);
        let words = words();
        let redacted = redact(&old, &words.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        let left: Vec<_> = secrets.iter().filter(|(_, secret)| is_in(&redacted.bytes, secret)).collect();
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(redacted.report.unpacked_buffers, 1 + FORMS.len() as u64);
        assert_eq!(fields(&old), fields(&open(&redacted.bytes)));
    }
}

#[test]
fn keys_and_not_runs_decide_pseudonyms() {
    let (trace, _) = planted(|buffer| buffer);
    let trace = open(&trace.bytes);
    let run = |key: Option<Key>| {
        let options = key.into_iter().fold(Options::default(), Options::key);
        let mut redaction = Redaction::collect(&trace, &options).unwrap();
        let mut out = Vec::new();
        redaction.write(&trace, &mut out).unwrap();
        out
    };
    assert!(run(Some(Key::of(b"a"))) == run(Some(Key::of(b"a"))));
    assert!(run(Some(Key::of(b"a"))) != run(Some(Key::of(b"b"))));
    assert!(run(None) != run(None));
}

#[test]
fn one_secret_has_one_pseudonym_in_all_forms() {
    let user = FORMS[0].1(0).1.swap_remove(0);
    let Planted::Text(user) = user else { panic!("{user:?}") };
    let path = format!(r"C:\Users\{}\x", user.to_uppercase());
    let header = LogfileHeader::default();
    let builder = TraceBuilder::new(header).log(0, FORMS[0].1(0).0).log(0, said_again(&path)).log(0, said_again(&user));
    let redacted = redact(&open(&builder.build().bytes), &[]).unwrap();
    let secret = redacted.secrets.iter().find(|secret| secret.text == user.to_lowercase()).unwrap();
    assert_eq!((secret.kind, secret.count), (Kind::User, 5));
    assert!(has_text(&redacted.bytes, &secret.pseudonym) && secret.pseudonym != secret.text);
}

#[test]
fn what_is_no_event_is_cleared() {
    let header = LogfileHeader {
        session_name: HeaderText::Whole(r"log of C:\Users\Marguerite\x".to_owned()),
        ..LogfileHeader::default()
    };
    let mut bytes = TraceBuilder::new(header).buffer(Buffer::on(0).event(said_again("marguerite"))).build().bytes;
    let len = bytes.len();
    bytes[len - 40..len - 30].copy_from_slice(b"marguerite");
    bytes.extend(b"after the last buffer: marguerite");
    let redacted = redact(&open(&bytes), &[]).unwrap();
    assert!(!has_text(&redacted.bytes, "marguerite"));
    assert_eq!((redacted.report.slack_bytes, redacted.report.gap_bytes), (10, 33));
    assert_eq!(redacted.bytes.len(), bytes.len());
}

#[test]
fn what_says_nothing_about_anybody_stays() {
    let texts = [
        r"C:\Users\Public\Desktop",
        "S-1-5-18",
        "127.0.0.1",
        "[::1]:80",
        r"NT AUTHORITY\SYSTEM",
        "12:34:56.789",
        r"\\.\pipe\x",
        "mscorlib, Version=4.0.0.0, PublicKeyToken=b77a5c561934e089",
        "6.0.6001.18000",
        r"GAC_64\mscorlib\v4.0_4.1.0.2__b77a5c561934e089\mscorlib.dll",
        "Microsoft.SkypeApp_14.56.102.3_x64__kzf8qxf38zg5c",
        "x_6595b64144ccf1df_6.0.190.1_none_c8ad3ab1f0f3fa27",
        "ModuleVersion=\"3.1.0.7\"",
        "app v1.2.3.4",
        "Package_3_for_KB2901982~31bf3856ad364e35~amd64~~6.2.1.1.cat",
        "assembly 10.0.0.0",
        "https://www.example.com/path",
        "http://+:80/x",
        "http://server/x",
        "res://ieframe.dll/x",
        "00-00-00-00-00-00-00-E0",
        "FF:FF:FF:FF:FF:FF",
        "win-development",
        "std::vector",
        r"\\?\C:\Windows",
    ];
    let item = ExtendedItem::sid(5, &[18]);
    let events = texts.map(|text| said_again(text).item(item.clone()));
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).events(events)).build().bytes;
    let redacted = redact(&open(&bytes), &[]).unwrap();
    for text in texts {
        assert!(has_text(&redacted.bytes, text), "{text}: {:?}", redacted.secrets);
    }
}

#[test]
fn an_output_with_a_secret_fails_the_last_scan() {
    let (trace, _) = planted(|buffer| buffer);
    let old = open(&trace.bytes);
    let options = Options::default().key(Key::of(b"a")).words(words());
    let mut redaction = Redaction::collect(&old, &options).unwrap();
    let mut out = Vec::new();
    redaction.write(&old, &mut out).unwrap();
    redaction.check(&old, &open(&out)).unwrap();
    let error =
        |bytes: &[u8]| redaction.check(&old, &open(bytes)).err().map_or_else(String::new, |error| error.to_string());
    assert!(error(&trace.bytes).contains("a secret is left"));
    // One event alone of each buffer.
    for buffer in old.buffers().skip(1) {
        let range = buffer.offset as usize..(buffer.offset + u64::from(buffer.size)) as usize;
        let mut one = out.clone();
        one[range.clone()].copy_from_slice(&trace.bytes[range.clone()]);
        assert!(error(&one).contains("a secret is left"), "{buffer:?} {}", error(&one));
    }
}

#[test]
fn machines_are_known_by_what_is_around_their_names() {
    let texts = [
        ("http://lagerhaus7:80/hello.htm", "lagerhaus7"),
        ("ldap://dc03.bergwerk.local/o=x", "bergwerk"),
        ("https://hannelore:geheim99@www.example.com/", "hannelore"),
        ("https://hannelore:geheim99@www.example.com/", "geheim99"),
        ("built by: DESKTOP-71NH28S_PRERELEASE", "DESKTOP-71NH28S"),
        (r"C:\PerfLogs\Admin\KUPFER2_20120619-000003\DataCollector01.etl", "kupfer2"),
        ("from 00:1d:09:AB:cd:7e", "1d:09"),
    ];
    let events = texts.iter().map(|(text, _)| said_again(text)).chain(texts.iter().map(|(_, word)| said_again(word)));
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).events(events)).build().bytes;
    let redacted = redact(&open(&bytes), &[]).unwrap();
    for (text, secret) in texts.iter().filter(|(_, secret)| !secret.contains(':')) {
        assert!(!has_text(&redacted.bytes, secret), "{text}: {:?}", redacted.secrets);
    }
    assert!(!has_text(&redacted.bytes, "00:1d:09"));
}

/// Redacts events without a schema that state texts, and a field with the name of a domain, and asserts what is gone.
fn assert_gone(texts: &[&str], secrets: &[&str]) {
    let schema = Metadata::event("Domain").field("DomainName", in_type::UTF16, 0);
    let domain = ModernEvent::new(Guid::new(0x77)).channel(11).at(LogfileHeader::default().after(1)).by(7, 8);
    let domain = domain.item(ExtendedItem::schema_tl(schema)).payload(Payload::new().utf16z("FABRIKAM"));
    let said = |text: &&str| {
        let payload = Payload::new().utf16z(text).ansi_z(text);
        ModernEvent::new(Guid::new(0xabcd)).id(7).at(LogfileHeader::default().after(2)).by(7, 8).payload(payload)
    };
    let events = std::iter::once(domain).chain(texts.iter().map(said));
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).events(events)).build().bytes;
    let redacted = redact(&open(&bytes), &[]).unwrap();
    for secret in secrets {
        assert!(has_text(&bytes, secret) && !has_text(&redacted.bytes, secret), "{secret}: {:?}", redacted.secrets);
    }
    assert!(has_text(&redacted.bytes, r"\tool.exe"));
}

#[test]
fn users_of_a_known_domain_are_known_by_it() {
    let texts = [
        r"FABRIKAM\anna.bell logged on",
        r"by FABRIKAM\carlos.",
        r"/user:FABRIKAM\dorothea",
        r"owner:FABRIKAM\emilio",
        r#"{"user":"FABRIKAM\\fritzi"}"#,
        r"FABRIKAM\tool.exe",
    ];
    assert_gone(&texts, &["anna.bell", "carlos", "dorothea", "emilio", "fritzi"]);
}

#[test]
fn shares_in_the_form_of_the_kernel_are_found() {
    let texts = [
        r"\\?\UNC\LAGER01\geheim01\x",
        r"\??\UNC\LAGER02\geheim02\x",
        r"\Device\Mup\LAGER03\geheim03\x",
        r"\Device\LanmanRedirector\LAGER04\geheim04\x",
        r"\Device\LanmanRedirector\;X:000000000000abcd\LAGER05\geheim05\x",
        r"\Device\Mup\;LanmanRedirector\;X:000000000000abcd\LAGER06\geheim06\x",
        r"\x\tool.exe",
    ];
    let secrets: Vec<String> = (1..7).flat_map(|n| [format!("lager0{n}"), format!("geheim0{n}")]).collect();
    assert_gone(&texts, &secrets.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn paths_in_urls_and_passwords_in_quotes_are_replaced() {
    let texts = [
        "C%3A%5CUsers%5Ckclarkson%5CDesktop%5Cgeheimplan.docx",
        "password=\"doppelt gemoppelt\"",
        "pwd: 'einfach gestrickt'",
        r#"{\"Password\": \"fein verwoben\", \"next\": 1}"#,
        r#"\\\"token\\\":\\\"tief verschachtelt\\\""#,
        r"\x\tool.exe",
    ];
    assert_gone(
        &texts,
        &[
            "kclarkson",
            "geheimplan",
            "doppelt",
            "gemoppelt",
            "einfach",
            "gestrickt",
            "fein",
            "verwoben",
            "tief",
            "verschachtelt",
        ],
    );
}

#[test]
fn a_user_with_a_space_has_one_pseudonym_in_paths_and_urls() {
    // In two parts, because files of the project name no folder of a machine.
    let texts = [r"C:\Users\Konrad Clarkson\x", concat!("file:///C:/Us", "ers/Konrad%20Clarkson/x")];
    let events = texts.map(said_again);
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).events(events)).build().bytes;
    let redacted = redact(&open(&bytes), &[]).unwrap();
    let users: Vec<_> = redacted.secrets.iter().filter(|secret| secret.kind == Kind::User).collect();
    let [user] = users[..] else { panic!("{users:?}") };
    assert_eq!(user.text, "konrad clarkson");
    assert!(has_text(&redacted.bytes, &format!("/{}/", user.pseudonym.replace(' ', "%20"))), "{users:?}");
}
