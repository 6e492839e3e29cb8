//! The parts of an event that are not in its payload.

use super::literal::same;

/// A part of the header, or of what a schema says of the event as a whole. Named as in JSON lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
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
    /// File name of the image of the process that the event is about ([`crate::decode::Whose`]), as the trace tells it.
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
const NAMES: [(&str, Part); 23] = [
    ("time", Part::Time),
    ("raw_time", Part::RawTime),
    ("provider", Part::Provider),
    ("provider_guid", Part::ProviderGuid),
    ("event", Part::Event),
    ("id", Part::Id),
    ("version", Part::Version),
    ("level", Part::Level),
    ("opcode", Part::Opcode),
    ("task", Part::Task),
    ("keywords", Part::Keywords),
    ("channel", Part::Channel),
    ("process", Part::Process),
    ("pid", Part::Pid),
    ("tid", Part::Tid),
    ("cpu", Part::Cpu),
    ("activity", Part::Activity),
    ("related_activity", Part::RelatedActivity),
    ("kind", Part::Kind),
    ("schema", Part::Schema),
    ("message", Part::Message),
    ("fields", Part::Fields),
    ("extra", Part::Extra),
];

/// What else parts are called: understood where an event has no field of that name.
const ALIASES: [(&str, Part); 16] = [
    ("ProviderName", Part::Provider),
    ("ProviderGuid", Part::ProviderGuid),
    ("EventName", Part::Event),
    ("EventId", Part::Id),
    ("keyword", Part::Keywords),
    ("ProcessName", Part::Process),
    ("process_name", Part::Process),
    ("ProcessId", Part::Pid),
    ("process_id", Part::Pid),
    ("ThreadId", Part::Tid),
    ("thread_id", Part::Tid),
    ("processor", Part::Cpu),
    ("ProcessorNumber", Part::Cpu),
    ("ActivityId", Part::Activity),
    ("RelatedActivityId", Part::RelatedActivity),
    ("RawTime", Part::RawTime),
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

impl Part {
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
        assert!(Part::all().all(|part| Part::from_key(part.name()) == Some(part)));
        assert_eq!((Part::from_key("PID"), Part::from_name("PID")), (None, Some(Part::Pid)));
        assert_eq!((Part::from_key("ProcessId"), Part::from_name("processid")), (None, Some(Part::Pid)));
        assert_eq!(Part::all().count(), 23);
    }
}
