//! Events of Microsoft-Windows-NDIS-PacketCapture.

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Value, Visitor};
use etwkit::schema::Field;

use crate::assembly::Stream;
use crate::comment::Comment;
use crate::fields::Fields;
use crate::limits;
use crate::pcapng::{Direction, LinkType};

/// The provider.
pub(crate) const PROVIDER: Guid = Guid::from_u128(0x2ed6006e_4729_4609_b423_3ee7bcd678ef);
/// A fragment of a packet.
pub(crate) const FRAGMENT: u16 = 1001;
/// The driver's data about the packet whose fragments follow.
pub(crate) const METADATA: u16 = 1002;
/// A fragment of a packet on its way through a virtual switch.
pub(crate) const SWITCH_FRAGMENT: u16 = 1003;
/// A layer of network drivers, with the name of its interface.
pub(crate) const LAYERS: u16 = 5101;

/// The keywords, as the manifest has them.
mod keyword {
    pub(super) const WIRELESS_WAN: u64 = 0x200;
    pub(super) const TUNNEL: u64 = 0x8000;
    pub(super) const NATIVE_802_11: u64 = 0x1_0000;
    pub(super) const TRUNCATED: u64 = 0x200_0000;
    pub(super) const START: u64 = 0x4000_0000;
    pub(super) const END: u64 = 0x8000_0000;
    pub(super) const SEND: u64 = 0x1_0000_0000;
    pub(super) const RECEIVE: u64 = 0x2_0000_0000;
    pub(super) const DROPPED: u64 = 0x100_0000_0000;
}

/// Meanings of the keywords.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keywords(pub(crate) u64);

impl Keywords {
    pub(crate) const fn starts(self) -> bool {
        self.0 & keyword::START != 0
    }

    pub(crate) const fn ends(self) -> bool {
        self.0 & keyword::END != 0
    }

    pub(crate) const fn is_truncated(self) -> bool {
        self.0 & keyword::TRUNCATED != 0
    }

    pub(crate) const fn is_dropped(self) -> bool {
        self.0 & keyword::DROPPED != 0
    }

    /// Mobile broadband and tunnels have no link layer. Without it, Ethernet.
    pub(crate) const fn link(self) -> LinkType {
        if self.0 & keyword::NATIVE_802_11 != 0 {
            LinkType::Wifi
        } else if self.0 & (keyword::WIRELESS_WAN | keyword::TUNNEL) != 0 {
            LinkType::Ip
        } else {
            LinkType::Ethernet
        }
    }

    pub(crate) const fn direction(self) -> Option<Direction> {
        match (self.0 & keyword::RECEIVE != 0, self.0 & keyword::SEND != 0) {
            (true, false) => Some(Direction::Inbound),
            (false, true) => Some(Direction::Outbound),
            _ => None,
        }
    }
}

/// Returns where an event belongs; `None` if its fields cannot be read.
pub(crate) fn stream(event: &Event<'_>) -> Option<Stream> {
    let fields = Fields(event);
    Some(Stream {
        file: event.raw().place().file,
        processor: event.raw().processor(),
        tid: event.raw().tid().unwrap_or(0),
        miniport: fields.number("MiniportIfIndex")? as u32,
        lower: fields.number("LowerIfIndex")? as u32,
    })
}

/// Says where a packet enters and leaves a virtual switch.
pub(crate) fn describe_switch(event: &Event<'_>, comment: &mut Comment) {
    let fields = Fields(event);
    for (key, name) in [("SourcePort", "SourcePortId"), ("Destinations", "DestinationCount")] {
        if let Some(number) = fields.number(name) {
            comment.pair(key, number);
        }
    }
    for name in ["SourcePortName", "SourceNicName", "SourceNicType"] {
        if let Some(text) = fields.text(name).filter(|text| !text.is_empty()) {
            comment.pair(name, text);
        }
    }
    if let Some(view) = event.field("Destination") {
        view.visit(&mut Destinations { comment, open: 0 });
    }
}

/// Adds the members of the destinations.
struct Destinations<'c> {
    comment: &'c mut Comment,
    /// Destinations begun.
    open: usize,
}

impl Visitor for Destinations<'_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        if self.open > limits::MAX_DESTINATIONS {
            return;
        }
        match value {
            Value::Utf16(text) if !text.0.is_empty() => self.comment.pair(&field.name, text),
            Value::Utf16(_) => {}
            value => {
                if let Some(number) = value.as_u64() {
                    self.comment.pair(&field.name, number);
                }
            }
        }
    }

    fn begin_array(&mut self, _: usize, _: &Field) {}

    fn end_array(&mut self, _: usize, _: &Field) {}

    fn begin_struct(&mut self, _: usize, _: &Field) {
        self.open += 1;
    }

    fn end_struct(&mut self, _: usize, _: &Field) {}
}
