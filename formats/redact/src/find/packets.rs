//! Addresses in network packets.

use etwkit::Guid;
use etwkit::decode::Event;

use crate::address::{is_common_ipv4, is_common_ipv6, is_common_mac};
use crate::kind::Kind;
use crate::packet::Packet;
use crate::region::place_of;

use super::{Form, Found};

/// Providers whose binary fields are packets: Microsoft-Windows-NDIS-PacketCapture, Microsoft-Windows-PktMon.
const CAPTURES: [Guid; 2] = [
    Guid::from_u128(0x2ed6_006e_4729_4609_b423_3ee7_bcd6_78ef),
    Guid::from_u128(0x4d4f_80d9_c8bd_4d73_bb5b_19c9_0402_c5ac),
];

/// Returns the packets in a region: by their form, and at the start of fields of providers that capture packets.
pub(super) fn all(region: &[u8], event: &Event<'_>) -> Vec<Packet> {
    let mut packets = Packet::all(region);
    if CAPTURES.contains(&event.raw().provider_guid()) {
        for field in event.fields() {
            let place = place_of(region, field.bytes());
            let packet = place.and_then(|place| Some(Packet::at_start(field.bytes())?.moved(place.start)));
            packets.extend(packet);
        }
    }
    packets
}

/// Finds the addresses of packets.
pub(super) fn find(packets: &[Packet], region: &[u8], out: &mut Vec<Found>) {
    for packet in packets {
        let mut push = |at: usize, len: usize, form: Form, is_common: fn(&[u8]) -> bool| {
            if region.get(at..at + len).is_some_and(|bytes| !is_common(bytes)) {
                out.push(Found::new(at..at + len, Kind::Address, form));
            }
        };
        packet.adapters.iter().for_each(|at| push(*at, 6, Form::Mac, is_common_mac));
        packet
            .ipv4
            .iter()
            .for_each(|at| push(*at, 4, Form::Ipv4, |bytes| common::<4>(bytes, |a| is_common_ipv4(a.into()))));
        packet
            .ipv6
            .iter()
            .for_each(|at| push(*at, 16, Form::Ipv6, |bytes| common::<16>(bytes, |a| is_common_ipv6(a.into()))));
    }
}

fn common<const N: usize>(bytes: &[u8], is_common: impl Fn([u8; N]) -> bool) -> bool {
    bytes.first_chunk().is_none_or(|address| is_common(*address))
}
