//! A packet in one line.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use etwkit::decode::{Event, EventType};

use crate::fields::Fields;
use crate::ndis::{self, Keywords};
use crate::pcapng::{Direction, LinkType};
use crate::pktmon::{self, Appearance};

/// Returns an event's packet in words: `in 10.0.0.1:80 > 10.0.0.2:5000 TCP SA, 60 bytes`. `None` if the event has no packet,
/// or if it has a later fragment of one.
pub fn summary(event: &Event<'_>) -> Option<String> {
    let key = event.raw().key();
    match key.provider {
        ndis::PROVIDER if [ndis::FRAGMENT, ndis::SWITCH_FRAGMENT].contains(&key.id) => {
            let keywords = Keywords(event.keywords());
            let data = Fields(event).bytes("Fragment").filter(|_| keywords.starts())?;
            let more = if keywords.ends() { "" } else { " and more" };
            Some(line(keywords.link(), keywords.direction(), keywords.is_dropped(), data, data.len() as u64) + more)
        }
        pktmon::PROVIDER if pktmon::PACKETS.contains(&key.id) => {
            let Appearance { link, direction, dropped, data, original_len, component, .. } = Appearance::read(event)?;
            Some(format!("{}, component {component}", line(link, direction, dropped, data, original_len)))
        }
        _ => None,
    }
}

/// Returns whether events of a type may have a [`summary`].
pub fn may_have_summary(row: &EventType) -> bool {
    [ndis::PROVIDER, pktmon::PROVIDER].contains(&row.key().provider)
}

fn line(link: LinkType, direction: Option<Direction>, dropped: bool, data: &[u8], len: u64) -> String {
    let way = match direction {
        Some(Direction::Inbound) => "in ",
        Some(Direction::Outbound) => "out ",
        None => "",
    };
    let what = match link {
        LinkType::Ethernet => ethernet(data),
        LinkType::Ip => ip(data),
        LinkType::Wifi => Some("802.11".to_owned()),
        LinkType::Unknown => None,
    };
    let (dropped, what) = (if dropped { "dropped " } else { "" }, what.unwrap_or_else(|| "packet".to_owned()));
    format!("{dropped}{way}{what}, {len} byte{}", if len == 1 { "" } else { "s" })
}

/// Bytes of an Ethernet header; those of a tag of a virtual network within it.
const ETHERNET: usize = 14;
const TAG: usize = 4;

fn ethernet(data: &[u8]) -> Option<String> {
    let mut at = ETHERNET;
    let mut kind = u16_be(data, at - 2)?;
    while [0x8100, 0x88A8].contains(&kind) {
        at += TAG;
        kind = u16_be(data, at - 2)?;
    }
    let rest = data.get(at..)?;
    match kind {
        0x0800 | 0x86DD => ip(rest),
        0x0806 => arp(rest),
        _ => {
            let mac = |at: usize| -> Option<String> {
                let bytes: Vec<String> = data.get(at..at + 6)?.iter().map(|byte| format!("{byte:02x}")).collect();
                Some(bytes.join(":"))
            };
            Some(format!("{} > {} Ethernet {kind:#06x}", mac(6)?, mac(0)?))
        }
    }
}

fn arp(data: &[u8]) -> Option<String> {
    let address = |at: usize| data.get(at..)?.first_chunk::<4>().copied().map(Ipv4Addr::from);
    match u16_be(data, 6)? {
        1 => Some(format!("ARP who has {}? tell {}", address(24)?, address(14)?)),
        2 => Some(format!("ARP {} is there", address(14)?)),
        other => Some(format!("ARP operation {other}")),
    }
}

fn ip(data: &[u8]) -> Option<String> {
    let four = |at: usize| Some(IpAddr::from(Ipv4Addr::from(*data.get(at..)?.first_chunk::<4>()?)));
    let six = |at: usize| Some(IpAddr::from(Ipv6Addr::from(*data.get(at..)?.first_chunk::<16>()?)));
    let first = *data.first()?;
    match first >> 4 {
        4 => {
            // Only the first fragment of a datagram has the header of its transport.
            let is_first = u16_be(data, 6)?.trailing_zeros() >= 13;
            let rest = data.get(usize::from(first & 15) * 4..).filter(|_| is_first);
            Some(transport(four(12)?, four(16)?, *data.get(9)?, rest))
        }
        6 => Some(transport(six(8)?, six(24)?, *data.get(6)?, data.get(40..))),
        _ => None,
    }
}

