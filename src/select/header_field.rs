//! The fields of an event that are not in its payload, and their names.

use super::letter_case::same;

/// A field of an event's header, or what its schema and the trace state about the event as a whole. Named as in JSON
/// lines.
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
    // From here on those that few events have: `HeaderField::is_rare` goes by the order.
    /// GUID of the event class, for classic events whose provider has another one.
    TaskGuid,
    /// Further properties from the schema's source, as a JSON object.
    Details,
    /// The first field that does not fit the payload, in words.
    Problem,
    /// The last text of the payload, if it lacks its NUL.
    Unterminated,
    /// All bytes of the payload of an event without a schema, hexadecimal.
    Payload,
    /// Return addresses, as a JSON array.
    Stack,
    /// Why a part of the stack is not there.
    StackMissing,
    /// The methods, functions and images that the addresses of the stack are in, as a JSON array.
    Frames,
    /// The functions of native code that symbol files have for the stack, with lines, as a JSON array.
    Functions,
    /// Hardware counters, of a kernel event's header or of an extended item, as a JSON array.
    Counters,
    /// Index of the hardware counter that caused an event, of a kernel event's header or of an extended item.
    PebsIndex,
    /// Instance, of an instance event or of an extended item.
    Instance,
    /// Its parent instance.
    ParentInstance,
    /// The class of its parent instance.
    ParentClass,
    /// Other extended data items, as a JSON object.
    Extended,
    /// Sequence number of a WPP message.
    Sequence,
    /// Component of a WPP message.
    Component,
    /// Level of a WPP message, as its definition has it: a number where the name is known. `level` means this in
    /// events whose header has no level.
    MessageLevel,
    /// Function that a WPP message is in.
    Function,
    /// Trace flags of a WPP message.
    Flags,
    /// Source file of a WPP message.
    SourceFile,
    /// Line of a WPP message in its source file.
    Line,
    /// PDB file that defines a WPP message.
    Symbols,
    /// Path of the file that a kernel event is about by its key, as users know it.
    FileName,
    /// Milliseconds that the operation of a kernel event took.
    ElapsedMs,
    /// Image that the address of a kernel event is in, and the offset in it.
    Image,
    /// Name of the kernel object that an event is about by its address.
    ObjectName,
    /// Process of the thread that a context switch stops.
    OldPid,
    /// File name of the image of that process.
    OldProcess,
    /// Process of the thread that a context switch lets run.
    NewPid,
    /// File name of the image of that process.
    NewProcess,
    /// Process of the thread that becomes ready to run.
    AwakenedPid,
    /// File name of the image of that process.
    AwakenedProcess,
    /// Process that started a thread.
    ParentPid,
    /// Thread that started a thread.
    ParentTid,
}

/// Other names of header fields: understood where an event's payload has no field of that name.
const ALIASES: [(&str, HeaderField); 33] = [
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
    ("FileName", HeaderField::FileName),
    ("ElapsedMs", HeaderField::ElapsedMs),
    ("ElapsedTimeMSec", HeaderField::ElapsedMs),
    ("ObjectName", HeaderField::ObjectName),
    ("OldProcessID", HeaderField::OldPid),
    ("OldProcessName", HeaderField::OldProcess),
    ("NewProcessID", HeaderField::NewPid),
    ("NewProcessName", HeaderField::NewProcess),
    ("AwakenedProcessID", HeaderField::AwakenedPid),
    ("AwakenedProcessName", HeaderField::AwakenedProcess),
    ("ParentProcessID", HeaderField::ParentPid),
    ("ParentThreadID", HeaderField::ParentTid),
    ("details.level", HeaderField::MessageLevel),
    ("details.function", HeaderField::Function),
    ("details.flags", HeaderField::Flags),
    ("details.source", HeaderField::SourceFile),
    ("details.symbols", HeaderField::Symbols),
];

/// Fields that few events have: a field of the payload of the same name comes before them.
const RARE: [HeaderField; 34] = [
    HeaderField::TaskGuid,
    HeaderField::Details,
    HeaderField::Problem,
    HeaderField::Unterminated,
    HeaderField::Payload,
    HeaderField::Stack,
    HeaderField::StackMissing,
    HeaderField::Frames,
    HeaderField::Functions,
    HeaderField::Counters,
    HeaderField::PebsIndex,
    HeaderField::Instance,
    HeaderField::ParentInstance,
    HeaderField::ParentClass,
    HeaderField::Extended,
    HeaderField::Sequence,
    HeaderField::Component,
    HeaderField::Function,
    HeaderField::Flags,
    HeaderField::SourceFile,
    HeaderField::Line,
    HeaderField::Symbols,
    HeaderField::FileName,
    HeaderField::ElapsedMs,
    HeaderField::Image,
    HeaderField::ObjectName,
    HeaderField::OldPid,
    HeaderField::OldProcess,
    HeaderField::NewPid,
    HeaderField::NewProcess,
    HeaderField::AwakenedPid,
    HeaderField::AwakenedProcess,
    HeaderField::ParentPid,
    HeaderField::ParentTid,
];

