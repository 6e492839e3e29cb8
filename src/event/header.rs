//! The header of an event, viewed in place.

use zerocopy::FromBytes;

use crate::bytes::u64_at;
use crate::format::{
    ClassicHeader, CompactHeader, ErrorHeader, EventHeader, HeaderType, InstanceHeader, MessageFields, MessageHeader,
    PerfInfoHeader, RecordHeader, ShortInstanceHeader, SystemHeader, counters_len, event_flags,
};
use crate::time::RawTime;

use super::extended;

/// A view of an event's header, one variant a layout.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Header<'d> {
    /// `SYSTEM_TRACE_HEADER`.
    System(&'d SystemHeader),
    /// Compact system header.
    Compact(&'d CompactHeader),
    /// `PERFINFO_TRACE_HEADER`.
    PerfInfo(&'d PerfInfoHeader),
    /// `EVENT_TRACE_HEADER`.
    Classic(&'d ClassicHeader),
    /// `EVENT_INSTANCE_GUID_HEADER`.
    Instance(&'d InstanceHeader),
    /// `EVENT_INSTANCE_HEADER` of Windows 2000 and XP.
    ShortInstance(&'d ShortInstanceHeader),
    /// `EVENT_HEADER`.
    Event(&'d EventHeader),
    /// `MESSAGE_TRACE_HEADER`.
    Message(&'d MessageHeader),
    /// An event that the kernel could not write.
    Error(&'d ErrorHeader),
    /// `EVENT_RECORD`.
    Record(&'d RecordHeader),
}

impl<'d> Header<'d> {
    /// Views the header of the event in `bytes`, which are exactly its header and payload. `is_short_instance` states that
    /// the log is of Windows 2000 or XP. `None` if the bytes are too few.
    #[inline]
    pub fn view(header: HeaderType, bytes: &'d [u8], is_short_instance: bool) -> Option<Self> {
        Some(match header {
            HeaderType::System32 | HeaderType::System64 => Self::System(view(bytes)?),
            HeaderType::Compact32 | HeaderType::Compact64 => Self::Compact(view(bytes)?),
            HeaderType::PerfInfo32 | HeaderType::PerfInfo64 => Self::PerfInfo(view(bytes)?),
            HeaderType::Classic32 | HeaderType::Classic64 => Self::Classic(view(bytes)?),
            HeaderType::Instance32 | HeaderType::Instance64 if is_short_instance => Self::ShortInstance(view(bytes)?),
            HeaderType::Instance32 | HeaderType::Instance64 => Self::Instance(view(bytes)?),
            HeaderType::Event32 | HeaderType::Event64 => Self::Event(view(bytes)?),
            HeaderType::Message => Self::Message(view(bytes)?),
            HeaderType::Error => Self::Error(view(bytes)?),
            HeaderType::Record32 | HeaderType::Record64 => Self::Record(view(bytes)?),
        })
    }

    /// Returns the raw time stamp; `None` for messages without one and for error events.
    #[inline]
    pub fn time(self, bytes: &'d [u8]) -> Option<RawTime> {
        match self {
            Self::System(h) => Some(RawTime(h.time.get())),
            Self::Compact(h) => Some(RawTime(h.time.get())),
            Self::PerfInfo(h) => Some(RawTime(h.time.get())),
            Self::Classic(h) => Some(RawTime(h.time.get())),
            Self::Instance(h) => Some(RawTime(h.classic.time.get())),
            Self::ShortInstance(h) => Some(RawTime(h.time.get())),
            Self::Event(h) => Some(RawTime(h.time.get())),
            Self::Record(h) => Some(RawTime(h.event.time.get())),
            Self::Message(h) => MessageFields::read(bytes, h.options.get())?.time,
            Self::Error(_) => None,
        }
    }

    /// Returns (thread, process) of the writer, where the header has them.
    #[inline]
    pub fn thread(self, bytes: &'d [u8]) -> Option<(u32, u32)> {
        match self {
            Self::System(h) => Some((h.tid.get(), h.pid.get())),
            Self::Compact(h) => Some((h.tid.get(), h.pid.get())),
            Self::Classic(h) => Some((h.tid.get(), h.pid.get())),
            Self::Instance(h) => Some((h.classic.tid.get(), h.classic.pid.get())),
            Self::ShortInstance(h) => Some((h.tid.get(), h.pid.get())),
            Self::Event(h) => Some((h.tid.get(), h.pid.get())),
            Self::Record(h) => Some((h.event.tid.get(), h.event.pid.get())),
            Self::Message(h) => MessageFields::read(bytes, h.options.get())?.thread,
            Self::PerfInfo(_) | Self::Error(_) => None,
        }
    }

    /// Returns the (kernel, user) time of the writing thread in clock ticks, where the header has them.
    pub fn processor_times(self) -> Option<(u32, u32)> {
        match self {
            Self::System(h) => Some((h.kernel_time.get(), h.user_time.get())),
            Self::Classic(h) => Some((h.kernel_time.get(), h.user_time.get())),
            Self::Instance(h) => Some((h.classic.kernel_time.get(), h.classic.user_time.get())),
            Self::ShortInstance(h) => Some((h.kernel_time.get(), h.user_time.get())),
            Self::Event(h) => Some((h.kernel_time.get(), h.user_time.get())),
            Self::Record(h) if h.event.flags.get() & event_flags::NO_TIMES == 0 => {
                Some((h.event.kernel_time.get(), h.event.user_time.get()))
            }
            Self::Compact(_) | Self::PerfInfo(_) | Self::Message(_) | Self::Error(_) | Self::Record(_) => None,
        }
    }

    /// Returns the hook id of a kernel event.
    #[inline]
    pub fn hook(self) -> Option<u16> {
        match self {
            Self::System(h) => Some(h.hook.get()),
            Self::Compact(h) => Some(h.hook.get()),
            Self::PerfInfo(h) => Some(h.hook.get()),
            _ => None,
        }
    }

    /// Returns the version word of a kernel event: payload version in the low byte, counter flags in the high one.
    #[inline]
    pub fn kernel_version(self) -> u16 {
        match self {
            Self::System(h) => h.version.get(),
            Self::Compact(h) => h.version.get(),
            Self::PerfInfo(h) => h.version.get(),
            _ => 0,
        }
    }

    /// Returns the bytes of the header with the counters of a kernel event, without what its contents may make longer.
    #[inline]
    pub(crate) fn payload_offset(self) -> usize {
        let (pebs, counters) = counters_len(self.kernel_version());
        self.fixed_len() + pebs + counters
    }

    /// Returns where the payload begins, from the start of the event; at most the event's length.
    #[inline]
    pub fn payload_start(self, bytes: &'d [u8]) -> usize {
        let start = match self {
            Self::System(_) | Self::Compact(_) | Self::PerfInfo(_) => self.payload_offset(),
            Self::Event(h) if h.flags.get() & event_flags::EXTENDED_INFO != 0 => extended::end(bytes),
            Self::Message(h) => {
                MessageFields::read(bytes, h.options.get()).map_or(self.fixed_len(), |fields| fields.len)
            }
            _ => self.fixed_len(),
        };
        start.min(bytes.len())
    }

    /// Returns the payload: everything after the header; in a record, up to the extended items.
    #[inline]
    pub fn payload(self, bytes: &'d [u8]) -> &'d [u8] {
        let rest = bytes.get(self.payload_start(bytes)..).unwrap_or_default();
        match self {
            Self::Record(h) => rest.get(..usize::from(h.payload_len.get())).unwrap_or(rest),
            _ => rest,
        }
    }

    /// Returns whether it has hardware counters.
    #[inline]
    #[cfg(feature = "output")]
    pub(crate) fn has_counters(self) -> bool {
        let (pebs, counters) = counters_len(self.kernel_version());
        pebs + counters != 0
    }

    /// Returns the instance ids of an instance event: its own, and that of its parent.
    pub fn instances(self) -> Option<(u32, u32)> {
        match self {
            Self::Instance(h) => Some((h.instance.get(), h.parent_instance.get())),
            Self::ShortInstance(h) => Some((h.instance.get(), h.parent_instance.get())),
            _ => None,
        }
    }

    /// Returns the hardware counters of a kernel event: PEBS index and counters.
    pub fn counters(self, bytes: &'d [u8]) -> (Option<u64>, &'d [u8]) {
        let (pebs, counters) = counters_len(self.kernel_version());
        let start = self.fixed_len();
        let index = (pebs != 0 && bytes.len() >= start + 8).then(|| u64_at(bytes, start));
        (index, bytes.get(start + pebs..start + pebs + counters).unwrap_or_default())
    }

    const fn fixed_len(self) -> usize {
        match self {
            Self::System(_) => size_of::<SystemHeader>(),
            Self::Compact(_) => size_of::<CompactHeader>(),
            Self::PerfInfo(_) => size_of::<PerfInfoHeader>(),
            Self::Classic(_) => size_of::<ClassicHeader>(),
            Self::Instance(_) => size_of::<InstanceHeader>(),
            Self::ShortInstance(_) => size_of::<ShortInstanceHeader>(),
            Self::Event(_) => size_of::<EventHeader>(),
            Self::Message(_) => size_of::<MessageHeader>(),
            Self::Error(_) => size_of::<ErrorHeader>(),
            Self::Record(_) => RecordHeader::SIZE,
        }
    }
}

#[inline]
fn view<T: FromBytes + zerocopy::KnownLayout + zerocopy::Immutable + zerocopy::Unaligned>(bytes: &[u8]) -> Option<&T> {
    T::ref_from_prefix(bytes).ok().map(|(header, _)| header)
}
