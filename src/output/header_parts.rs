//! What outputs look at in a header.

use crate::bytes::Guid;
use crate::decode::Attribution;
use crate::event::{Header, RawEvent};
use crate::format::{ClassicHeader, EventHeader, counters_len, event_flags};

/// All header fields of an event other than its provider, writer and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Descriptor {
    /// Id, version, channel, level, opcode and task, as an `EVENT_DESCRIPTOR` has them: compared at once.
    numbers: u64,
    /// Keywords. For an event without a descriptor, its hook plus one, because kernel events may also have a class
    /// GUID.
    rest: u64,
    /// Whether a string-only event has its provider from traits.
    has_traits: bool,
}

/// What a line needs of a header, found in one go.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeaderParts {
    pub(super) descriptor: Descriptor,
    /// Process and thread of the writer.
    pub(super) writer: Attribution,
    /// The bytes of the activity, the first one lowest; 0 if there is none. One register is cheaper than sixteen bytes.
    activity: u128,
    /// Whether extended items may follow the header.
    pub(super) has_extended: bool,
    /// Whether hardware counters follow the header.
    pub(super) has_counters: bool,
}

/// Facts about an event from its header, apart from its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriterFacts {
    /// Process and thread of the writer, as far as the header has them.
    pub ids: Attribution,
    /// The activity; `None` if it is null or if the header has none.
    pub activity: Option<Guid>,
    /// Whether extended items may follow the header.
    pub has_extended: bool,
}

impl HeaderParts {
    pub(super) fn facts(&self) -> WriterFacts {
        let Self { writer, has_extended, .. } = *self;
        WriterFacts { ids: writer, activity: self.activity().map(Guid::from_bytes), has_extended }
    }

    /// Returns the bytes of the activity.
    #[inline]
    pub(super) fn activity(&self) -> Option<[u8; 16]> {
        (self.activity != 0).then(|| self.activity.to_le_bytes())
    }

    #[inline]
    pub(super) fn of(raw: &RawEvent<'_>) -> Self {
        match raw.header() {
            Header::System(h) => Self::of_hook(h.hook.get(), h.version.get()).by((h.tid.get(), h.pid.get())),
            Header::Compact(h) => Self::of_hook(h.hook.get(), h.version.get()).by((h.tid.get(), h.pid.get())),
            Header::PerfInfo(h) => Self::of_hook(h.hook.get(), h.version.get()),
            Header::Event(h) if h.flags.get() & event_flags::STRING_ONLY == 0 => Self {
                descriptor: Descriptor::described(h, false),
                writer: Attribution::of_ids((h.tid.get(), h.pid.get())),
                activity: bits(h.activity),
                has_extended: h.flags.get() & event_flags::EXTENDED_INFO != 0,
                has_counters: false,
            },
            Header::Classic(h) => Self {
                descriptor: Descriptor::of_class(h),
                writer: Attribution::of_ids((h.tid.get(), h.pid.get())),
                activity: 0,
                has_extended: false,
                has_counters: false,
            },
            _ => Self::longer(raw),
        }
    }

    /// Of a kernel event, without its writer.
    #[inline]
    fn of_hook(hook: u16, version: u16) -> Self {
        let (descriptor, (pebs, counters)) = (Descriptor::of_hook(hook, version), counters_len(version));
        let writer = Attribution { pid: None, tid: None };
        Self { descriptor, writer, activity: 0, has_extended: false, has_counters: pebs + counters != 0 }
    }

    #[inline]
    fn by(self, ids: (u32, u32)) -> Self {
        Self { writer: Attribution::of_ids(ids), ..self }
    }

    #[inline(never)]
    fn longer(raw: &RawEvent<'_>) -> Self {
        Self {
            descriptor: Descriptor::of(raw),
            writer: Attribution::of_header(raw),
            activity: raw.activity_id().map_or(0, bits),
            has_extended: raw.has_extended(),
            has_counters: raw.header().has_counters(),
        }
    }
}

impl Descriptor {
    #[inline]
    pub(super) fn of(raw: &RawEvent<'_>) -> Self {
        if let Some(head) = raw.described() {
            let is_text = head.flags.get() & event_flags::STRING_ONLY != 0;
            return Self::described(head, is_text && raw.traits().is_some());
        }
        let numbers = numbers(raw.id(), [raw.version(), 0, raw.level(), raw.opcode()], 0);
        Self { numbers, rest: raw.hook().map_or(0, rest_of_hook), has_traits: false }
    }

    #[inline]
    fn of_hook(hook: u16, version: u16) -> Self {
        Self { numbers: numbers(0, [version as u8, 0, 0, hook as u8], 0), rest: rest_of_hook(hook), has_traits: false }
    }

    #[inline]
    fn of_class(head: &ClassicHeader) -> Self {
        let bytes = [head.version.get() as u8, 0, head.level, head.opcode];
        Self { numbers: numbers(0, bytes, 0), rest: 0, has_traits: false }
    }

    #[inline]
    fn described(head: &EventHeader, has_traits: bool) -> Self {
        let bytes = [head.version, head.channel, head.level, head.opcode];
        Self { numbers: numbers(head.id.get(), bytes, head.task.get()), rest: head.keywords.get(), has_traits }
    }
}

#[inline]
fn bits(guid: Guid) -> u128 {
    u128::from_le_bytes(guid.to_bytes())
}

#[inline]
fn rest_of_hook(hook: u16) -> u64 {
    u64::from(hook) + 1
}

#[inline]
fn numbers(id: u16, [version, channel, level, opcode]: [u8; 4], task: u16) -> u64 {
    let ([i0, i1], [t0, t1]) = (id.to_le_bytes(), task.to_le_bytes());
    u64::from_le_bytes([i0, i1, version, channel, level, opcode, t0, t1])
}
