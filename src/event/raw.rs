//! An event between buffer and schema.

use crate::bytes::{Guid, PointerSize};
use crate::format::{ExtendedType, HeaderType, Marker, MessageFields, Traits, event_flags, hook_guid};

use super::{EventKey, ExtendedItems, Header, Kind};

/// Where an event lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The input file, from 0.
    pub file: u16,
    /// The buffer within all buffers of the trace, in file order, from 0.
    pub buffer: u32,
    /// Bytes from the start of the buffer's header; in a compressed buffer, of the unpacked one.
    pub offset: u32,
}

/// One event, borrowed from its buffer: the header is viewed in place, nothing is copied.
#[derive(Clone, Copy, Debug)]
pub struct RawEvent<'d> {
    bytes: &'d [u8],
    header: Header<'d>,
    header_type: HeaderType,
    processor: u16,
    time: i64,
    place: Place,
}

impl<'d> RawEvent<'d> {
    /// Views the event whose header and payload are exactly `bytes`.
    ///
    /// `fallback_time` is the time of the event before it, for headers that carry none. `old` marks logs of Windows
    /// 2000 and XP.
    #[inline]
    pub fn new(bytes: &'d [u8], marker: Marker, context: Context) -> Option<Self> {
        let header = Header::view(marker.header, bytes, context.old)?;
        let time = header.time(bytes).unwrap_or(context.fallback_time);
        Some(Self {
            bytes,
            header,
            header_type: marker.header,
            processor: context.processor,
            time,
            place: context.place,
        })
    }

