//! Passwords by the words before them.

use etwkit_synth::payload::Payload;
use etwkit_synth::schema::{Metadata, in_type};
use etwkit_synth::{Buffer, ExtendedItem, Guid, LogfileHeader, ModernEvent, TraceBuilder};

use crate::run::{has_text, open, redact};

/// Redacts a trace with a text in a field of UTF-16 and in 8 bits in an event that no parser knows.
fn redacted(text: &str) -> Vec<u8> {
    let schema = Metadata::event("Said").field("Text", in_type::UTF16, 0);
    let event = ModernEvent::new(Guid::new(0x77)).channel(11).at(LogfileHeader::default().after(1)).by(7, 8);
    let known = event.item(ExtendedItem::schema_tl(schema)).payload(Payload::new().utf16z(text));
    let unknown = ModernEvent::new(Guid::new(0xabcd)).id(7).at(LogfileHeader::default().after(2)).by(7, 8);
    let events = [known, unknown.payload(Payload::new().ansi_z(text))];
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).events(events)).build().bytes;
    redact(&open(&bytes), &[]).unwrap().bytes
}

#[test]
fn what_follows_the_words_for_passwords_is_replaced() {
    for (text, secret) in [
        ("accessToken=pwaaaa4444", "pwaaaa4444"),
        (r#"{"refreshToken":"pwzzzz1235"}"#, "pwzzzz1235"),
        ("access_token=pwaaaa4445&x=1", "pwaaaa4445"),
        ("CancellationToken: abcd1234", "abcd1234"),
        ("pass=geheim77", "geheim77"),
        ("dbPass: geheim77", "geheim77"),
        ("bypass=1;pass=geheim77", "geheim77"),
        ("compass: token=geheim77", "geheim77"),
        ("PublicKeyToken=b77a5c561934e089,password=geheim77", "geheim77"),
        ("DB_PASS=geheim77", "geheim77"),
        ("AccountKey=Zm9vYmFyYmF6cXV4cXV1eA==;x=1", "Zm9vYmFyYmF6cXV4cXV1eA=="),
        ("SharedAccessKey=Zm9vYmFyYmF6cXV4;x=1", "Zm9vYmFyYmF6cXV4"),
        ("DB_PASSWORD_PROD=geheim77", "geheim77"),
        ("API_KEY_2=geheim77", "geheim77"),
        ("password-eu-west: geheim77", "geheim77"),
        ("Authorization: Bearer eeeeEEEE9999", "eeeeEEEE9999"),
        ("authorization: Basic dXNlcjpnZWhlaW0=", "dXNlcjpnZWhlaW0"),
        (r#"{"Authorization":"Bearer eeee.EEEE-9999"}"#, "EEEE-9999"),
        (r#"{\"Proxy-Authorization\": \"Basic dXNlcjpnZWhl\"}"#, "dXNlcjpnZWhl"),
        ("tool --password geheim77 --x", "geheim77"),
        ("tool -password geheim77", "geheim77"),
        ("-password \"geheim 77\"", "geheim 77"),
        ("tool --db-password 'geheim 77'", "geheim 77"),
        ("tool /password:geheim77 /x", "geheim77"),
        ("tool --api-key=geheim77", "geheim77"),
        ("password=abc,def77", "def77"),
        ("password=abc,def77, and", "def77"),
        (r"pwd: \n_geheim77", "geheim77"),
        (r#"password=\"geheim77\""#, "geheim77"),
    ] {
        let bytes = redacted(text);
        assert!(!has_text(&bytes, secret), "{text}: {secret}");
    }
}

#[test]
fn users_and_passwords_of_urls_are_replaced() {
    let long = format!("https://oauth2:{}@srv1/x", "eyJhbGciOiJIUzI1NiJ9".repeat(20));
    for (text, secrets) in [
        ("redis://:Zq99xx@redishost:6379/0", &["Zq99xx", "redishost"][..]),
        ("https://:Zq99xx@host7.corp/x", &["Zq99xx", "host7"]),
        ("git://joe:Zq99xx@srv1/", &["joe", "Zq99xx", "srv1"]),
        ("https://joe:Zq99xx@h/", &["joe", "Zq99xx"]),
        ("mongodb+srv://joeuser:Zq99xx@db7.corp/", &["joeuser", "Zq99xx", "db7"]),
        ("jdbc:oracle:thin://joe:Zq99xx@", &["joe", "Zq99xx"]),
        ("ftp://joeuser:@srv1/", &["joeuser", "srv1"]),
        ("ssh://joeuser@srv1/", &["joeuser", "srv1"]),
        (&long, &["eyJhbGci", "srv1"]),
    ] {
        let bytes = redacted(text);
        for secret in secrets {
            assert!(!has_text(&bytes, secret), "{text}: {secret}");
        }
    }
    let public = "https://www.example.com:8080/a@b, std://x";
    assert!(has_text(&redacted(public), public));
}

#[test]
fn a_token_of_any_length_is_replaced_to_its_end() {
    let token = |end: &str| format!("{}{end}", "eyJhbGciOiJIUzI1NiJ9.".repeat(30));
    let bytes = redacted(&format!("token={} x", token("endOfIt77")));
    assert!(!has_text(&bytes, "endOfIt77") && !has_text(&bytes, "eyJhbGciOiJIUzI1NiJ9"));
}

#[test]
fn what_is_around_passwords_stays() {
    for (text, kept) in [
        ("Server=x;Password=geheim77;Timeout=30", "Timeout=30"),
        ("password=geheim77 user=y", " user=y"),
        ("password=geheim77&user=y", "&user=y"),
        ("password=geheim77, then", ", then"),
        (r#"{"token":geheim77,"next":5}"#, r#","next":5}"#),
        ("<password>=geheim77</password>", "</password>"),
        ("tool --password --verbose", "--password --verbose"),
        ("mscorlib, PublicKeyToken=b77a5c561934e089", "b77a5c561934e089"),
        ("bypass=enabled", "bypass=enabled"),
        ("compass: north77", "north77"),
        ("Passes: 3000", "3000"),
        ("SharedAccessKeyName=RootManage", "RootManage"),
        ("TokenType=primary77", "primary77"),
        ("the secretary: somebody", "somebody"),
        ("reset-password page", "page"),
    ] {
        let bytes = redacted(text);
        assert!(has_text(&bytes, kept), "{text}: {kept}");
    }
}
