//! An event between buffer and schema.

use crate::FileId;
use crate::bytes::{Guid, PointerSize};
use crate::format::{
    ErrorHeader, EventHeader, ExtendedType, Framing, HeaderType, Marker, MessageFields, RecordHeader, Traits,
    event_flags, hook_guid,
};
use crate::time::RawTime;

use super::{EventKey, ExtendedItems, Header, Kind, quick};

/// Where an event lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The input file.
    pub file: FileId,
    /// The buffer within all buffers of the trace, in file order, from 0.
    pub buffer: u32,
    /// Bytes from the start of the buffer's header; in a compressed buffer, of the unpacked one.
    pub offset: u32,
}

/// One event, borrowed from its buffer: the header is viewed in place, nothing is copied.
#[derive(Clone, Copy, Debug)]
pub struct RawEvent<'d> {
    bytes: &'d [u8],
    header_type: HeaderType,
    /// What the header leaves to the log.
    framing: Framing,
    processor: u16,
    time: RawTime,
    place: Place,
}

/// The header of an event without bytes.
static NO_HEADER: ErrorHeader = ErrorHeader::EMPTY;

impl<'d> RawEvent<'d> {
    /// Views the event whose header and payload are exactly `bytes`.
    ///
    /// The context's `fallback_time` is the time of the event before it, for headers that carry none.
    // In the loop of the walk a call costs as much as all else.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `walk`")]
    #[inline(always)]
    pub fn new(bytes: &'d [u8], marker: Marker, context: BufferContext) -> Option<Self> {
        let framing = context.framing;
        let header = Header::view(marker.header, bytes, framing.has_short_instance_headers())?;
        let time = header.time(bytes).unwrap_or(context.fallback_time);
        let processor = if let Header::Record(record) = header { record.processor.get() } else { context.processor };
        Some(Self { bytes, header_type: marker.header, framing, processor, time, place: context.place })
    }

    /// As [`RawEvent::new`], for the bytes of an event that was found before: whose length, time and place are known.
    /// `of` is the context of its buffer.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `ordered`")]
    #[inline(always)]
    pub(crate) fn stamped(
        bytes: &'d [u8],
        header_type: HeaderType,
        time: RawTime,
        place: Place,
        of: &BufferContext,
    ) -> Self {
        let processor = if of.framing == Framing::Records { processor_of_record(bytes) } else { of.processor };
        Self { bytes, header_type, framing: of.framing, processor, time, place }
    }

    /// As [`RawEvent::new`], for an event in a buffer whose header has its time at a known place: its length is known
    /// to be that of the header at least.
    #[expect(clippy::inline_always, reason = "as for `RawEvent::new`")]
    #[inline(always)]
    pub(crate) const fn timed(bytes: &'d [u8], marker: Marker, time: RawTime, processor: u16, place: Place) -> Self {
        Self { bytes, header_type: marker.header, framing: Framing::Markers, processor, time, place }
    }

