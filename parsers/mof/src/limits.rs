//! The caps on what MOF files say.

/// Bytes of a MOF file: Windows' own have some 200 KB.
pub const MAX_FILE: usize = 4 << 20;
/// Classes of all MOF files together.
pub const MAX_CLASSES: usize = 1 << 16;
/// Qualifiers of one class or property of a MOF file.
pub const MAX_QUALIFIERS: usize = 256;
/// Base classes of a MOF class, one above the other; real ones have three.
pub const MAX_BASES: usize = 32;
/// Event types of all MOF classes together.
pub const MAX_EVENTS: usize = 1 << 18;
