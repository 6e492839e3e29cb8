//! The forms in which secrets are planted.

use etwkit_synth::payload::Payload;
use etwkit_synth::schema::{Metadata, in_type, out_type};
use etwkit_synth::{Event, ExtendedItem, Guid, LogfileHeader, ModernEvent, PointerSize, kernel};

/// A secret that must not be in the output.
#[derive(Clone, Debug)]
pub(crate) enum Planted {
    Text(String),
    Bytes(Vec<u8>),
}

/// What a form makes of a number: an event, and what is secret in it.
pub(crate) type Form = fn(u32) -> (Event, Vec<Planted>);

pub(crate) const FORMS: [(&str, Form); 26] = [
    ("user in a field of UTF-16", |n| text_field("UserName", in_type::UTF16, &word(0, n), &[word(0, n)])),
    ("user in a field of 8 bits", |n| text_field("userName", in_type::ANSI, &word(1, n), &[word(1, n)])),
    ("domain and user", |n| {
        let (domain, user) = (word(2, n), word(22, n));
        text_field("User", in_type::UTF16, &format!(r"{domain}\{user}"), &[domain, user])
    }),
    ("folder of a user", |n| {
        let user = word(3, n);
        text(in_type::UTF16, &format!(r"opened C:\Users\{user}\AppData\Local\x.txt"), &[user])
    }),
    ("folder of a user with a space, 8 bits, doubled backslashes", |n| {
        let user = format!("{} {}", word(4, n), word(24, n));
        text(in_type::ANSI, &format!(r#"{{"path":"C:\\Users\\{user}\\Desktop\\x.txt"}}"#), &[user])
    }),
    ("folder of a user with slashes", |n| {
        let user = word(5, n);
        let home = ["ho", "me"].concat();
        text(in_type::ANSI, &format!("cat /{home}/{user}/notes.md"), &[user])
    }),
    ("file below the folder of a user", |n| {
        let (folder, file) = (word(6, n), word(26, n));
        let path = format!(r"\Device\HarddiskVolume3\Users\someone\Documents\{folder}\{file}.docx");
        text(in_type::UTF16, &path, &[folder, file])
    }),
    ("machine in a field", |n| {
        let (machine, domain) = (word(7, n), word(27, n));
        text_field("ComputerName", in_type::UTF16, &format!("{machine}.{domain}.example"), &[machine, domain])
    }),
    ("server and share", |n| {
        let (server, share) = (word(8, n), word(28, n));
        text(in_type::UTF16, &format!(r"copied to \\{server}\{share}\x"), &[server, share])
    }),
    ("domain in a field", |n| text_field("DomainName", in_type::COUNTED_UTF16, &word(9, n), &[word(9, n)])),
    ("binary SID in a field", |n| {
        let subs = subs(10, n);
        event(Metadata::event("Sid").field("Who", in_type::SID, 0), Payload::new().sid(5, &subs), sid(&subs))
    }),
    ("SID in a text", |n| {
        let subs = subs(11, n);
        let numbers: Vec<String> = subs.iter().map(u32::to_string).collect();
        text(in_type::UTF16, &format!(r"\REGISTRY\USER\S-1-5-{}\x", numbers.join("-")), &[numbers[1..4].join("-")])
    }),
    ("SID in an extended item", |n| {
        let subs = subs(12, n);
        let event = made().channel(11).item(ExtendedItem::sid(5, &subs));
        (event.item(ExtendedItem::schema_tl(Metadata::event("Item"))).payload([]).into(), sid(&subs))
    }),
    ("IPv4 address as a number and as text", |n| {
        let octets = [10, 77, 100 + n as u8, 13];
        let [a, b, c, d] = octets;
        let number = Metadata::event("Ipv4").field("Address", in_type::UINT32, out_type::IPV4);
        let schema = number.field("Text", in_type::ANSI, 0);
        let dotted = format!("{a}.{b}.{c}.{d}");
        let payload = Payload::new().bytes(&octets).ansi_z(&format!("from {dotted}:443"));
        event(schema, payload, vec![Planted::Text(dotted), Planted::Bytes(octets.to_vec())])
    }),
    ("IPv6 address as bytes and as text", |n| {
        let address: std::net::Ipv6Addr = format!("2a02:8071:b{n:x}8:1c00::5{n:x}7").parse().unwrap();
        let schema = Metadata::event("Ipv6").field("Address", in_type::BINARY, out_type::IPV6);
        let schema = schema.field("Text", in_type::UTF16, 0);
        let payload = Payload::new().counted(&address.octets()).utf16z(&format!("[{address}]:80"));
        let bytes = Planted::Bytes(address.octets().to_vec());
        event(schema, payload, vec![Planted::Text(address.to_string()), bytes])
    }),
    ("socket address", |n| {
        let octets = [81, 20 + n as u8, 7, 99];
        let socket = [&[2, 0, 0x1F, 0x90][..], &octets, &[0; 8]].concat();
        let schema = Metadata::event("Socket").field("Peer", in_type::BINARY, out_type::SOCKETADDRESS);
        event(schema, Payload::new().counted(&socket), vec![Planted::Bytes(octets.to_vec())])
    }),
    ("command line", |n| {
        let secret = format!("--customer {} --order 77{n}81", word(16, n));
        let line = format!(r#""C:\Program Files\tool.exe" {secret}"#);
        let event = kernel::process(PointerSize::Eight, 0x0301, 4000 + n, "tool.exe", &line);
        (event.at(LogfileHeader::default().after(1)).into(), vec![Planted::Text(secret)])
    }),
    ("e-mail address", |n| {
        let mail = format!("{}.{}@{}.example", word(17, n), word(37, n), word(38, n));
        text(in_type::ANSI, &format!("sent to <{mail}>"), &[mail])
    }),
    ("password", |n| {
        let password = format!("{}!{n}", word(18, n));
        text(in_type::UTF16, &format!("Server=x;Password={password};"), &[password])
    }),
    ("IPv4 address behind a number that looks like a digit", |n| {
        let address = format!("10.78.{}.13", 100 + n);
        let schema = Metadata::event("Port").field("Port", in_type::UINT16, 0).field("Text", in_type::COUNTED_UTF16, 0);
        let payload = Payload::new().u16(u16::from(b'5')).utf16_counted(&address);
        event(schema, payload, vec![Planted::Text(address)])
    }),
    ("server and share behind a text of 8 bits", |n| {
        let (server, share) = (word(40, n), word(41, n));
        let schema = Metadata::event("Mixed").field("Adapter", in_type::ANSI, 0).field("Text", in_type::UTF16, 0);
        let payload = Payload::new().ansi_z("eth0").utf16z(&format!(r"\\{server}\{share}\x"));
        event(schema, payload, vec![Planted::Text(server), Planted::Text(share)])
    }),
    ("folder of a user without a letter of ASCII", |n| {
        let user: String = word(42, n).chars().map(|c| char::from_u32(0x4E00 + u32::from(c)).unwrap()).collect();
        text(in_type::UTF16, &format!(r"C:\Users\{user}\Desktop\x.txt"), &[user])
    }),
    ("token in camel case", |n| {
        let token = word(43, n);
        text(in_type::ANSI, &format!(r#"{{"refreshToken":"{token}"}}"#), &[token])
    }),
    ("password behind an option", |n| {
        let password = word(44, n);
        text(in_type::UTF16, &format!("tool --db-password {password} --x"), &[password])
    }),
    ("IPv6 address at the end of a sentence", |n| {
        let address = format!("2a02:8071:c{n:x}9:1c00::6{n:x}8");
        text(in_type::UTF16, &format!("server {address}. Bye"), &[address])
    }),
    ("word of the list", |n| text(in_type::UTF16, &format!("about {}.", listed(n).to_uppercase()), &[listed(n)])),
];

/// The word of the list of a number, some of which are not ASCII.
pub(crate) fn listed(n: u32) -> String {
    let word = word(19, n);
    if n.is_multiple_of(2) { format!("{word}ä") } else { word }
}

/// Returns a word that no other form and number has.
fn word(form: u32, n: u32) -> String {
    let mut state = u64::from(form * 1_000 + n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let letter = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + (state >> 40) as u8 % 26)
    };
    let word: String = (0..8).map(letter).collect();
    format!("{}{}", word[..1].to_uppercase(), &word[1..])
}

fn subs(form: u32, n: u32) -> [u32; 5] {
    [21, 1_100_000_000 + form * 7_919 + n, 2_200_000_000 + n, 330_000_000 + form, 1_100 + n]
}

fn sid(subs: &[u32; 5]) -> Vec<Planted> {
    vec![Planted::Bytes(subs[1..4].iter().flat_map(|sub| sub.to_le_bytes()).collect())]
}

fn made() -> ModernEvent {
    ModernEvent::new(Guid::new(0x1122_3344_5566_7788_99aa_bbcc_ddee_ff00))
        .at(LogfileHeader::default().after(1))
        .by(7, 8)
}

fn event(schema: Metadata, payload: Payload, secrets: Vec<Planted>) -> (Event, Vec<Planted>) {
    (made().channel(11).item(ExtendedItem::schema_tl(schema)).payload(payload).into(), secrets)
}

fn text(in_type: u8, text: &str, secrets: &[String]) -> (Event, Vec<Planted>) {
    text_field("Text", in_type, text, secrets)
}

fn text_field(name: &str, in_type: u8, text: &str, secrets: &[String]) -> (Event, Vec<Planted>) {
    let payload = match in_type {
        in_type::UTF16 => Payload::new().utf16z(text),
        in_type::COUNTED_UTF16 => Payload::new().utf16_counted(text),
        _ => Payload::new().ansi_z(text),
    };
    let schema = Metadata::event(&format!("With{name}{in_type}")).field("Before", in_type::UINT32, 0);
    let schema = schema.field(name, in_type, 0).field("After", in_type::UINT32, 0);
    let payload = Payload::new().u32(5).rest(payload.into_bytes()).u32(6);
    event(schema, payload, secrets.iter().cloned().map(Planted::Text).collect())
}
