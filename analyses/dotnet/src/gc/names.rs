//! Names of numbers that the runtime writes.

/// The type of a collection that runs beside the program.
pub(super) const BACKGROUND: u32 = 1;
/// The type of a collection during a background one.
const FOREGROUND: u32 = 2;
/// The reason of a full blocking collection that provisional mode begins within the suspension of another one.
pub(super) const PM_FULL: u32 = 12;

/// Names of reasons, as the runtime's manifest has them.
const REASONS: [&str; 14] = [
    "AllocSmall",
    "Induced",
    "LowMemory",
    "Empty",
    "AllocLarge",
    "OutOfSpaceSOH",
    "OutOfSpaceLOH",
    "InducedNotForced",
    "Internal",
    "InducedLowMemory",
    "InducedCompacting",
    "LowMemoryHost",
    "PMFullGC",
    "LowMemoryHostBlocking",
];
/// Reasons that are a call of the program: `Induced`, `InducedNotForced`, `InducedCompacting`.
const INDUCED: [u32; 3] = [1, 7, 10];

/// Returns the name of a collection's type.
pub(super) const fn kind_name(kind: u32) -> &'static str {
    match kind {
        BACKGROUND => "background",
        FOREGROUND => "foreground",
        _ => "blocking",
    }
}

/// Returns the name of a reason; `None` for those that the manifest does not have.
pub(super) fn reason_name(reason: u32) -> Option<&'static str> {
    REASONS.get(reason as usize).copied()
}

/// Returns whether the program asked for the collection.
pub(super) fn is_induced(reason: u32) -> bool {
    INDUCED.contains(&reason)
}
