//! The two ends of a connection.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr};

use etwkit::decode::Event;
use etwkit_analysis::Excess;
use etwkit_kernel_analyses::Subject;

use crate::limits::MOST_OPEN;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Protocol {
    Tcp,
    Udp,
}

impl Protocol {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Tcp => "tcp",
            Self::Udp => "udp",
        }
    }
}

/// Addresses of the traced machines.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnAddresses {
    /// With the number of the machine.
    addresses: HashSet<(u16, IpAddr)>,
    excess: Excess,
}

impl OwnAddresses {
    /// Adds that of a connection.
    pub(super) fn add(&mut self, machine: u16, ends: &Ends) {
        let Some(own) = ends.own().map(|own| (machine, own)) else { return };
        if !self.addresses.contains(&own) && self.excess.admits(self.addresses.len(), MOST_OPEN) {
            self.addresses.insert(own);
        }
    }

    fn has(&self, machine: u16, address: IpAddr) -> bool {
        self.addresses.contains(&(machine, address))
    }

    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }
}

/// One end: address and port.
pub(super) type End = (IpAddr, u16);

/// The two ends of a connection, as an event names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ends {
    pub(super) protocol: Protocol,
    /// The end that the event calls source.
    pub(super) source: End,
    /// The end that the event calls destination.
    pub(super) destination: End,
    /// A received datagram: its source may be the sender.
    is_datagram: bool,
}

impl Subject for Ends {
    fn others() -> Self {
        let none = (IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);
        Self { protocol: Protocol::Tcp, source: none, destination: none, is_datagram: false }
    }
}

impl Ends {
    pub(super) fn of(event: &Event<'_>, protocol: Protocol, is_received: bool) -> Option<Self> {
        let end = |address, port| Some((event.get(address).ok()?, event.get(port).ok()?));
        Some(Self {
            protocol,
            source: end("saddr", "sport")?,
            destination: end("daddr", "dport")?,
            is_datagram: is_received && protocol == Protocol::Udp,
        })
    }

    /// Returns the address of this machine, where it is sure.
    fn own(&self) -> Option<IpAddr> {
        (!self.is_datagram).then_some(self.source.0)
    }

    /// Returns the same with the traced machine as source. Events of TCP, and of sent datagrams, have it so. Of received
    /// datagrams some do, and others have the sender there: they are told apart by the addresses of the machine that
    /// its other events have. A group or a broadcast address sends nothing, so it is never the peer of these.
    pub(super) fn with_own_source(self, machine: u16, own: &OwnAddresses) -> Self {
        let [source, destination] = [self.source.0, self.destination.0];
        let is_own = !self.is_datagram
            || (own.has(machine, source) && !own.has(machine, destination) && !is_for_many(destination, source));
        let (source, destination) =
            if is_own { (self.source, self.destination) } else { (self.destination, self.source) };
        Self { source, destination, is_datagram: false, ..self }
    }
}

/// Returns whether an address is one of a group, or the broadcast address of a network that has another address in it.
/// The sizes of networks are not known; a host with an address of ones in its last byte is rarer than a broadcast.
fn is_for_many(address: IpAddr, other: IpAddr) -> bool {
    let (IpAddr::V4(address), IpAddr::V4(other)) = (address, other) else { return address.is_multicast() };
    let ones = address.to_bits().trailing_ones();
    let is_in_network = |size: u32| address.to_bits() >> size == other.to_bits() >> size;
    address.is_multicast() || address.is_broadcast() || (8..=ones.min(24)).any(is_in_network)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn datagram(source: [u8; 4], destination: [u8; 4]) -> Ends {
        let end = |address: [u8; 4]| (IpAddr::from(address), 500);
        Ends { protocol: Protocol::Udp, source: end(source), destination: end(destination), is_datagram: true }
    }

    #[test]
    fn the_sender_of_a_datagram_is_the_peer() {
        let addresses = HashSet::from([(0, IpAddr::from([10, 0, 0, 1])), (1, IpAddr::from([10, 0, 0, 7]))]);
        let own = OwnAddresses { addresses, ..OwnAddresses::default() };
        let peer = |ends: Ends| ends.with_own_source(0, &own).destination.0;
        assert_eq!(peer(datagram([10, 0, 0, 7], [224, 0, 0, 252])), IpAddr::from([10, 0, 0, 7]));
        assert_eq!(peer(datagram([10, 0, 0, 7], [10, 0, 0, 1])), IpAddr::from([10, 0, 0, 7]));
        assert_eq!(peer(datagram([10, 0, 0, 1], [10, 0, 0, 7])), IpAddr::from([10, 0, 0, 7]));
        for group in [[224, 0, 0, 252], [255, 255, 255, 255], [10, 0, 0, 255], [10, 0, 3, 255]] {
            assert_eq!(peer(datagram([10, 0, 0, 1], group)), IpAddr::from([10, 0, 0, 1]));
        }
        assert_eq!(peer(datagram([10, 0, 0, 1], [10, 0, 1, 254])), IpAddr::from([10, 0, 1, 254]));
    }
}