fn transport(from: IpAddr, to: IpAddr, protocol: u8, data: Option<&[u8]>) -> String {
    let name = match protocol {
        1 => "ICMP",
        2 => "IGMP",
        6 => "TCP",
        17 => "UDP",
        47 => "GRE",
        50 => "ESP",
        58 => "ICMPv6",
        _ => return format!("{from} > {to} protocol {protocol}"),
    };
    let mut text = String::new();
    let port = |at: usize| data.filter(|_| [6, 17].contains(&protocol)).and_then(|data| u16_be(data, at));
    let end = |address: IpAddr, port: Option<u16>| match (address, port) {
        (address, None) => address.to_string(),
        (IpAddr::V4(address), Some(port)) => format!("{address}:{port}"),
        (IpAddr::V6(address), Some(port)) => format!("[{address}]:{port}"),
    };
    // Writing to a string cannot fail.
    let _ = write!(text, "{} > {} {name}", end(from, port(0)), end(to, port(2)));
    if let Some(flags) = data.and_then(|data| data.get(13)).filter(|_| protocol == 6) {
        let letters = "FSRPAUEC".chars().enumerate().filter(|(bit, _)| flags >> bit & 1 == 1);
        let letters: String = letters.map(|(_, letter)| letter).collect();
        let _ = write!(text, " {}", if letters.is_empty() { "-" } else { &letters });
    }
    text
}

fn u16_be(data: &[u8], at: usize) -> Option<u16> {
    data.get(at..)?.first_chunk().copied().map(u16::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ipv4(protocol: u8, rest: &[u8]) -> Vec<u8> {
        let mut data = vec![0x45, 0, 0, 40, 0, 1, 0x40, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 192, 168, 1, 2];
        data.extend_from_slice(rest);
        data
    }

    fn framed(kind: u16, rest: &[u8]) -> Vec<u8> {
        [&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12][..], &kind.to_be_bytes(), rest].concat()
    }

    #[test]
    fn packets_have_one_line() {
        let tcp = [&443_u16.to_be_bytes()[..], &5000_u16.to_be_bytes(), &[0, 0, 0, 1, 0, 0, 0, 2, 0x50, 0x12]].concat();
        let said = |data: &[u8]| line(LinkType::Ethernet, Some(Direction::Inbound), false, data, data.len() as u64);
        assert_eq!(said(&framed(0x800, &ipv4(6, &tcp))), "in 10.0.0.1:443 > 192.168.1.2:5000 TCP SA, 48 bytes");
        assert_eq!(said(&framed(0x800, &ipv4(1, &[8, 0]))), "in 10.0.0.1 > 192.168.1.2 ICMP, 36 bytes");
        assert_eq!(said(&framed(0x88CC, &[])), "in 07:08:09:0a:0b:0c > 01:02:03:04:05:06 Ethernet 0x88cc, 14 bytes");
        let mut six = vec![0x60, 0, 0, 0, 0, 8, 17, 64];
        six.extend([0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1].repeat(2));
        six.extend([0, 53, 0, 53, 0, 8, 0, 0]);
        assert_eq!(said(&framed(0x86DD, &six)), "in [fe80::1]:53 > [fe80::1]:53 UDP, 62 bytes");
        let arp =
            [&[0, 1, 8, 0, 6, 4, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 2][..]].concat();
        assert_eq!(said(&framed(0x806, &arp)), "in ARP who has 10.0.0.2? tell 10.0.0.1, 42 bytes");
    }

    #[test]
    fn cut_packets_are_packets_still() {
        let whole = framed(0x800, &ipv4(6, &[0; 20]));
        for len in 0..whole.len() {
            let data = &whole[..len];
            assert!(line(LinkType::Ethernet, None, true, data, len as u64).starts_with("dropped "));
        }
        assert_eq!(line(LinkType::Unknown, None, false, b"x", 1), "packet, 1 byte");
    }
}
