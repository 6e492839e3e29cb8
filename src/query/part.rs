//! The parts of an event that are not in its payload.

use super::literal::same;

/// A part of the header, or of what a schema says of the event as a whole. Named as in JSON lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// Provider: its name or its GUID.
    Provider,
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
    /// How the event names its schema: `classic`, `manifest`, `tracelogging`, `wpp`, `string`, `error`.
    Kind,
    /// The event's message with its values.
    Message,
}

/// Names of parts; the first of each is the one that is printed.
const NAMES: [(&str, Part); 30] = [
    ("provider", Part::Provider),
    ("ProviderName", Part::Provider),
    ("ProviderGuid", Part::Provider),
    ("provider_guid", Part::Provider),
    ("event", Part::Event),
    ("EventName", Part::Event),
    ("id", Part::Id),
    ("EventId", Part::Id),
    ("version", Part::Version),
    ("level", Part::Level),
    ("opcode", Part::Opcode),
    ("task", Part::Task),
    ("keywords", Part::Keywords),
    ("keyword", Part::Keywords),
    ("channel", Part::Channel),
    ("pid", Part::Pid),
    ("ProcessId", Part::Pid),
    ("process_id", Part::Pid),
    ("tid", Part::Tid),
    ("ThreadId", Part::Tid),
    ("thread_id", Part::Tid),
    ("cpu", Part::Cpu),
    ("processor", Part::Cpu),
    ("ProcessorNumber", Part::Cpu),
    ("activity", Part::Activity),
    ("ActivityId", Part::Activity),
    ("related_activity", Part::RelatedActivity),
    ("RelatedActivityId", Part::RelatedActivity),
    ("kind", Part::Kind),
    ("message", Part::Message),
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
    /// The part of that name, without regard to case.
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| same(known, name)).map(|(_, part)| *part)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }
}

/// The number of a level's name (`evntrace.h`), without regard to case: `critical`, `error`, `warning`, `info`, `verbose`.
pub fn level(name: &str) -> Option<u8> {
    LEVELS.iter().find(|(known, _)| same(known, name)).map(|(_, level)| *level)
}