    /// Returns the event whose bytes, which are the same, lie at another place in memory.
    pub(crate) const fn with_bytes<'b>(&self, bytes: &'b [u8]) -> RawEvent<'b> {
        let Self { header_type, framing, processor, time, place, .. } = *self;
        RawEvent { bytes, header_type, framing, processor, time, place }
    }

    /// Returns header and payload as they are in the buffer.
    pub const fn bytes(&self) -> &'d [u8] {
        self.bytes
    }

    /// Returns the header.
    #[inline]
    pub fn header(&self) -> Header<'d> {
        // There are enough bytes for it: that is looked at when an event is found.
        let is_short_instance = self.framing.has_short_instance_headers();
        Header::view(self.header_type, self.bytes, is_short_instance).unwrap_or(Header::Error(&NO_HEADER))
    }

    /// Returns the layout of the header.
    pub const fn header_type(&self) -> HeaderType {
        self.header_type
    }

    /// Returns its place in the trace.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// Returns the processor it was written on: the buffer's, or what a record states itself. (Sessions without
    /// per-processor buffers only state where the buffer was taken.)
    pub const fn processor(&self) -> u16 {
        self.processor
    }

    /// Returns the raw time stamp in the session's clock. An event without one has that of the event before it.
    pub const fn time(&self) -> RawTime {
        self.time
    }

    /// Returns whether [`RawEvent::time`] is the event's own.
    pub fn has_time(&self) -> bool {
        self.header().time(self.bytes).is_some()
    }

    /// Returns the id of the writing process; `None` if the header has none, and [`NO_ID`](super::NO_ID) where the
    /// kernel does not know it.
    #[inline]
    pub fn pid(&self) -> Option<u32> {
        self.thread().map(|(_, pid)| pid)
    }

    /// Returns the id of the writing thread; `None` if the header has none, and [`NO_ID`](super::NO_ID) where the
    /// kernel does not know it.
    #[inline]
    pub fn tid(&self) -> Option<u32> {
        self.thread().map(|(tid, _)| tid)
    }

    #[inline]
    fn thread(&self) -> Option<(u32, u32)> {
        quick::thread(self.header_type, self.bytes).or_else(|| self.header().thread(self.bytes))
    }

    /// Returns how wide pointers in the payload are.
    #[inline]
    pub fn pointer_size(&self) -> PointerSize {
        match self.header() {
            Header::Message(h) => {
                MessageFields::pointer_size(h.options.get()).unwrap_or_else(|| self.framing.pointer_size())
            }
            _ => self.header_type.pointer_size(),
        }
    }

    /// Returns the hook id of a kernel event (group and opcode).
    #[inline]
    pub fn hook(&self) -> Option<u16> {
        quick::hook(self.header_type, self.bytes)
    }

    /// Returns the optional header fields of a WPP message.
    pub fn message(&self) -> Option<MessageFields> {
        match self.header() {
            Header::Message(h) => MessageFields::read(self.bytes, h.options.get()),
            Header::Record(h) if h.event.flags.get() & event_flags::MESSAGE != 0 => Some(MessageFields {
                guid: Some(h.event.provider),
                time: Some(RawTime(h.event.time.get())),
                thread: Some((h.event.tid.get(), h.event.pid.get())),
                len: RecordHeader::SIZE,
                ..MessageFields::default()
            }),
            _ => None,
        }
    }

    /// Returns the provider (event header), event class (classic, kernel) or message GUID; null where the header has
    /// none.
    #[inline]
    pub fn provider_guid(&self) -> Guid {
        match self.header() {
            Header::Event(h) => h.provider,
            Header::Record(h) => h.event.provider,
            Header::Classic(h) => h.class,
            Header::Instance(h) => h.classic.class,
            Header::System(h) => hook_guid(h.hook.get()),
            Header::Compact(h) => hook_guid(h.hook.get()),
            Header::PerfInfo(h) => hook_guid(h.hook.get()),
            Header::Message(_) => self.message().and_then(|m| m.guid).unwrap_or(Guid::NULL),
            Header::ShortInstance(_) | Header::Error(_) => Guid::NULL,
        }
    }

    /// Returns the event id; for a message its number; 0 for classic and kernel events.
    #[inline]
    pub fn id(&self) -> u16 {
        match self.header() {
            Header::Event(h) => h.id.get(),
            Header::Record(h) => h.event.id.get(),
            Header::Message(h) => h.number.get(),
            _ => 0,
        }
    }

    /// Returns the version of the payload.
    #[inline]
    pub fn version(&self) -> u8 {
        if let Some(version) = quick::kernel_version(self.header_type, self.bytes) {
            return version;
        }
        match self.header() {
            Header::Event(h) => h.version,
            Header::Record(h) => h.event.version,
            Header::Classic(h) => h.version.get() as u8,
            Header::Instance(h) => h.classic.version.get() as u8,
            Header::ShortInstance(h) => h.version.get() as u8,
            header => header.kernel_version() as u8,
        }
    }

    /// Returns the opcode; 0 for messages.
    #[inline]
    pub fn opcode(&self) -> u8 {
        match self.header() {
            Header::Event(h) => h.opcode,
            Header::Record(h) => h.event.opcode,
            Header::Classic(h) => h.opcode,
            Header::Instance(h) => h.classic.opcode,
            Header::ShortInstance(h) => h.opcode,
            header => header.hook().unwrap_or(0) as u8,
        }
    }

    /// Returns the level; 0 where the header has none.
    #[inline]
    pub fn level(&self) -> u8 {
        match self.header() {
            Header::Event(h) => h.level,
            Header::Record(h) => h.event.level,
            Header::Classic(h) => h.level,
            Header::Instance(h) => h.classic.level,
            Header::ShortInstance(h) => h.level,
            _ => 0,
        }
    }

    /// Returns the `EVENT_HEADER` of an event that its provider described by an `EVENT_DESCRIPTOR`, in a buffer or in a
    /// record; `None` for kernel events, other classic ones and messages.
    #[inline]
    pub fn described(&self) -> Option<&'d EventHeader> {
        match self.header() {
            Header::Event(h) => Some(h),
            Header::Record(h) if h.is_described() => Some(&h.event),
            _ => None,
        }
    }

    /// Returns the task; 0 unless the event is described.
    pub fn task(&self) -> u16 {
        self.described().map_or(0, |h| h.task.get())
    }

    /// Returns the keywords; 0 unless the event is described.
    pub fn keywords(&self) -> u64 {
        self.described().map_or(0, |h| h.keywords.get())
    }

    /// Returns the channel; 0 unless the event is described.
    pub fn channel(&self) -> u8 {
        self.described().map_or(0, |h| h.channel)
    }

    /// Returns the activity id; `None` if null or if the header has none.
    pub fn activity_id(&self) -> Option<Guid> {
        self.described().map(|h| h.activity).filter(|activity| !activity.is_null())
    }

    /// Returns the related activity id, an extended item.
    pub fn related_activity_id(&self) -> Option<Guid> {
        self.item(ExtendedType::RELATED_ACTIVITY)?.guid()
    }

    /// Returns whether extended items follow the header.
    #[inline]
    pub fn has_extended(&self) -> bool {
        let of_record = || matches!(self.header(), Header::Record(record) if record.item_count.get() > 0);
        quick::is_extended(self.header_type, self.bytes) || of_record()
    }

    /// Returns the extended items.
    #[inline]
    pub fn extended(&self) -> ExtendedItems<'d> {
        match self.header() {
            Header::Event(h) if h.flags.get() & event_flags::EXTENDED_INFO != 0 => ExtendedItems::new(self.bytes),
            Header::Record(h) if h.item_count.get() > 0 => ExtendedItems::of_record(self.bytes, h),
            _ => ExtendedItems::default(),
        }
    }

    /// Returns the first extended item of a type.
    pub fn item(&self, item_type: ExtendedType) -> Option<super::ExtendedItem<'d>> {
        self.extended().find(|item| item.item_type == item_type)
    }

    /// Returns the name of its [`Kind`] in output; `kernel` for what the kernel writes after headers of its own.
    pub fn kind_name(&self) -> &'static str {
        if self.hook().is_some() { "kernel" } else { self.kind().name() }
    }

    /// Returns the TraceLogging metadata, if the event carries it.
    pub fn metadata(&self) -> Option<&'d [u8]> {
        self.item(ExtendedType::SCHEMA).map(|item| item.data)
    }

    /// Returns the provider traits, if the event carries them.
    pub fn traits(&self) -> Option<Traits<'d>> {
        Traits::read(self.item(ExtendedType::PROVIDER_TRAITS)?.data)
    }

    /// Returns the payload.
    #[inline]
    pub fn payload(&self) -> &'d [u8] {
        quick::payload(self.header_type, self.bytes).unwrap_or_else(|| self.header().payload(self.bytes))
    }

    /// Returns where the payload begins, from the start of the event.
    pub fn payload_start(&self) -> usize {
        self.header().payload_start(self.bytes)
    }

    /// Returns how the event names its schema. Item 11 decides TraceLogging, not the channel (section 20, trap 18).
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.header() {
            Header::Event(h) => match h.flags.get() {
                flags if flags & event_flags::STRING_ONLY != 0 => Kind::StringOnly,
                flags if flags & event_flags::EXTENDED_INFO != 0 && self.metadata().is_some() => Kind::TraceLogging,
                _ => Kind::Manifest,
            },
            Header::Record(h) => self.kind_of_record(h),
            Header::Message(_) => Kind::Wpp,
            Header::Error(_) => Kind::Error,
            _ => Kind::Classic,
        }
    }

    fn kind_of_record(&self, record: &RecordHeader) -> Kind {
        match record.event.flags.get() {
            flags if flags & event_flags::MESSAGE != 0 => Kind::Wpp,
            flags if flags & event_flags::CLASSIC != 0 => Kind::Classic,
            flags if flags & event_flags::STRING_ONLY != 0 => Kind::StringOnly,
            _ if self.metadata().is_some() => Kind::TraceLogging,
            _ => Kind::Manifest,
        }
    }

    /// Returns the schema key. TraceLogging events also have metadata; see [`RawEvent::metadata`].
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
        EventKey { kind, provider: self.provider_guid(), id, version, opcode, task }
    }
}

/// Out of the way of markers, which nearly all files have.
#[cold]
#[inline(never)]
fn processor_of_record(bytes: &[u8]) -> u16 {
    RecordHeader::view(bytes).map_or(0, |record| record.processor.get())
}

/// What the buffer adds to its events: processor, fallback time, framing, place.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct BufferContext {
    /// The buffer's processor.
    pub processor: u16,
    /// Time of the event before it.
    pub fallback_time: RawTime,
    /// How the buffer's events follow one another.
    pub framing: Framing,
    /// Its place in the trace.
    pub place: Place,
}
