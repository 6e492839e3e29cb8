//! The fields of an event that are not in its payload, and their names.

use super::letter_case::same;

/// A field of an event's header, or what its schema and the trace say of the event as a whole. Named as in JSON lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeaderField {
    /// Time, RFC 3339 UTC.
    Time,
    /// Raw time stamp, in ticks of the session's clock.
    RawTime,
    /// Name of the file that the event is from.
    File,
    /// Provider: its name and its GUID.
    Provider,
    /// Provider: its GUID.
    ProviderGuid,
    /// `Task/Opcode`.
    Event,
    /// Event id, or number of a WPP message.
    Id,
    /// Version of the payload.
    Version,
    /// Level, 1 (critical) to 5 (verbose).
    Level,
    /// Opcode: its number and its name.
    Opcode,
    /// Task: its number and its name.
    Task,
    /// Keyword bits.
    Keywords,
    /// Channel: its number and its name.
    Channel,
    /// Process that the event is about.
    Pid,
    /// Thread that the event is about.
    Tid,
    /// Processor of the buffer.
    Cpu,
    /// Activity id.
    Activity,
    /// Related activity id.
    RelatedActivity,
    /// File name of the image of the process that the event is about ([`crate::decode::Attribution`]), if the
    /// trace has it.
    Process,
    /// How the event names its schema: `classic`, `manifest`, `tracelogging`, `wpp`, `string`, `error`.
    Kind,
    /// Where the schema came from.
    Schema,
    /// The event's message with its values.
    Message,
    /// All fields, as a JSON object.
    Fields,
    /// Bytes of the payload outside all readable fields, hexadecimal.
    Extra,
}

/// Other names of header fields: understood where an event's payload has no field of that name.
const ALIASES: [(&str, HeaderField); 16] = [
    ("ProviderName", HeaderField::Provider),
    ("ProviderGuid", HeaderField::ProviderGuid),
    ("EventName", HeaderField::Event),
    ("EventId", HeaderField::Id),
    ("keyword", HeaderField::Keywords),
    ("ProcessName", HeaderField::Process),
    ("process_name", HeaderField::Process),
    ("ProcessId", HeaderField::Pid),
    ("process_id", HeaderField::Pid),
    ("ThreadId", HeaderField::Tid),
    ("thread_id", HeaderField::Tid),
    ("processor", HeaderField::Cpu),
    ("ProcessorNumber", HeaderField::Cpu),
    ("ActivityId", HeaderField::Activity),
    ("RelatedActivityId", HeaderField::RelatedActivity),
    ("RawTime", HeaderField::RawTime),
];

/// Level names of `evntrace.h`, as on the command line.
const LEVELS: [(&str, u8); 10] = [
    ("always", 0),
    ("logalways", 0),
    ("critical", 1),
    ("error", 2),
    ("warning", 3),
    ("warn", 3),
    ("information", 4),
    ("informational", 4),
    ("info", 4),
    ("verbose", 5),
];

impl HeaderField {
    /// All header fields, in the order of a table's columns.
    const ALL: [Self; 24] = [
        Self::Time,
        Self::RawTime,
        Self::File,
        Self::Provider,
        Self::ProviderGuid,
        Self::Event,
        Self::Id,
        Self::Version,
        Self::Level,
        Self::Opcode,
        Self::Task,
        Self::Keywords,
        Self::Channel,
        Self::Process,
        Self::Pid,
        Self::Tid,
        Self::Cpu,
        Self::Activity,
        Self::RelatedActivity,
        Self::Kind,
        Self::Schema,
        Self::Message,
        Self::Fields,
        Self::Extra,
    ];

    /// Its name in outputs. A field of the payload that has the same name comes after it.
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::RawTime => "raw_time",
            Self::File => "file",
            Self::Provider => "provider",
            Self::ProviderGuid => "provider_guid",
            Self::Event => "event",
            Self::Id => "id",
            Self::Version => "version",
            Self::Level => "level",
            Self::Opcode => "opcode",
            Self::Task => "task",
            Self::Keywords => "keywords",
            Self::Channel => "channel",
            Self::Pid => "pid",
            Self::Tid => "tid",
            Self::Cpu => "cpu",
            Self::Activity => "activity",
            Self::RelatedActivity => "related_activity",
            Self::Process => "process",
            Self::Kind => "kind",
            Self::Schema => "schema",
            Self::Message => "message",
            Self::Fields => "fields",
            Self::Extra => "extra",
        }
    }

    /// Returns the field of exactly that name, as outputs have it.
    pub fn from_key(name: &str) -> Option<Self> {
        Self::all().find(|field| field.name() == name)
    }

    /// Returns the field of that name or of another that is understood, without regard to case.
    pub fn from_name(name: &str) -> Option<Self> {
        let alias = || ALIASES.iter().find(|(known, _)| same(known, name)).map(|(_, field)| *field);
        Self::all().find(|field| same(field.name(), name)).or_else(alias)
    }

    /// Returns all header fields, in the order of a table's columns.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter()
    }
}

/// Returns the number of a level's name (`evntrace.h`), without regard to case: `critical`, `error`, `warning`, `info`,
/// `verbose`.
pub fn level(name: &str) -> Option<u8> {
    LEVELS.iter().find(|(known, _)| same(known, name)).map(|(_, level)| *level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        assert!(HeaderField::all().all(|field| HeaderField::from_key(field.name()) == Some(field)));
        assert_eq!((HeaderField::from_key("PID"), HeaderField::from_name("PID")), (None, Some(HeaderField::Pid)));
        assert_eq!(
            (HeaderField::from_key("ProcessId"), HeaderField::from_name("processid")),
            (None, Some(HeaderField::Pid))
        );
        assert_eq!(HeaderField::all().count(), 24);
    }
}
