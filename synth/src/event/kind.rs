//! Header kinds and the pointer size they state (section 5.1).

/// Size of a pointer in the process that wrote the event, and of `ptr` fields in its payload (section 5.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PointerSize {
    /// 32-bit writer.
    Four,
    /// 64-bit writer.
    Eight,
}

impl PointerSize {
    /// In bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    pub(crate) const fn pick<T: Copy>(self, four: T, eight: T) -> T {
        match self {
            Self::Four => four,
            Self::Eight => eight,
        }
    }
}

/// What follows an event's marker (`TRACE_HEADER_TYPE_*`, `ntwmi.h`; section 5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HeaderKind {
    /// `SYSTEM_TRACE_HEADER` of a 32-bit kernel, 32 bytes.
    System32,
    /// `SYSTEM_TRACE_HEADER` of a 64-bit kernel, 32 bytes.
    System64,
    /// The same without CPU times, 24 bytes.
    Compact32,
    /// The same without CPU times, 24 bytes.
    Compact64,
    /// `EVENT_TRACE_HEADER` (classic) of a 32-bit writer, 48 bytes.
    Full32,
    /// `EVENT_INSTANCE_GUID_HEADER` of a 32-bit writer, 72 bytes (56 in old logs).
    Instance32,
    /// `ERROR`: space was reserved but the event could not be produced.
    Error,
    /// `PERFINFO_TRACE_HEADER` of a 32-bit kernel, 16 bytes.
    PerfInfo32,
    /// `PERFINFO_TRACE_HEADER` of a 64-bit kernel, 16 bytes.
    PerfInfo64,
    /// `EVENT_HEADER` of a 32-bit writer, 80 bytes.
    Event32,
    /// `EVENT_HEADER` of a 64-bit writer, 80 bytes.
    Event64,
    /// `EVENT_TRACE_HEADER` (classic) of a 64-bit writer, 48 bytes.
    Full64,
    /// `EVENT_INSTANCE_GUID_HEADER` of a 64-bit writer, 72 bytes.
    Instance64,
    /// `MESSAGE_TRACE_HEADER` (WPP), 8 bytes and optional fields.
    Message,
    /// `EVENT_RECORD` of an event of a 32-bit writer, 112 bytes. Has no marker.
    Record32,
    /// `EVENT_RECORD` of an event of a 64-bit writer, 112 bytes. Has no marker.
    Record64,
}

impl HeaderKind {
    /// Lower-case name as in the corpus' truth file: `system64`, `perfinfo32`, `message`, ...
    pub const fn name(self) -> &'static str {
        match self {
            Self::System32 => "system32",
            Self::System64 => "system64",
            Self::Compact32 => "compact32",
            Self::Compact64 => "compact64",
            Self::Full32 => "classic32",
            Self::Instance32 => "instance32",
            Self::Error => "error",
            Self::PerfInfo32 => "perfinfo32",
            Self::PerfInfo64 => "perfinfo64",
            Self::Event32 => "event32",
            Self::Event64 => "event64",
            Self::Full64 => "classic64",
            Self::Instance64 => "instance64",
            Self::Message => "message",
            Self::Record32 => "record32",
            Self::Record64 => "record64",
        }
    }

    /// Byte 2 of the marker; 0 for messages, whose byte 3 is 0x90, and for records.
    pub(crate) const fn type_byte(self) -> u8 {
        match self {
            Self::System32 => 1,
            Self::System64 => 2,
            Self::Compact32 => 3,
            Self::Compact64 => 4,
            Self::Full32 => 10,
            Self::Instance32 => 11,
            Self::Error => 13,
            Self::PerfInfo32 => 16,
            Self::PerfInfo64 => 17,
            Self::Event32 => 18,
            Self::Event64 => 19,
            Self::Full64 => 20,
            Self::Instance64 => 21,
            Self::Message | Self::Record32 | Self::Record64 => 0,
        }
    }
}
