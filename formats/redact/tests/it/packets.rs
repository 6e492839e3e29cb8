//! Addresses in network packets are replaced, and checksums fit.

use etwkit_corpus::traces;
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder, packets};

use crate::run::{Redacted, fields, has, open, redact};

const OURS: [u8; 6] = [0x00, 0x22, 0x48, 0x7B, 0xB3, 0x80];
const THEIRS: [u8; 6] = [0x94, 0x8E, 0xD3, 0xC5, 0xF7, 0x48];
const FROM: [u8; 4] = [10, 109, 221, 14];
const TO: [u8; 4] = [81, 169, 145, 77];
const LOCAL: [u8; 16] = [0x2A, 2, 0x80, 0x71, 0xB1, 0x98, 0x1C, 0, 0, 0, 0, 0, 0, 0x57, 0x33, 0x91];
const REMOTE: [u8; 16] = [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0x14, 0x6D, 0x26, 0x60, 0x97, 0xD3, 0x8F, 0x6A];

fn sum(bytes: &[u8]) -> u16 {
    let word = |pair: &[u8]| u32::from(pair[0]) << 8 | pair.get(1).copied().map_or(0, u32::from);
    let sum: u32 = bytes.chunks(2).map(word).sum();
    let sum = (sum >> 16) + (sum & 0xFFFF);
    !((sum >> 16) + (sum & 0xFFFF)) as u16
}

fn ethernet(kind: [u8; 2], body: &[u8]) -> Vec<u8> {
    [&OURS[..], &THEIRS, &kind, body].concat()
}

/// UDP over IPv4 with right checksums.
fn ipv4(body: &[u8]) -> Vec<u8> {
    let len = (8 + body.len()) as u16;
    let pseudo = [&FROM[..], &TO, &[0, 17], &len.to_be_bytes()].concat();
    let mut udp = [&[0x13, 0x88, 0, 53][..], &len.to_be_bytes(), &[0, 0], body].concat();
    let check = sum(&[pseudo, udp.clone()].concat());
    udp[6..8].copy_from_slice(&check.to_be_bytes());
    with_header(17, &udp)
}

fn with_header(protocol: u8, body: &[u8]) -> Vec<u8> {
    let len = (20 + body.len() as u16).to_be_bytes();
    let mut header = [&[0x45, 0][..], &len, &[0x12, 0x34, 0x40, 0, 64, protocol, 0, 0], &FROM, &TO].concat();
    let check = sum(&header);
    header[10..12].copy_from_slice(&check.to_be_bytes());
    [&header, body].concat()
}

/// A neighbor solicitation with its target and the address of an adapter.
fn ipv6() -> Vec<u8> {
    let icmp = [&[135, 0, 0x11, 0x22, 0, 0, 0, 0][..], &LOCAL, &[1, 1], &OURS].concat();
    [&[0x60, 0, 0, 0][..], &(icmp.len() as u16).to_be_bytes(), &[58, 255], &LOCAL, &REMOTE, &icmp].concat()
}

fn arp() -> Vec<u8> {
    ethernet([8, 6], &[&[0, 1, 8, 0, 6, 4, 0, 1][..], &OURS, &FROM, &[0; 6], &TO].concat())
}

fn run(events: impl IntoIterator<Item = ModernEvent>) -> (Vec<u8>, Redacted) {
    let events = events.into_iter().map(|event| event.at(LogfileHeader::default().after(1)));
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).events(events)).build().bytes;
    let redacted = redact(&open(&bytes), &[]).unwrap();
    assert_eq!(fields(&open(&bytes)), fields(&open(&redacted.bytes)));
    assert_eq!(bytes.len(), redacted.bytes.len());
    (bytes, redacted)
}

fn appearance(kind: u16, data: &[u8]) -> ModernEvent {
    let (component, original) = (3, data.len() as u16);
    packets::Appearance { group: 1, number: 1, direction: 3, kind, component, drop: (0, 0), original, data }.event()
}

/// No parser knows the event.
fn unknown(data: &[u8]) -> ModernEvent {
    ModernEvent::new(Guid::new(0xabce)).id(9).payload([&[1, 2, 3][..], data].concat())
}