    /// Header and payload as they lie in the buffer.
    pub const fn bytes(&self) -> &'d [u8] {
        self.bytes
    }

    /// The header.
    pub const fn header(&self) -> Header<'d> {
        self.header
    }

    /// The layout of the header.
    pub const fn header_type(&self) -> HeaderType {
        self.header_type
    }

    /// Where it lies.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The processor it was written on: the buffer's. (Sessions without per-processor buffers only say where the
    /// buffer was taken.)
    pub const fn processor(&self) -> u16 {
        self.processor
    }

    /// Raw time stamp in the session's clock. An event without one has that of the event before it.
    pub const fn time(&self) -> i64 {
        self.time
    }

    /// Whether [`RawEvent::time`] is the event's own.
    pub fn has_time(&self) -> bool {
        self.header.time(self.bytes).is_some()
    }

    /// Writing process; `None` where the header has none. The kernel writes 0xFFFFFFFF for "not known".
    pub fn pid(&self) -> Option<u32> {
        self.header.thread(self.bytes).map(|(_, pid)| pid)
    }

    /// Writing thread; `None` where the header has none.
    pub fn tid(&self) -> Option<u32> {
        self.header.thread(self.bytes).map(|(tid, _)| tid)
    }

    /// How wide pointers in the payload are.
    #[inline]
    pub fn pointer_size(&self) -> PointerSize {
        match self.header {
            Header::Message(h) => MessageFields::pointer_size(h.options.get()),
            _ => self.header_type.pointer_size(),
        }
    }

    /// Hook id of a kernel event (group and opcode).
    #[inline]
    pub fn hook(&self) -> Option<u16> {
        self.header.hook()
    }

    /// The optional header fields of a WPP message.
    pub fn message(&self) -> Option<MessageFields> {
        match self.header {
            Header::Message(h) => MessageFields::read(self.bytes, h.options.get()),
            _ => None,
        }
    }

    /// Provider (event header), event class (classic, kernel) or message GUID; null where the header has none.
    #[inline]
    pub fn provider(&self) -> Guid {
        match self.header {
            Header::Event(h) => h.provider,
            Header::Classic(h) => h.class,
            Header::Instance(h) => h.classic.class,
            Header::System(h) => hook_guid(h.hook.get()),
            Header::Compact(h) => hook_guid(h.hook.get()),
            Header::PerfInfo(h) => hook_guid(h.hook.get()),
            Header::Message(_) => self.message().and_then(|m| m.guid).unwrap_or(Guid::NULL),
            Header::OldInstance(_) | Header::Error(_) => Guid::NULL,
        }
    }

    /// Event id; for a message its number; 0 for classic and kernel events.
    #[inline]
    pub fn id(&self) -> u16 {
        match self.header {
            Header::Event(h) => h.id.get(),
            Header::Message(h) => h.number.get(),
            _ => 0,
        }
    }

    /// Version of the payload.
    #[inline]
    pub fn version(&self) -> u8 {
        match self.header {
            Header::Event(h) => h.version,
            Header::Classic(h) => h.version.get() as u8,
            Header::Instance(h) => h.classic.version.get() as u8,
            Header::OldInstance(h) => h.version.get() as u8,
            _ => self.header.kernel_version() as u8,
        }
    }

    /// Opcode; 0 for messages.
    #[inline]
    pub fn opcode(&self) -> u8 {
        match self.header {
            Header::Event(h) => h.opcode,
            Header::Classic(h) => h.opcode,
            Header::Instance(h) => h.classic.opcode,
            Header::OldInstance(h) => h.opcode,
            _ => self.header.hook().unwrap_or(0) as u8,
        }
    }

    /// Level; 0 where the header has none.
    #[inline]
    pub fn level(&self) -> u8 {
        match self.header {
            Header::Event(h) => h.level,
            Header::Classic(h) => h.level,
            Header::Instance(h) => h.classic.level,
            Header::OldInstance(h) => h.level,
            _ => 0,
        }
    }

    /// Task; 0 unless it is an `EVENT_HEADER`.
    pub fn task(&self) -> u16 {
        if let Header::Event(h) = self.header { h.task.get() } else { 0 }
    }

    /// Keywords; 0 unless it is an `EVENT_HEADER`.
    pub fn keywords(&self) -> u64 {
        if let Header::Event(h) = self.header { h.keywords.get() } else { 0 }
    }

    /// Channel; 0 unless it is an `EVENT_HEADER`.
    pub fn channel(&self) -> u8 {
        if let Header::Event(h) = self.header { h.channel } else { 0 }
    }

    /// Activity; `None` if null or if the header has none.
    pub fn activity(&self) -> Option<Guid> {
        match self.header {
            Header::Event(h) if !h.activity.is_null() => Some(h.activity),
            _ => None,
        }
    }

    /// Related activity, an extended item.
    pub fn related_activity(&self) -> Option<Guid> {
        self.item(ExtendedType::RELATED_ACTIVITY)?.guid()
    }

    /// Whether extended items follow the header.
    #[inline]
    pub fn has_extended(&self) -> bool {
        matches!(self.header, Header::Event(h) if h.flags.get() & event_flags::EXTENDED_INFO != 0)
    }

    /// The extended items.
    #[inline]
    pub fn extended(&self) -> ExtendedItems<'d> {
        if self.has_extended() { ExtendedItems::new(self.bytes) } else { ExtendedItems::default() }
    }

    /// The first extended item of a type.
    pub fn item(&self, item_type: ExtendedType) -> Option<super::ExtendedItem<'d>> {
        self.extended().find(|item| item.item_type == item_type)
    }

    /// The name of its [`Kind`] in output; `kernel` for what the kernel writes behind headers of its own.
    pub fn kind_name(&self) -> &'static str {
        if self.hook().is_some() { "kernel" } else { self.kind().name() }
    }

    /// TraceLogging metadata, if the event carries it.
    pub fn metadata(&self) -> Option<&'d [u8]> {
        self.item(ExtendedType::SCHEMA).map(|item| item.data)
    }

    /// Provider traits, if the event carries them.
    pub fn traits(&self) -> Option<Traits<'d>> {
        Traits::read(self.item(ExtendedType::PROVIDER_TRAITS)?.data)
    }

    /// The payload.
    #[inline]
    pub fn payload(&self) -> &'d [u8] {
        self.bytes.get(self.header.payload_start(self.bytes)..).unwrap_or_default()
    }

    /// Where the payload begins, from the start of the event.
    pub fn payload_start(&self) -> usize {
        self.header.payload_start(self.bytes)
    }

    /// How the event names its schema. Item 11 decides TraceLogging, not the channel (section 20, trap 18).
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.header {
            Header::Event(h) => match h.flags.get() {
                flags if flags & event_flags::STRING_ONLY != 0 => Kind::StringOnly,
                flags if flags & event_flags::EXTENDED_INFO != 0 && self.metadata().is_some() => Kind::TraceLogging,
                _ => Kind::Manifest,
            },
            Header::Message(_) => Kind::Wpp,
            Header::Error(_) => Kind::Error,
            _ => Kind::Classic,
        }
    }

    /// The schema key. TraceLogging events have the metadata besides; see [`RawEvent::metadata`].
    #[inline]
    pub fn key(&self) -> EventKey {
        let kind = self.kind();
        let (id, version, opcode) = match kind {
            Kind::Classic => (0, self.version(), self.opcode()),
            Kind::Manifest => (self.id(), self.version(), self.opcode()),
            Kind::TraceLogging => (0, 0, self.opcode()),
            Kind::Wpp => (self.id(), 0, 0),
            Kind::StringOnly | Kind::Error => (0, 0, 0),
        };
        let task = if kind == Kind::Manifest { self.task() } else { 0 };
        EventKey { kind, provider: self.provider(), id, version, opcode, task }
    }
}

/// What an event does not say of itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The buffer's processor.
    pub processor: u16,
    /// Time of the event before it.
    pub fallback_time: i64,
    /// Whether the log is of Windows 2000 or XP, whose instance header is shorter.
    pub old: bool,
    /// Where it lies.
    pub place: Place,
}
