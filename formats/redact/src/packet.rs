//! Headers of network packets in bytes: Ethernet, ARP, IPv4, IPv6, and what ICMP repeats of them.
//!
//! They are known by their form: an `EtherType`, and after it a header of IPv4 whose checksum is right, one of IPv6
//! whose length, next header and addresses are possible, or one of ARP.

use std::ops::Range;

use crate::checksum::Sum;

/// Where the addresses of a packet are. Some may be common ones, such as broadcast.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Packet {
    /// Of adapters, six bytes each.
    pub(crate) adapters: Vec<usize>,
    /// Four bytes each.
    pub(crate) ipv4: Vec<usize>,
    /// Sixteen bytes each.
    pub(crate) ipv6: Vec<usize>,
    /// The header of IPv4, if its checksum is right.
    pub(crate) header: Option<Range<usize>>,
    /// The checksum of TCP, UDP or ICMP.
    pub(crate) sum: Option<Sum>,
}

const IPV4: [u8; 2] = [0x08, 0x00];
const ARP: [u8; 2] = [0x08, 0x06];
const IPV6: [u8; 2] = [0x86, 0xDD];
/// Other types after the two addresses of an Ethernet header: LLDP, EAPOL.
const OTHERS: [[u8; 2]; 2] = [[0x88, 0xCC], [0x88, 0x8E]];
/// Types of a VLAN tag, which is before the type (IEEE 802.1Q).
const TAGS: [[u8; 2]; 2] = [[0x81, 0x00], [0x88, 0xA8]];
/// What is before the type in frames of 802.11 (LLC and SNAP): no addresses.
const SNAP: [u8; 6] = [0xAA, 0xAA, 3, 0, 0, 0];
/// Bytes of the two addresses of an Ethernet header.
const ADDRESSES: usize = 12;
/// Bytes of a VLAN tag.
const TAG: usize = 4;

impl Packet {
    /// Returns the packets in any bytes.
    pub(crate) fn all(bytes: &[u8]) -> Vec<Self> {
        let types = bytes.windows(2).enumerate().filter(|(_, pair)| matches!(pair, [0x08, 0 | 6] | [0x86, 0xDD]));
        types.filter_map(|(at, _)| Self::of_type(bytes, at, true)).collect()
    }

    /// Returns the packet at the start of bytes that hold one: with an Ethernet header or none. A checksum of IPv4 may
    /// be wrong there: adapters compute those of packets that are sent.
    pub(crate) fn at_start(bytes: &[u8]) -> Option<Self> {
        let of_type = |at: usize| Self::of_type(bytes, at, false);
        let only_adapters = || {
            let kind = chunk::<2>(bytes, ADDRESSES)?;
            (OTHERS.contains(&kind) || TAGS.contains(&kind))
                .then(|| Self { adapters: vec![0, ADDRESSES / 2], ..Self::default() })
        };
        let ethernet = of_type(ADDRESSES).or_else(|| of_type(ADDRESSES + TAG)).or_else(only_adapters);
        ethernet.or_else(|| ip(bytes, 0, true))
    }

    /// Moves all places.
    pub(crate) fn moved(mut self, by: usize) -> Self {
        let places = self.adapters.iter_mut().chain(&mut self.ipv4).chain(&mut self.ipv6);
        places.for_each(|place| *place += by);
        self.header = self.header.map(|header| header.start + by..header.end + by);
        self.sum = self.sum.map(|sum| sum.moved(by));
        self
    }

    /// Reads the packet whose `EtherType` is at a place.
    fn of_type(bytes: &[u8], at: usize, is_summed: bool) -> Option<Self> {
        let mut packet = match chunk(bytes, at)? {
            IPV4 | IPV6 => ip(bytes, at + 2, is_summed)?,
            ARP => arp(bytes, at + 2)?,
            _ => return None,
        };
        packet.adapters.extend(adapters_before(bytes, at));
        Some(packet)
    }
}

/// Returns where the addresses of the Ethernet header are whose type is at a place.
fn adapters_before(bytes: &[u8], at: usize) -> impl Iterator<Item = usize> {
    let before = bytes.get(..at).unwrap_or_default();
    let tagged = at.checked_sub(TAG).filter(|at| chunk(bytes, *at).is_some_and(|kind| TAGS.contains(&kind)));
    let start = tagged.unwrap_or(at).checked_sub(ADDRESSES).filter(|_| !before.ends_with(&SNAP));
    start.into_iter().flat_map(|start| [start, start + ADDRESSES / 2])
}

/// RFC 826, of IPv4 over Ethernet.
fn arp(bytes: &[u8], at: usize) -> Option<Packet> {
    let [0, 1, 8, 0, 6, 4, 0, 1..=4] = chunk::<8>(bytes, at)? else { return None };
    bytes.get(at..at + 28)?;
    Some(Packet { adapters: vec![at + 8, at + 18], ipv4: vec![at + 14, at + 24], ..Packet::default() })
}

fn ip(bytes: &[u8], at: usize, is_summed: bool) -> Option<Packet> {
    match bytes.get(at)? >> 4 {
        4 => ipv4(bytes, at, is_summed),
        6 => ipv6(bytes, at),
        _ => None,
    }
}

