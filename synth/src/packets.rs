//! Events with network packets: Microsoft-Windows-NDIS-PacketCapture and Microsoft-Windows-PktMon.

use crate::event::{ClassicEvent, ModernEvent, PointerSize};
use crate::guid::Guid;
use crate::narrow::{u16_of, u32_of};
use crate::payload::Payload;

const NDIS: Guid = Guid::new(0x2ed6006e_4729_4609_b423_3ee7bcd678ef);
const PKTMON: Guid = Guid::new(0x4d4f80d9_c8bd_4d73_bb5b_19c90402c5ac);
const SYSTEM: Guid = Guid::new(0x9b79ee91_b5fd_41c0_a243_4248e266e9d0);

/// Keywords of NDIS-PacketCapture.
pub mod keyword {
    /// The bytes begin with an Ethernet header.
    pub const ETHERNET: u64 = 0x1;
    /// Mobile broadband: the bytes begin with an IP header.
    pub const WIRELESS_WAN: u64 = 0x200;
    /// The bytes begin with an 802.11 header.
    pub const NATIVE_802_11: u64 = 0x1_0000;
    /// Bytes were cut off.
    pub const TRUNCATED: u64 = 0x200_0000;
    /// First fragment.
    pub const START: u64 = 0x4000_0000;
    /// Last fragment.
    pub const END: u64 = 0x8000_0000;
    /// First and last.
    pub const WHOLE: u64 = START | END;
    /// On the way out.
    pub const SEND: u64 = 0x1_0000_0000;
    /// On the way in.
    pub const RECEIVE: u64 = 0x2_0000_0000;
}

/// `PacketFragment` (id 1001) of Windows 10 1607 and later; `size` is what `FragmentSize` states, true or not.
pub fn fragment(interface: u32, keywords: u64, size: u32, data: &[u8]) -> ModernEvent {
    let payload = Payload::new().u32(interface).u32(interface).u32(size).bytes(data).u64(0).u64(0);
    ModernEvent::new(NDIS).id(1001).level(4).channel(16).keyword(keywords).payload(payload)
}

/// Returns the same, with the true size.
pub fn true_fragment(interface: u32, keywords: u64, data: &[u8]) -> ModernEvent {
    fragment(interface, keywords, u32_of(data.len()), data)
}

/// `PacketMetadata` (id 1002): what an 802.11 driver states about the frame that follows.
pub fn wifi_metadata(interface: u32, megahertz: u32, rssi: i32, half_megabits: u8) -> ModernEvent {
    let context = Payload::new().u8(0x80).u8(1).u16(48).u32(0).u32(3).u32(megahertz).u16(1).u16(0);
    let context = context.i32(rssi).u8(half_megabits).zeros(3).u32(0).u64(0).u64(0).into_bytes();
    let payload = Payload::new().u32(interface).u32(interface).u32(u32_of(context.len())).bytes(&context);
    ModernEvent::new(NDIS).id(1002).level(4).channel(16).payload(payload)
}

/// Returns a packet in a virtual switch (id 1003), from one port to another.
pub fn switch_fragment(interface: u32, keywords: u64, ports: [(u32, &str); 2], data: &[u8]) -> ModernEvent {
    let [(from, from_nic), (to, to_nic)] = ports;
    let source =
        Payload::new().u32(interface).u32(interface).u32(from).utf16z("port").utf16z(from_nic).utf16z("Synthetic");
    let destination = source.u32(1).u32(to).utf16z("port").utf16z(to_nic).utf16z("External");
    let payload = destination.u32(u32_of(data.len())).bytes(data).u32(0);
    ModernEvent::new(NDIS).id(1003).level(4).channel(16).keyword(keywords).payload(payload)
}

/// A packet as a component of PktMon saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appearance<'a> {
    /// Number of the group.
    pub group: u64,
    /// Which appearance; from 1.
    pub number: u16,
    /// Direction tag: 3 received, 4 sent.
    pub direction: u16,
    /// 1 Ethernet, 2 Wi-Fi, 3 IP.
    pub kind: u16,
    /// The component.
    pub component: u16,
    /// Reason and place of its drop; zeros if it was not dropped.
    pub drop: (u32, u32),
    /// Length before PktMon cut it.
    pub original: u16,
    /// The bytes.
    pub data: &'a [u8],
}

impl Appearance<'_> {
    /// Returns the event; id 170 if the packet was dropped, else 160.
    pub fn event(&self) -> ModernEvent {
        let head = Payload::new().u64(self.group).u16(1).u16(self.number).u16(self.direction).u16(self.kind);
        let place = head.u16(self.component).u16(1).u16(1).u32(self.drop.0).u32(self.drop.1);
        let payload = place.u16(self.original).u16(u16_of(self.data.len())).bytes(self.data);
        let id = if self.drop == (0, 0) { 160 } else { 170 };
        ModernEvent::new(PKTMON).id(id).level(4).keyword(0x10).payload(payload)
    }
}

/// Returns a component of PktMon (id 20).
pub fn component(id: u16, name: &str, description: &str) -> ModernEvent {
    let payload = Payload::new().u16(id).u16(1).utf16z(name).utf16z(description);
    ModernEvent::new(PKTMON).id(20).level(4).keyword(2).payload(payload)
}

/// Returns a numeric property of a component (id 30): kind 2 is the miniport's interface index.
pub fn component_number(id: u16, kind: u16, value: u32) -> ModernEvent {
    ModernEvent::new(PKTMON).id(30).level(4).keyword(2).payload(Payload::new().u16(id).u16(kind).u32(value))
}

/// Returns a network adapter, as a session adds it when it is stopped (`SysConfig`, opcode 36).
pub fn adapter(index: u32, alias: &str, description: &str, mac: [u8; 6]) -> ClassicEvent {
    let names = Payload::new().u64(0x6_0080_0000_0000).u32(index).guid(Guid::new(0xada9_7e50)).utf16_fixed(alias, 257);
    let address = names.utf16_fixed(description, 257).u32(6).bytes(&mac).zeros(26).bytes(&mac).zeros(26);
    // Mtu to DirectionType, flags, states, network, connection, then twenty counters.
    let payload = address.u32(1500).zeros(6 * 4 + 4 + 3 * 4 + 16 + 4 + 20 * 8);
    ClassicEvent::new(PointerSize::Eight, SYSTEM, 36).payload(payload)
}
