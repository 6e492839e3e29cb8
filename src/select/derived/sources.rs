//! The fields of events that derived facts follow from.

use super::HeaderField;

/// Fields with the key or the object of a file; the first that has a name counts.
pub(super) const FILES: [&str; 2] = ["FileKey", "FileObject"];
/// The field with the path of a file.
pub(super) const PATH: &str = "FileName";
/// Fields with a number of ticks that something took.
pub(super) const TICKS: [&str; 2] = ["HighResResponseTime", "ElapsedTime"];
/// Fields with the time at which something began that ends with the event.
pub(super) const BEGINNINGS: [&str; 1] = ["InitialTime"];
/// Fields with an address in an image.
pub(super) const ADDRESSES: [&str; 17] = [
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
];
/// How many of [`ADDRESSES`] lines of text show the image of.
const ADDRESSES_IN_TEXT: usize = 5;
/// The thread that a processor stops to run.
pub(super) const OLD_THREAD: &str = "OldThreadId";
/// The thread that it runs next.
pub(super) const NEW_THREAD: &str = "NewThreadId";
/// The thread that becomes ready to run.
pub(super) const AWAKENED_THREAD: &str = "AwakenedThreadID";
/// A thread that starts.
pub(super) const STARTED_THREAD: &str = "TThreadId";
/// The address of an object of the kernel.
pub(super) const OBJECT: &str = "Object";
/// An object's name.
pub(super) const OBJECT_NAME: &str = "ObjectName";

/// Returns the fields from one of which a derived field follows.
pub(super) const fn sources(field: HeaderField) -> &'static [&'static str] {
    match field {
        HeaderField::FileName => &[FILES[0], FILES[1], PATH],
        HeaderField::ElapsedMs => &[TICKS[0], TICKS[1], BEGINNINGS[0]],
        HeaderField::Image => &ADDRESSES,
        HeaderField::OldPid | HeaderField::OldProcess => &[OLD_THREAD],
        HeaderField::NewPid | HeaderField::NewProcess => &[NEW_THREAD],
        HeaderField::AwakenedPid | HeaderField::AwakenedProcess => &[AWAKENED_THREAD],
        HeaderField::ParentPid | HeaderField::ParentTid => &[STARTED_THREAD],
        HeaderField::ObjectName => &[OBJECT],
        _ => &[],
    }
}

/// Returns those of [`sources`] from which lines of text derive what they show.
pub(super) fn in_text(field: HeaderField) -> &'static [&'static str] {
    match field {
        HeaderField::FileName => &FILES,
        HeaderField::Image => ADDRESSES.get(..ADDRESSES_IN_TEXT).unwrap_or_default(),
        HeaderField::ElapsedMs => sources(field),
        _ => &[],
    }
}
