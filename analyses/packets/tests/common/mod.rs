//! Reads pcapng back with a reader that is not ours.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests")]
#![allow(dead_code, reason = "not every test uses all of it")]

use std::fmt::Write;

use etwkit::input::Input;
use etwkit::trace::Trace;
use etwkit_packets::{Options, Totals, write_pcapng};
use pcap_parser::pcapng::{Block, PcapNGOption};
use pcap_parser::traits::PcapNGPacketBlock;

/// Options: code and bytes.
pub(crate) type Tags = Vec<(u16, Vec<u8>)>;

/// A packet that was read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packet {
    pub(crate) interface: u32,
    pub(crate) time: u64,
    pub(crate) original: u32,
    pub(crate) data: Vec<u8>,
    pub(crate) options: Tags,
}

impl Packet {
    pub(crate) fn comment(&self) -> &str {
        self.options.iter().find(|(code, _)| *code == 1).map_or("", |(_, text)| std::str::from_utf8(text).unwrap())
    }

    /// `epb_flags`.
    pub(crate) fn flags(&self) -> Option<u32> {
        self.number(2, |bytes| u32::from_le_bytes(bytes.try_into().unwrap()).into()).map(|flags| flags as u32)
    }

    /// `epb_packetid`.
    pub(crate) fn id(&self) -> Option<u64> {
        self.number(5, |bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
    }

    fn number(&self, code: u16, read: impl Fn(&[u8]) -> u64) -> Option<u64> {
        self.options.iter().find(|(found, _)| *found == code).map(|(_, bytes)| read(bytes))
    }
}

/// What was read back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Capture {
    /// Link type and options of each interface.
    pub(crate) interfaces: Vec<(i32, Tags)>,
    pub(crate) packets: Vec<Packet>,
    pub(crate) section: Tags,
}

impl Capture {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let (rest, file) = pcap_parser::parse_pcapng(bytes).unwrap();
        assert!(rest.is_empty(), "{} bytes are not blocks", rest.len());
        let mut capture = Self::default();
        for block in file.sections.iter().flat_map(|section| &section.blocks) {
            match block {
                Block::SectionHeader(header) => capture.section = options(&header.options),
                Block::InterfaceDescription(block) => {
                    capture.interfaces.push((block.linktype.0, options(&block.options)));
                }
                Block::EnhancedPacket(block) => {
                    assert!((block.if_id as usize) < capture.interfaces.len(), "an interface comes before its packets");
                    capture.packets.push(Packet {
                        interface: block.if_id,
                        time: u64::from(block.ts_high) << 32 | u64::from(block.ts_low),
                        original: block.origlen,
                        data: block.packet_data().to_vec(),
                        options: options(&block.options),
                    });
                }
                Block::InterfaceStatistics(_) => {}
                other => panic!("{other:?}"),
            }
        }
        capture
    }

    /// Returns all of it as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (number, (link, options)) in self.interfaces.iter().enumerate() {
            writeln!(text, "interface {number} link {link} {}", shown(options)).unwrap();
        }
        for packet in &self.packets {
            let Packet { interface, time, original, data, options } = packet;
            writeln!(text, "{time} on {interface}: {} of {original} bytes {}", data.len(), shown(options)).unwrap();
            let mut hex = String::new();
            for byte in data {
                write!(hex, "{byte:02x}").unwrap();
            }
            writeln!(text, "    {hex}").unwrap();
        }
        text
    }
}

fn options(options: &[PcapNGOption<'_>]) -> Vec<(u16, Vec<u8>)> {
    let value = |option: &PcapNGOption<'_>| option.value[..usize::from(option.len)].to_vec();
    options.iter().filter(|option| option.code.0 != 0).map(|option| (option.code.0, value(option))).collect()
}

fn shown(options: &[(u16, Vec<u8>)]) -> String {
    let one = |(code, value): &(u16, Vec<u8>)| match std::str::from_utf8(value) {
        Ok(text) if !text.chars().any(char::is_control) => format!("[{code} {text}]"),
        _ => format!("[{code} {value:02x?}]"),
    };
    options.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Reads a trace.
pub(crate) fn census(source: Input) -> Trace {
    Trace::open(source, etwkit_parsers::standard()).unwrap()
}

/// Converts a trace.
pub(crate) fn convert(trace: &Trace, options: Options) -> (Capture, Totals) {
    let mut out = Vec::new();
    let totals = write_pcapng(trace, options, &mut out).unwrap();
    let capture = Capture::read(&out);
    assert_eq!(capture.packets.len() as u64, totals.packets);
    assert_eq!(capture.interfaces.len() as u64, totals.interfaces);
    (capture, totals)
}
