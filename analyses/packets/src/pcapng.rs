//! Writes pcapng: section header, interfaces, packets.
//!
//! Source: draft-ietf-opsawg-pcapng. Numbers are little-endian; blocks and options are padded to four bytes.

use std::io::{self, Write};

use etwkit::bytes::cut_text;

use crate::limits;

/// How the bytes of a packet begin (`LINKTYPE_*` of the registry at tcpdump.org).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LinkType {
    /// An Ethernet header.
    Ethernet,
    /// An IPv4 or IPv6 header.
    Ip,
    /// An 802.11 header.
    Wifi,
    /// A link type without a common meaning: `LINKTYPE_USER0`.
    Unknown,
}

impl LinkType {
    /// Returns the number in the file.
    pub const fn number(self) -> u16 {
        match self {
            Self::Ethernet => 1,
            Self::Ip => 101,
            Self::Wifi => 105,
            Self::Unknown => 147,
        }
    }

    /// Returns its name, for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ethernet => "Ethernet",
            Self::Ip => "IP",
            Self::Wifi => "Wi-Fi",
            Self::Unknown => "unknown",
        }
    }
}

/// The direction of a packet, as in `epb_flags`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To this host.
    Inbound,
    /// From this host.
    Outbound,
}

/// The properties of a section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The system that was traced; empty if unknown.
    pub system: String,
}

/// The properties of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interface {
    /// How its packets begin.
    pub link: LinkType,
    /// Its short name; empty if it has none.
    pub name: String,
    /// Its description; empty if unknown.
    pub description: String,
    /// Its hardware address.
    pub mac: Option<[u8; 6]>,
}

/// A packet as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Number of its interface, from 0 in the order of [`PcapngWriter::interface`].
    pub interface: u32,
    /// 100 ns units since 1970, UTC.
    pub time: u64,
    /// Its bytes.
    pub data: &'a [u8],
    /// Its length before anything was cut off.
    pub original_len: u32,
    /// Which way it went.
    pub direction: Option<Direction>,
    /// The id that all appearances of one packet share.
    pub id: Option<u64>,
    /// A comment; empty for none.
    pub comment: &'a str,
}

/// Writes one section.
#[derive(Debug)]
pub struct PcapngWriter<W> {
    out: W,
    /// The block being made; used again for each.
    block: Vec<u8>,
    interfaces: u32,
}

impl<W: Write> PcapngWriter<W> {
    /// Begins a section.
    pub fn new(out: W, section: &Section) -> io::Result<Self> {
        let mut writer = Self { out, block: Vec::new(), interfaces: 0 };
        writer.begin(SECTION_HEADER);
        writer.u32(BYTE_ORDER_MAGIC);
        writer.block.extend_from_slice(&[1, 0, 0, 0]); // version 1.0
        writer.block.extend_from_slice(&u64::MAX.to_le_bytes()); // length of the section: not known
        writer.text(SHB_OS, &section.system);
        writer.text(SHB_USER_APPLICATION, concat!("etwkit ", env!("CARGO_PKG_VERSION")));
        writer.end_options();
        writer.finish_block()?;
        Ok(writer)
    }

    /// Adds an interface and gives its number.
    pub fn interface(&mut self, interface: &Interface) -> io::Result<u32> {
        self.begin(INTERFACE);
        self.block.extend_from_slice(&interface.link.number().to_le_bytes());
        self.block.extend_from_slice(&[0; 2]);
        self.u32(limits::MAX_PACKET as u32);
        self.text(IF_NAME, &interface.name);
        self.text(IF_DESCRIPTION, &interface.description);
        if let Some(mac) = &interface.mac {
            self.option(IF_MAC_ADDRESS, mac);
        }
        self.option(IF_TIME_RESOLUTION, &[7]);
        self.end_options();
        self.finish_block()?;
        self.interfaces += 1;
        Ok(self.interfaces - 1)
    }

