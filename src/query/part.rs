//! The parts of an event that are not in its payload.

use super::literal::same;

/// A part of the header, or of what a schema says of the event as a whole. Named as in JSON lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeaderField {
    /// Time, RFC 3339 UTC.
    Time,
    /// Time stamp as it lies in the file, in ticks of the session's clock.
    RawTime,
    /// Provider: its name or its GUID.
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
    /// Opcode: its number or its name.
    Opcode,
    /// Task: its number or its name.
    Task,
    /// Keyword bits.
    Keywords,
    /// Channel: its number or its name.
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
    /// File name of the image of the process that the event is about ([`crate::decode::Attribution`]), as the trace tells it.
    Process,
    /// How the event names its schema: `classic`, `manifest`, `tracelogging`, `wpp`, `string`, `error`.
    Kind,
    /// Where the schema came from.
    Schema,
    /// The event's message with its values.
    Message,
    /// All fields, as a JSON object.
    Fields,
    /// Bytes of the payload that no readable field holds, hexadecimal.
    Extra,
}

/// The names that outputs have for the parts: spelt so, they go before fields of the payload.
const NAMES: [(&str, HeaderField); 23] = [
    ("time", HeaderField::Time),
    ("raw_time", HeaderField::RawTime),
    ("provider", HeaderField::Provider),
    ("provider_guid", HeaderField::ProviderGuid),
    ("event", HeaderField::Event),
    ("id", HeaderField::Id),
    ("version", HeaderField::Version),
    ("level", HeaderField::Level),
    ("opcode", HeaderField::Opcode),
    ("task", HeaderField::Task),
    ("keywords", HeaderField::Keywords),
    ("channel", HeaderField::Channel),
    ("process", HeaderField::Process),
    ("pid", HeaderField::Pid),
    ("tid", HeaderField::Tid),
    ("cpu", HeaderField::Cpu),
    ("activity", HeaderField::Activity),
    ("related_activity", HeaderField::RelatedActivity),
    ("kind", HeaderField::Kind),
    ("schema", HeaderField::Schema),
    ("message", HeaderField::Message),
    ("fields", HeaderField::Fields),
    ("extra", HeaderField::Extra),
];

/// What else parts are called: understood where an event has no field of that name.
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
    /// The part of exactly that name, as outputs have it.
    pub fn from_key(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, part)| *part)
    }

    /// The part of that name or of another that is understood, without regard to case.
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().chain(&ALIASES).find(|(known, _)| same(known, name)).map(|(_, part)| *part)
    }

    /// Its name, as outputs have it.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }

    /// All parts, in the order of a table's columns.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(_, part)| part)
    }
}

/// The number of a level's name (`evntrace.h`), without regard to case: `critical`, `error`, `warning`, `info`, `verbose`.
pub fn level(name: &str) -> Option<u8> {
    LEVELS.iter().find(|(known, _)| same(known, name)).map(|(_, level)| *level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        assert!(HeaderField::all().all(|part| HeaderField::from_key(part.name()) == Some(part)));
        assert_eq!((HeaderField::from_key("PID"), HeaderField::from_name("PID")), (None, Some(HeaderField::Pid)));
        assert_eq!(
            (HeaderField::from_key("ProcessId"), HeaderField::from_name("processid")),
            (None, Some(HeaderField::Pid))
        );
        assert_eq!(HeaderField::all().count(), 23);
    }
}
