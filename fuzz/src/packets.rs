//! Packets from any events, read back.

use std::sync::OnceLock;

use etwkit::FileTime;
use etwkit::decode::{Event, Scratch};
use etwkit::event::{BufferContext, RawEvent};
use etwkit::format::Marker;
use etwkit::schema::text;
use etwkit::schema::{SchemaEntry, SchemaSelector};
use etwkit_packets::{Converter, Drops, Names, Options};

/// The first byte chooses options; then each event is: which one, a byte of marks, a thread, then a length (u16) and as
/// many bytes of payload. What is written must be blocks that another reader takes, and each packet counted.
pub fn packets(data: &[u8]) {
    let Some((choice, mut rest)) = data.split_first() else { return };
    let options = options(*choice);
    let clears = options.clear_protected;
    let mut events: Vec<Vec<u8>> = Vec::new();
    while let Some((head, tail)) = rest.split_first_chunk::<5>() {
        let [which, marks, thread, low, high] = *head;
        let len = usize::from(u16::from_le_bytes([low, high]) & 0x3FFF).min(tail.len());
        let (payload, tail) = tail.split_at(len);
        rest = tail;
        events.push(event(which, marks, thread, payload));
        if events.len() > MOST {
            break;
        }
    }
    let mut names = Names::default();
    each(&events, |event| names.learn(event));
    let Ok(mut converter) = Converter::new(options, names, Vec::new()) else { panic!("memory takes everything") };
    each(&events, |event| assert!(converter.event(event).is_ok(), "memory takes everything"));
    let Ok((totals, out)) = converter.finish() else { panic!("memory takes everything") };
    let (packets, cleared) = read_back(&out);
    assert_eq!(packets, totals.packets);
    assert!(clears || cleared == 0, "bytes change only when asked");
}

/// Events that are examined: enough to fill what may be open.
const MOST: usize = 1 << 13;

fn options(choice: u8) -> Options {
    let drops = match choice & 3 {
        1 => Drops::With,
        2 => Drops::Only,
        _ => Drops::LeaveOut,
    };
    let components = if choice & 0x10 != 0 { vec![1, 2] } else { Vec::new() };
    Options::default()
        .drops(drops)
        .first_appearance(choice & 4 != 0)
        .components(components)
        .clear_protected(choice & 8 != 0)
}

/// Schemas of the events that count, as the manifests have them.
fn schemas() -> &'static [SchemaEntry] {
    static SCHEMAS: OnceLock<Vec<SchemaEntry>> = OnceLock::new();
    SCHEMAS.get_or_init(|| match text::parse(include_str!("packets.schema")) {
        Ok(entries) => entries,
        Err(error) => panic!("{error}"),
    })
}

/// Returns an event: its schema's place in the first byte, then the bytes of the event.
fn event(which: u8, marks: u8, thread: u8, payload: &[u8]) -> Vec<u8> {
    let place = usize::from(which) % schemas().len();
    let Some(entry) = schemas().get(place) else { panic!("the place is within") };
    let SchemaSelector::Manifest { provider, id } = entry.select else { panic!("all are manifests' events") };
    let len = (HEADER + payload.len()) as u16;
    let mut bytes = vec![place as u8];
    bytes.extend_from_slice(&len.to_le_bytes());
    bytes.extend_from_slice(&[19, 0xC0, 0, 0, 0, 0]);
    bytes.extend_from_slice(&u32::from(thread).to_le_bytes());
    bytes.extend_from_slice(&u32::from(marks).to_le_bytes()); // process
    bytes.extend_from_slice(&(i64::from(marks) << 55).to_le_bytes()); // time
    bytes.extend_from_slice(&provider.to_bytes());
    bytes.extend_from_slice(&id.to_le_bytes());
    bytes.extend_from_slice(&[0; 6]);
    bytes.extend_from_slice(&keywords(marks).to_le_bytes());
    bytes.resize(1 + HEADER, 0);
    bytes.extend_from_slice(payload);
    bytes
}

/// `EVENT_HEADER` without extended items.
const HEADER: usize = 80;

/// Returns the keywords that count, a bit of `marks` each.
fn keywords(marks: u8) -> u64 {
    let bits = [0x4000_0000, 0x8000_0000, 0x1_0000, 0x200, 0x1_0000_0000, 0x2_0000_0000, 0x200_0000, 0x100_0000_0000];
    bits.iter().enumerate().filter(|(at, _)| marks >> at & 1 != 0).fold(0, |all, (_, bit)| all | bit)
}

/// Decodes all events, in order.
fn each(events: &[Vec<u8>], mut take: impl FnMut(&Event<'_>)) {
    let mut scratch = Scratch::default();
    for bytes in events {
        let Some((place, bytes)) = bytes.split_first() else { continue };
        let schema = schemas().get(usize::from(*place)).map(|entry| &entry.schema);
        let raw = Marker::read(bytes).and_then(|marker| RawEvent::new(bytes, marker, BufferContext::default()));
        let Some(raw) = raw else { panic!("the synthetic event is one") };
        // As of a trace by system time: its raw time stamps are FILETIMEs.
        let time = Some(FileTime(raw.time().0));
        take(&Event::locate(raw, schema, time, &mut scratch));
    }
}

/// Reads blocks; returns the number of packets and the number of comments about changed bytes.
fn read_back(out: &[u8]) -> (u64, u64) {
    use pcap_parser::pcapng::Block;
    let Ok((rest, file)) = pcap_parser::parse_pcapng(out) else { panic!("what was written is not pcapng") };
    assert!(rest.is_empty(), "{} bytes are not blocks", rest.len());
    let (mut interfaces, mut packets, mut cleared) = (0, 0, 0);
    for block in file.sections.iter().flat_map(|section| &section.blocks) {
        match block {
            Block::SectionHeader(_) => {}
            Block::InterfaceDescription(_) => interfaces += 1,
            Block::EnhancedPacket(packet) => {
                assert!(packet.if_id < interfaces, "an interface comes before its packets");
                assert!(packet.caplen <= packet.origlen);
                let changed = |value: &[u8]| value.windows(19).any(|part| part == b"ProtectedBitCleared");
                cleared += u64::from(packet.options.iter().any(|option| changed(&option.value)));
                packets += 1;
            }
            other => panic!("not written by us: {other:?}"),
        }
    }
    (packets, cleared)
}