#[test]
fn addresses_in_packets_are_replaced() {
    let tagged = [&OURS[..], &THEIRS, &[0x81, 0, 0, 5, 8, 0], &ipv4(b"tagged")].concat();
    // The packet that could not be delivered is in the error.
    let error = [&[3, 1, 0x55, 0x66, 0, 0, 0, 0][..], &ipv4(b"lost")].concat();
    let icmp = with_header(1, &error);
    let mut unsummed = ipv4(b"sent");
    unsummed[10..12].fill(0);
    let data = [
        ethernet([8, 0], &ipv4(b"hello")),
        ethernet([0x86, 0xDD], &ipv6()),
        arp(),
        tagged,
        ethernet([8, 0], &icmp),
        ethernet([0x88, 0xCC], &[2, 7]),
        ethernet([8, 0], &unsummed),
    ];
    let known =
        data.iter().map(|data| packets::true_fragment(4, packets::keyword::ETHERNET | packets::keyword::WHOLE, data));
    let monitored = data.iter().map(|data| appearance(1, data)).chain([appearance(3, &ipv4(b"bare"))]);
    let (old, redacted) = run(known.chain(monitored).chain(data[..5].iter().map(|data| unknown(data))));
    for secret in [&OURS[..], &THEIRS, &FROM, &TO, &LOCAL, &REMOTE] {
        assert!(has(&old, secret));
        assert!(!has(&redacted.bytes, secret), "{secret:x?} {:?}", redacted.secrets);
    }
    assert_eq!(redacted.secrets.len(), 6, "{:?}", redacted.secrets);
}

#[test]
fn checksums_of_packets_fit_what_replaced_the_addresses() {
    let packet = ethernet([8, 0], &ipv4(b"an odd payload!"));
    let (old, redacted) = run([unknown(&packet)]);
    let at = old.windows(packet.len()).position(|window| window == packet).unwrap();
    let made = &redacted.bytes[at..at + packet.len()];
    let (header, udp) = made[14..].split_at(20);
    assert_eq!((sum(header), made[12..14].to_vec()), (0, vec![8, 0]));
    assert_eq!(sum(&[&header[12..20], &[0, 17], &udp[4..6], udp].concat()), 0);
    assert!(header[12..16] != FROM && header[16..20] != TO && made[..6] != OURS);
}

#[test]
fn the_address_of_an_adapter_is_found_in_all_bytes_once_it_is_known() {
    let event = unknown(&arp());
    let guid = [&[0x85, 0xF2, 0x9E, 0x68, 0x22, 0xEF, 0x11, 0x86, 0xC4, 7][..], &OURS].concat();
    let texts = ["00:22:48:7B:B3:80", "00-22-48-7b-b3-80", "{9ef85291-2268-11ef-86c4-0022487bb380}"];
    let others = texts.map(|text| unknown(text.as_bytes()));
    let (old, redacted) = run([event, unknown(&guid), unknown(&LOCAL)].into_iter().chain(others));
    for secret in [&OURS[..], b"22487bb380", b"22:48:7B", b"22-48-7b"] {
        assert!(has(&old, secret) && !has(&redacted.bytes, secret), "{secret:x?}");
    }
    // Nothing states that the sixteen bytes are an address.
    assert!(has(&redacted.bytes, &LOCAL));
    let made = &redacted.secrets.iter().find(|secret| secret.text == "00-22-48-7b-b3-80").unwrap().pseudonym;
    for text in [made.clone(), made.replace('-', ""), made.replace('-', ":").to_uppercase()] {
        assert!(has(&redacted.bytes, text.as_bytes()), "{text}");
    }
}

#[test]
fn bytes_that_only_resemble_packets_stay() {
    let mut wrong = ipv4(b"x");
    wrong[10] ^= 1;
    let multicast =
        [&[0x33, 0x33, 0, 0, 0, 1][..], &[0xFF; 6], &[8, 6], &arp()[14..22], &[0; 6], &[0; 4], &[0xFF; 6], &[255; 4]]
            .concat();
    for data in [ethernet([8, 0], &wrong), multicast, ethernet([0x86, 0xDD], &[0x61; 60])] {
        let (old, redacted) = run([unknown(&data)]);
        assert!(has(&old, &data) && has(&redacted.bytes, &data), "{data:x?} {:?}", redacted.secrets);
    }
}

#[test]
fn no_address_of_a_real_capture_is_left() {
    let Some((_, path)) = traces().into_iter().find(|(name, _)| name.contains("PktMon")) else { return };
    let old = etwkit::Trace::open(&path, etwkit_parsers::standard()).unwrap();
    let redacted = redact(&old, &[]).unwrap();
    for address in
        [&[10, 9, 1, 22][..], &[10, 9, 1, 14], &[0, 0x22, 0x48, 0x7B, 0xB3, 0x80], &[0, 0x22, 0x48, 0x7B, 0xB0, 0x99]]
    {
        assert!(!has(&redacted.bytes, address), "{address:x?}");
    }
}