    /// Adds a packet.
    pub fn packet(&mut self, record: &Record<'_>) -> io::Result<()> {
        let data = record.data.get(..limits::MAX_PACKET).unwrap_or(record.data);
        self.begin(ENHANCED_PACKET);
        self.u32(record.interface);
        self.u32((record.time >> 32) as u32);
        self.u32(record.time as u32);
        self.u32(data.len() as u32);
        self.u32(record.original_len);
        self.padded(data);
        self.text(OPT_COMMENT, record.comment);
        if let Some(direction) = record.direction {
            let flags: u32 = match direction {
                Direction::Inbound => 1,
                Direction::Outbound => 2,
            };
            self.option(EPB_FLAGS, &flags.to_le_bytes());
        }
        if let Some(id) = record.id {
            self.option(EPB_PACKET_ID, &id.to_le_bytes());
        }
        self.end_options();
        self.finish_block()
    }

    /// Writes out what is held back and gives the output back.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn begin(&mut self, kind: u32) {
        self.block.clear();
        self.u32(kind);
        self.u32(0); // the length, when it is known
    }

    fn finish_block(&mut self) -> io::Result<()> {
        let len = (self.block.len() + 4) as u32;
        if let Some(place) = self.block.get_mut(4..8) {
            place.copy_from_slice(&len.to_le_bytes());
        }
        self.u32(len);
        self.out.write_all(&self.block)
    }

    fn u32(&mut self, value: u32) {
        self.block.extend_from_slice(&value.to_le_bytes());
    }

    fn padded(&mut self, bytes: &[u8]) {
        self.block.extend_from_slice(bytes);
        self.block.resize(self.block.len().next_multiple_of(4), 0);
    }

    fn option(&mut self, code: u16, value: &[u8]) {
        self.block.extend_from_slice(&code.to_le_bytes());
        self.block.extend_from_slice(&(value.len() as u16).to_le_bytes());
        self.padded(value);
    }

    /// An option of text; none if it is empty. What is too long is cut.
    fn text(&mut self, code: u16, text: &str) {
        if !text.is_empty() {
            self.option(code, cut_text(text, limits::MAX_TEXT).as_bytes());
        }
    }

    fn end_options(&mut self) {
        self.option(0, &[]);
    }
}

const SECTION_HEADER: u32 = 0x0A0D_0D0A;
const BYTE_ORDER_MAGIC: u32 = 0x1A2B_3C4D;
const INTERFACE: u32 = 1;
const ENHANCED_PACKET: u32 = 6;

const OPT_COMMENT: u16 = 1;
const SHB_OS: u16 = 3;
const SHB_USER_APPLICATION: u16 = 4;
const IF_NAME: u16 = 2;
const IF_DESCRIPTION: u16 = 3;
const IF_MAC_ADDRESS: u16 = 6;
const IF_TIME_RESOLUTION: u16 = 9;
const EPB_FLAGS: u16 = 2;
const EPB_PACKET_ID: u16 = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_at_a_character() {
        let text = "ü".repeat(limits::MAX_TEXT);
        let mut writer = PcapngWriter::new(Vec::new(), &Section { system: format!("x{text}") }).unwrap();
        writer.block.clear();
        writer.text(1, &format!("x{text}"));
        assert_eq!(writer.block.get(..4), Some(&[1, 0, 0xFF, 0x0F][..])); // 4,095 bytes: the next ü does not fit
    }

    #[test]
    fn a_packet_block_is_as_the_draft_says() {
        let mut writer = PcapngWriter::new(Vec::new(), &Section::default()).unwrap();
        writer
            .packet(&Record {
                interface: 0,
                time: 0x1_0000_0002,
                data: &[9; 5],
                original_len: 6,
                direction: Some(Direction::Outbound),
                id: None,
                comment: "",
            })
            .unwrap();
        let expected: Vec<u8> = [
            &[6, 0, 0, 0, 52, 0, 0, 0][..],        // type, length
            &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0], // interface, time (high half first)
            &[5, 0, 0, 0, 6, 0, 0, 0],             // captured, original
            &[9, 9, 9, 9, 9, 0, 0, 0],             // data, padded
            &[2, 0, 4, 0, 2, 0, 0, 0],             // epb_flags: outbound
            &[0, 0, 0, 0, 52, 0, 0, 0],            // end of options, length again
        ]
        .concat();
        assert_eq!(writer.block, expected);
    }
}