/// Level names of `evntrace.h`, as on the command line.
const LEVELS: [(&str, u8); 12] = [
    ("always", 0),
    ("logalways", 0),
    ("none", 0),
    ("critical", 1),
    ("fatal", 1),
    ("error", 2),
    ("warning", 3),
    ("warn", 3),
    ("information", 4),
    ("informational", 4),
    ("info", 4),
    ("verbose", 5),
];

/// What `evntrace.h` puts before the names of levels.
const TRACE_LEVEL: &str = "TRACE_LEVEL_";

impl HeaderField {
    /// The header fields that have a column of their own, in the order of a table's columns.
    const COLUMNS: [Self; 24] = [
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

    /// Returns its name in outputs. A field of the payload that has the same name comes after it.
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
            Self::Level | Self::MessageLevel => "level",
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
            Self::TaskGuid => "task_guid",
            Self::Details => "details",
            Self::Problem => "problem",
            Self::Unterminated => "unterminated",
            Self::Payload => "payload",
            Self::Stack => "stack",
            Self::StackMissing => "stack_missing",
            Self::Frames => "frames",
            Self::Functions => "functions",
            Self::Counters => "counters",
            Self::PebsIndex => "pebs_index",
            Self::Instance => "instance",
            Self::ParentInstance => "parent_instance",
            Self::ParentClass => "parent_class",
            Self::Extended => "extended",
            Self::Sequence => "sequence",
            Self::Component => "component",
            Self::Function => "function",
            Self::Flags => "flags",
            Self::SourceFile => "source_file",
            Self::Line => "line",
            Self::Symbols => "symbols",
            Self::FileName => "file_name",
            Self::ElapsedMs => "elapsed_ms",
            Self::Image => "image",
            Self::ObjectName => "object_name",
            Self::OldPid => "old_pid",
            Self::OldProcess => "old_process",
            Self::NewPid => "new_pid",
            Self::NewProcess => "new_process",
            Self::AwakenedPid => "awakened_pid",
            Self::AwakenedProcess => "awakened_process",
            Self::ParentPid => "parent_pid",
            Self::ParentTid => "parent_tid",
        }
    }

    /// Returns the field of exactly that name, as outputs have it.
    pub fn from_key(name: &str) -> Option<Self> {
        Self::columns().find(|field| field.name() == name)
    }

    /// Returns the field of that name or of another that is understood, without regard to case.
    pub fn from_name(name: &str) -> Option<Self> {
        let alias = || ALIASES.iter().find(|(known, _)| same(known, name)).map(|(_, field)| *field);
        let rare = || Self::rare().find(|field| same(field.name(), name));
        Self::columns().find(|field| same(field.name(), name)).or_else(alias).or_else(rare)
    }

    /// Returns the fields that few events have. They have no columns unless they are asked for, and a field of the
    /// payload of the same name comes before them.
    pub fn rare() -> impl Iterator<Item = Self> {
        RARE.into_iter()
    }

    /// Returns the header fields that have a column of their own, in the order of a table's columns.
    pub fn columns() -> impl Iterator<Item = Self> {
        Self::COLUMNS.into_iter()
    }
}

/// Returns the number of a level's name (`evntrace.h`), without regard to case: `critical`, `error`, `warning`, `info`,
/// `verbose`; also with `TRACE_LEVEL_` before it, as WPP's definitions have them.
pub fn level_from_name(name: &str) -> Option<u8> {
    let prefix = name.get(..TRACE_LEVEL.len()).filter(|prefix| same(prefix, TRACE_LEVEL));
    let name = prefix.and_then(|prefix| name.get(prefix.len()..)).unwrap_or(name);
    LEVELS.iter().find(|(known, _)| same(known, name)).map(|(_, level)| *level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        assert!(HeaderField::columns().all(|field| HeaderField::from_key(field.name()) == Some(field)));
        assert_eq!((HeaderField::from_key("PID"), HeaderField::from_name("PID")), (None, Some(HeaderField::Pid)));
        assert_eq!(
            (HeaderField::from_key("ProcessId"), HeaderField::from_name("processid")),
            (None, Some(HeaderField::Pid))
        );
        assert_eq!(HeaderField::columns().count(), 24);
        for field in HeaderField::rare() {
            let found = (HeaderField::from_key(field.name()), HeaderField::from_name(field.name()));
            assert_eq!(found, (None, Some(field)));
        }
    }

    #[test]
    fn levels_have_the_names_of_headers() {
        let names = ["Error", "TRACE_LEVEL_ERROR", "trace_level_fatal", "TRACE_LEVEL_NONE", "TRACE_LEVEL_IO"];
        assert_eq!(names.map(level_from_name), [Some(2), Some(2), Some(1), Some(0), None]);
    }
}
