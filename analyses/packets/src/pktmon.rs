//! Events of Microsoft-Windows-PktMon.

use etwkit::bytes::Guid;
use etwkit::decode::Event;

use crate::comment::Comment;
use crate::fields::Fields;
use crate::pcapng::{Direction, LinkType};

/// The provider.
pub(crate) const PROVIDER: Guid = Guid::from_u128(0x4d4f80d9_c8bd_4d73_bb5b_19c90402c5ac);
/// Events with a packet, as in the manifest: with group and number, and with addresses and ports.
pub(crate) const PACKETS: [u16; 7] = [160, 170, 200, 210, 220, 230, 240];
/// A component: a driver's part in the network stack.
pub(crate) const COMPONENT: u16 = 20;
/// A property of a component that is a number.
pub(crate) const NUMBER: u16 = 30;
/// A property of a component that is bytes.
pub(crate) const BYTES: u16 = 70;

/// Types of properties, as the trace's map has them.
pub(crate) mod property {
    /// Index of the component's own interface.
    pub(crate) const INDEX: u64 = 1;
    /// Index of the miniport's interface.
    pub(crate) const MINIPORT_INDEX: u64 = 2;
    /// Hardware address.
    pub(crate) const PHYSICAL_ADDRESS: u64 = 6;
}

/// A packet as one component saw it.
#[derive(Debug)]
pub(crate) struct Appearance<'d> {
    pub(crate) component: u16,
    /// The number of this appearance, from 1.
    pub(crate) number: u64,
    pub(crate) dropped: bool,
    pub(crate) link: LinkType,
    pub(crate) direction: Option<Direction>,
    /// The id that all appearances share.
    pub(crate) id: Option<u64>,
    pub(crate) data: &'d [u8],
    pub(crate) original_len: u64,
}

impl<'d> Appearance<'d> {
    /// Reads an event; `None` if its fields cannot be read.
    pub(crate) fn read(event: &Event<'d>) -> Option<Self> {
        let fields = Fields(event);
        let data = fields.bytes("Payload")?;
        Some(Self {
            component: fields.number("ComponentId")? as u16,
            number: fields.or_zero("AppearanceCount"),
            dropped: fields.or_zero("DropReason") != 0 || fields.or_zero("DropLocation") != 0,
            link: link(fields.number("PacketType")?),
            direction: direction(fields.or_zero("DirTag")),
            id: fields.number("PktGroupId").map(|group| packet_id(group, fields.or_zero("PktNumber"))),
            data,
            original_len: fields.or_zero("OriginalPayloadSize").max(data.len() as u64),
        })
    }
}

/// Adds all fields of the event other than the packet.
pub(crate) fn describe(event: &Event<'_>, appearance: &Appearance<'_>, comment: &mut Comment) {
    let fields = Fields(event);
    for (key, name) in [("PktGroupId", "PktGroupId"), ("PktNumber", "PktNumber"), ("Appearance", "AppearanceCount")] {
        if let Some(number) = fields.number(name) {
            comment.pair(key, number);
        }
    }
    let tag = fields.or_zero("DirTag");
    match DIRECTIONS.get(tag as usize) {
        Some(name) => comment.pair("Direction", name),
        None => comment.pair("Direction", tag),
    }
    comment.pair("Component", appearance.component);
    comment.pair("Edge", fields.or_zero("EdgeId"));
    comment.pair("Filter", fields.or_zero("FilterId"));
    if appearance.dropped {
        let reason = fields.or_zero("DropReason");
        comment.pair("DropReason", reason);
        if let Some(name) = fields.name_of("DropReason") {
            comment.pair("DropReasonName", name);
        }
        comment.pair("DropLocation", format_args!("{:#x}", fields.or_zero("DropLocation")));
        if let Some(name) = fields.name_of("DropLocation") {
            comment.pair("DropLocationName", name);
        }
    }
}

/// Values of `DirTag`, as the trace's map has them. The last two are those of a virtual switch's ports.
const DIRECTIONS: [&str; 7] = ["None", "In", "Out", "Rx", "Tx", "Ingress", "Egress"];

fn direction(tag: u64) -> Option<Direction> {
    match tag {
        1 | 3 => Some(Direction::Inbound),
        2 | 4 => Some(Direction::Outbound),
        _ => None,
    }
}

/// Values of `PacketType`, as the trace's map has them: 4 is HTTP, the payload of a request.
fn link(packet_type: u64) -> LinkType {
    match packet_type {
        1 => LinkType::Ethernet,
        2 => LinkType::Wifi,
        3 => LinkType::Ip,
        _ => LinkType::Unknown,
    }
}

/// One number for a packet of a group: PktMon puts the processor into the top 16 bits of the group's number and counts
/// in the rest, whose low 32 bits are kept together with the packet's number within the group.
const fn packet_id(group: u64, number: u64) -> u64 {
    group & 0xFFFF_0000_0000_0000 | (group & 0xFFFF_FFFF) << 16 | number & 0xFFFF
}
