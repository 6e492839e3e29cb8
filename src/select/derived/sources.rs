//! The fields of events that derived facts follow from.

use super::HeaderField;

/// What a field states that a derived fact follows from. Events call it differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The path of a file.
    Path,
    /// The key or the object of a file; the first that has a name counts.
    File,
    /// A number of ticks that something took.
    Ticks,
    /// The time at which something began that ends with the event.
    Beginning,
    /// An address in an image.
    Address,
    /// The thread that a processor stops to run.
    OldThread,
    /// The thread that it runs next.
    NewThread,
    /// The thread that becomes ready to run.
    AwakenedThread,
    /// A thread that starts.
    StartedThread,
    /// The address of an object of the kernel.
    Object,
    /// An object's name.
    ObjectName,
}

/// How many names of [`Role::Address`] lines of text show the image of.
const ADDRESSES_IN_TEXT: usize = 5;

impl Role {
    /// Returns the number of roles.
    pub(super) const COUNT: usize = Self::ObjectName as usize + 1;

    /// Returns the names of the fields; the first that an event has counts.
    pub(super) const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Path => &["FileName"],
            Self::File => &["FileKey", "FileObject"],
            Self::Ticks => &["HighResResponseTime", "ElapsedTime"],
            Self::Beginning => &["InitialTime"],
            Self::Address => &[
                "InstructionPointer",
                "ProgramCounter",
                "Routine",
                "CallSite",
                "ReturnAddress",
                "RoutineAddr",
                "SysCallAddress",
                "Win32StartAddr",
                "TimerRoutine",
                "DeferredRoutine",
                "DpcRoutine",
                "ThreadRoutine",
                "CallerAddress",
                "CallbackRoutine",
                "CallbackFunction",
                "Callback",
                "DisableCallback",
            ],
            Self::OldThread => &["OldThreadId"],
            Self::NewThread => &["NewThreadId"],
            Self::AwakenedThread => &["AwakenedThreadID"],
            Self::StartedThread => &["TThreadId"],
            Self::Object => &["Object"],
            Self::ObjectName => &["ObjectName"],
        }
    }
}

/// Returns the roles of the fields from one of which a derived field follows.
pub(super) const fn sources(field: HeaderField) -> &'static [Role] {
    match field {
        HeaderField::FileName => &[Role::File, Role::Path],
        HeaderField::ElapsedMs => &[Role::Ticks, Role::Beginning],
        HeaderField::Image => &[Role::Address],
        HeaderField::OldPid | HeaderField::OldProcess => &[Role::OldThread],
        HeaderField::NewPid | HeaderField::NewProcess => &[Role::NewThread],
        HeaderField::AwakenedPid | HeaderField::AwakenedProcess => &[Role::AwakenedThread],
        HeaderField::ParentPid | HeaderField::ParentTid => &[Role::StartedThread],
        HeaderField::ObjectName => &[Role::Object],
        _ => &[],
    }
}

/// Returns the names of the fields from one of which a derived field follows.
pub(super) fn source_names(field: HeaderField) -> impl Iterator<Item = &'static str> {
    sources(field).iter().flat_map(|role| role.names()).copied()
}

/// Returns those of [`source_names`] from which lines of text derive what they show.
pub(super) fn names_in_text(field: HeaderField) -> &'static [&'static str] {
    match field {
        HeaderField::FileName => Role::File.names(),
        HeaderField::Image => Role::Address.names().get(..ADDRESSES_IN_TEXT).unwrap_or_default(),
        HeaderField::ElapsedMs => &["HighResResponseTime", "ElapsedTime", "InitialTime"],
        _ => &[],
    }
}