/// RFC 791.
fn ipv4(bytes: &[u8], at: usize, is_summed: bool) -> Option<Packet> {
    let [first, _, high, low] = chunk(bytes, at)?;
    let (header_len, len) = (usize::from(first & 0xF) * 4, usize::from(u16::from_be_bytes([high, low])));
    let header = bytes.get(at..at + header_len).filter(|header| header.len() >= 20)?;
    let is_right = Sum::is_right(header);
    // A length of zero is that of large packets, which an adapter cuts.
    if is_summed && !is_right || len != 0 && len < header_len {
        return None;
    }
    let mut packet = Packet { ipv4: vec![at + 12, at + 16], ..Packet::default() };
    packet.header = is_right.then_some(at..at + header_len);
    let is_first = matches!(chunk(bytes, at + 6)?, [flags, 0] if flags.trailing_zeros() >= 5);
    if is_first {
        let end = if len == 0 { bytes.len() } else { bytes.len().min(at + len) };
        transport(&mut packet, bytes, *bytes.get(at + 9)?, at + header_len..end, at + 12..at + 20);
    }
    Some(packet)
}

/// RFC 8200.
fn ipv6(bytes: &[u8], at: usize) -> Option<Packet> {
    let header = chunk::<40>(bytes, at)?;
    let len = usize::from(u16::from_be_bytes(chunk(&header, 4)?));
    let [next, hops] = chunk(&header, 6)?;
    let is_known = matches!(next, 0 | 6 | 17 | 43 | 44 | 50 | 51 | 58 | 59 | 60);
    // Global, local, link-local, multicast, or none.
    let is_address = |place: usize| {
        let first = chunk::<2>(&header, place);
        first.is_some_and(|first| matches!(first, [0x20..=0x3F | 0xFC | 0xFD | 0xFF, _] | [0xFE, 0x80..=0xFF] | [0, 0]))
    };
    if !is_known || hops == 0 || !is_address(8) || !is_address(24) {
        return None;
    }
    let mut packet = Packet { ipv6: vec![at + 8, at + 24], ..Packet::default() };
    let start = at + header.len();
    transport(&mut packet, bytes, next, start..bytes.len().min(start + len), at + 8..start);
    Some(packet)
}

/// Finds the checksum, and what ICMP states about other addresses. `pseudo` are the addresses, which the checksum
/// includes.
fn transport(packet: &mut Packet, bytes: &[u8], protocol: u8, segment: Range<usize>, pseudo: Range<usize>) {
    let start = segment.start;
    let (place, pseudo) = match protocol {
        1 => (2, start..start),
        6 => (16, pseudo),
        17 => (6, pseudo),
        58 => (2, pseudo),
        _ => return,
    };
    let Some(body) = bytes.get(segment.clone()) else { return };
    if body.len() >= place + 2 {
        packet.sum = Some(Sum { place: start + place, segment, pseudo });
    }
    let kind = body.first().copied().unwrap_or_default();
    // Errors have the start of the packet that caused them (RFC 792, RFC 4443).
    let is_error = protocol == 1 && matches!(kind, 3 | 4 | 5 | 11 | 12) || protocol == 58 && matches!(kind, 1..=4);
    if is_error && let Some(head) = body.get(8) {
        match head >> 4 {
            4 if body.len() >= 28 => packet.ipv4.extend([start + 20, start + 24]),
            6 if body.len() >= 48 => packet.ipv6.extend([start + 16, start + 32]),
            _ => {}
        }
    }
    if protocol == 58 {
        neighbors(packet, kind, body, start);
    }
}

/// The targets and the options of neighbor discovery (RFC 4861, 4191, 8106): addresses of adapters, prefixes, routes,
/// name servers and redirected packets.
fn neighbors(packet: &mut Packet, kind: u8, body: &[u8], start: usize) {
    let (targets, mut at): (&[usize], usize) = match kind {
        133 => (&[], 8),
        134 => (&[], 16),
        135 | 136 => (&[8], 24),
        137 => (&[8, 24], 40),
        _ => return,
    };
    if body.len() >= at {
        packet.ipv6.extend(targets.iter().map(|target| start + target));
    }
    while let Some([kind, units]) = chunk(body, at).filter(|[_, units]: &[u8; 2]| *units > 0) {
        let end = at + usize::from(units) * 8;
        if end <= body.len() {
            let place = start + at;
            match (kind, end - at) {
                (1 | 2, 8) => packet.adapters.push(place + 2),
                (3, 32) => packet.ipv6.push(place + 16),
                // The packet that was redirected.
                (4, 48..) if body.get(at + 8).is_some_and(|head| head >> 4 == 6) => {
                    packet.ipv6.extend([place + 16, place + 32]);
                }
                (24, 24) => packet.ipv6.push(place + 8),
                (25, len @ 24..) => packet.ipv6.extend((8..=len - 16).step_by(16).map(|address| place + address)),
                _ => {}
            }
        }
        at = end;
    }
}

fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the adapters and the addresses of a message of neighbor discovery with these options: type and bytes.
    fn found(kind: u8, fixed: usize, options: &[(u8, usize)]) -> (Vec<usize>, Vec<usize>) {
        let mut body = vec![0x60; fixed];
        for (option, len) in options {
            let start = body.len();
            body.resize(start + len, 0x60);
            body[start..start + 2].copy_from_slice(&[*option, (len / 8) as u8]);
        }
        let mut packet = Packet::default();
        neighbors(&mut packet, kind, &body, 100);
        (packet.adapters, packet.ipv6)
    }

    #[test]
    fn messages_of_neighbor_discovery_have_targets_and_options() {
        assert_eq!(found(135, 24, &[(1, 8)]), (vec![126], vec![108]));
        // The target, the destination, and the addresses of the packet that was redirected.
        assert_eq!(found(137, 40, &[(2, 8), (4, 56)]), (vec![142], vec![108, 124, 164, 180]));
        // A prefix, a route, half of a route, and two name servers.
        assert_eq!(found(134, 16, &[(3, 32), (24, 24), (24, 16), (25, 40)]), (vec![], vec![132, 156, 196, 212]));
        assert_eq!(found(137, 39, &[]), (vec![], vec![]));
        assert_eq!(found(128, 40, &[(1, 8)]), (vec![], vec![]));
    }
}
